package import Chores
package import CommandLine
import JSONLines
package import SyncCore
import Synchronization
import SystemIO

/// The merge of all inputs as a household.
package struct HouseholdState {
  /// A line of the state: its place in the household's text, its key, and its record.
  package struct Line {
    package var place: Range<Int>
    package var key: [UInt8]
    package var record: ChoreRecord?
  }

  package private(set) var household = Household()
  /// All lines in key order; empty unless requested.
  package private(set) var lines: [Line] = []
  package private(set) var checkpoints = 0
  fileprivate let hasRecords: Bool
  fileprivate private(set) var hasChores = false
  private let zones = SystemZones()

  /// The winners of one range of keys.
  private struct Piece: Sendable {
    struct Winner: Sendable {
      var place: Range<Int>
      var key: [UInt8]
      var record: Result<ChoreRecord?, MemberError>
      var clock: Instant?
      var source: Int
      var line: Int
    }

    var text: [UInt8] = []
    var winners: [Winner] = []
    var reader = ChoreReader()
  }

  /// Reads all `paths`; with `keepsLines`, it keeps the lines of other entities too.
  package init(
    reading paths: [String], _ shape: RecordShape, _ reading: ReadingSettings,
    keepingLines keepsLines: Bool = false,
    _ badLines: inout BadLines
  ) throws {
    let changes = try SortedChanges(
      reading: paths, shape, reading, condensing: Merge.representatives, &badLines)
    checkpoints = changes.checkpoints
    hasRecords = changes.lines - changes.leftOut.reduce(0, +) > checkpoints
    try changes.forEachKey(Piece()) { lines, reader, piece in
      Self.read(lines, &reader, keepsLines, into: &piece)
    } take: { piece in
      for winner in piece.winners {
        try add(winner, piece.text, paths, keepsLines, &badLines)
      }
    }
    household.arrange()
  }

  private static func read(
    _ lines: KeyLines, _ reader: inout ChangeReader, _ keepsLines: Bool, into piece: inout Piece
  ) {
    let index = Merge.winner(of: lines, &reader)
    let (text, change, key) = reader.read(lines.text(index))
    let record: Result<ChoreRecord?, MemberError>
    do throws(MemberError) {
      record = .success(try piece.reader.read(text.span, change, key: key, &reader))
    } catch {
      record = .failure(error)
    }
    if case .success(nil) = record, !keepsLines { return }
    let start = piece.text.count
    piece.text += text
    piece.winners.append(
      Piece.Winner(
        place: start..<piece.text.count, key: keepsLines ? key : [], record: record, clock: change.clock,
        source: lines.source(index), line: lines.lineNumber(index)))
  }

  private mutating func add(
    _ winner: Piece.Winner, _ text: [UInt8], _ inputs: [String], _ keepsLines: Bool,
    _ badLines: inout BadLines
  ) throws {
    let line = text.span.extracting(winner.place)
    do throws(MemberError) {
      let record = try winner.record.get()
      let place = household.append(line)
      if let record {
        hasChores = true
        try household.add(record, clock: winner.clock, line: place, zones: zones.zone)
      }
      if keepsLines { lines.append(Line(place: place, key: winner.key, record: record)) }
    } catch {
      var diagnostic = Diagnostic(error, file: inputs[winner.source], line: winner.line)
      if error.code == .unknownZone {
        diagnostic.hint = ZoneDatabase.hint
      }
      try badLines.leaveOut(line, because: diagnostic)
    }
  }
}

extension Console {
  /// Says what was read beside chores: checkpoint lines, or only records of other entities.
  package func note(_ states: HouseholdState...) {
    note(passedOver: states.reduce(0) { $0 + $1.checkpoints })
    guard states.contains(where: \.hasRecords), !states.contains(where: \.hasChores) else { return }
    note(
      "no record is a Template, a Member or of another entity of chores",
      hint: "--entity /NAME names the member with the entity of each record")
  }
}

/// The time zones of the system, each read once.
package final class SystemZones: Sendable {
  private let known = Mutex<[String: Zone?]>([:])

  package init() {}

  /// The zone with this name; nil if the system does not have it.
  ///
  /// UTC does not need a file.
  package func zone(_ name: String) -> Zone? {
    if name == "UTC" { return .utc }
    return known.withLock { known in
      if let zone = known[name] { return zone }
      let file = ZoneDatabase.file(of: name).flatMap { ZoneFile($0.span) }
      let zone = file.map { file in Zone { file.offset(at: $0) } }
      known[name] = .some(zone)
      return zone
    }
  }
}
