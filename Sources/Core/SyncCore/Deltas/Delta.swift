package import JSONLines

/// Computes the delta from one snapshot, source 0, to another, source 1.
///
/// It also computes the effect of a delta, source 1, on a base.
///
/// If a source has several lines of a key, the last one counts.
package struct Delta: Sendable {
  /// The time given to the deletions that the delta finds.
  package enum DeletionTime: Sendable {
    case at(Instant)
    /// Now, or a millisecond after the deleted line's own clock if that is later.
    case now(Instant)
  }

  /// One difference or its inverse; an index identifies a line among the lines of its key.
  package enum Change: Equatable, Sendable {
    /// A line to write unchanged, and the live one that it replaces.
    case line(Int, replacing: Int?)
    /// A live line to delete.
    case delete(Int)

    fileprivate var index: Int {
      switch self {
      case .line(let index, _), .delete(let index): index
      }
    }
  }

  private let deletionTime: DeletionTime
  private let wrapsRecords: Bool

  /// `wrappingRecords` writes plain records as change lines.
  package init(deletionTime: DeletionTime, wrappingRecords: Bool = false) {
    (self.deletionTime, wrapsRecords) = (deletionTime, wrappingRecords)
  }

  /// The change that replaces the old line of a key by the new one; nil if they do not differ.
  ///
  /// A tombstone in the new snapshot deletes a live record of the old one; a tombstone in the old one counts
  /// as absence. Lines are compared by value.
  package static func difference(_ lines: KeyLines, _ reader: inout ChangeReader) -> Change? {
    let live = liveLine(lines)
    guard let new = lines.last(of: 1) else { return live.map(Change.delete) }
    guard let live else { return lines[new].isTombstone ? nil : .line(new, replacing: nil) }
    let isSame = !lines[new].isTombstone && reader.isEqual(live, new, in: lines)
    return isSame ? nil : .line(new, replacing: live)
  }

  /// The change that undoes the effect of a delta's line on the base.
  package static func inverse(_ lines: KeyLines, _ reader: inout ChangeReader) -> Change? {
    guard let change = lines.last(of: 1) else { return nil }
    guard let live = liveLine(lines) else { return lines[change].isTombstone ? nil : .delete(change) }
    let isSame = !lines[change].isTombstone && reader.isEqual(live, change, in: lines)
    return isSame ? nil : .line(live, replacing: nil)
  }

  /// The line that remains after a delta has been applied to a base; clocks are ignored.
  package static func result(_ lines: KeyLines) -> Int? {
    guard let change = lines.last(of: 1) else { return liveLine(lines) }
    return lines[change].isTombstone ? nil : change
  }

  /// A few lines of a key with the same result as all of them: the last of each source, and the first two,
  /// which show duplicates.
  @Sendable
  package static func representatives(_ lines: KeyLines, _ reader: inout ChangeReader) -> [Int] {
    var places: Set<Int> = []
    for source in [0, 1] {
      let ofSource = lines.indices.filter { lines.source($0) == source }
      places.formUnion(ofSource.prefix(2) + ofSource.suffix(1))
    }
    return places.sorted()
  }

  static func liveLine(_ lines: KeyLines) -> Int? {
    lines.last(of: 0).flatMap { lines[$0].isTombstone ? nil : $0 }
  }

  /// Appends the line of a change: unchanged, or a delete line with entity and identity in their original
  /// spelling.
  ///
  /// In the change line of a tombstone without a clock, the time is that of the deletion of the old line.
  package func append(
    _ change: Change, _ lines: KeyLines, _ reader: inout ChangeReader, to bytes: inout [UInt8]
  ) throws(UnreadableLine) {
    let (start, index) = (bytes.count, change.index)
    switch change {
    case .line where !wrapsRecords:
      bytes.append(lines.text(index))
      return bytes.append(10)
    case .line(_, let replaced):
      let time = time(of: reader.change(lines.text(replaced ?? index)))
      reader.appendChange(of: lines.text(index), deletedAt: time, to: &bytes)
    case .delete:
      bytes.append(UInt8(ascii: "{"))
      reader.appendKeyMembers(of: lines.text(index), to: &bytes)
      let time = time(of: reader.change(lines.text(index)))
      bytes.append(contentsOf: ",\"deletedAt\":\"\(time)\"}".utf8)
    }
    let (longest, deepest) = (LineCursor.longestLine, JSONDepth.limit)
    if let excess = StorableLine.excess(bytes.span.extracting(start...), longest, deepest) {
      throw UnreadableLine(source: lines.source(index), line: lines.lineNumber(index), excess: excess)
    }
    bytes.append(10)
  }

  private func time(of line: ChangeLine) -> Instant {
    switch deletionTime {
    case .at(let instant): instant
    case .now(let now): line.clock.map { max(now, $0.advanced(by: .milliseconds(1))) } ?? now
    }
  }
}

/// A change whose line would exceed the limits of every reader.
package struct UnreadableLine: Explained {
  /// The source of the line from which it is made.
  package let source: Int
  /// The number of that line in its source.
  package let line: Int
  let excess: StorableLine.Excess

  package var code: ErrorCode { excess.code }
  /// The error in words: lower-case, no final period.
  package var message: String { "its change line would be \(excess.measure), more than any tool reads" }
}

/// Why a line of a delta does not fit the base that it is applied to.
package enum DeltaConflict: Equatable, Sendable {
  /// The line deletes a record that the base does not have.
  case deleteOfAbsent
  /// The base has a later version.
  case newerInBase

  /// The error in words: lower-case, no final period.
  package var message: String {
    switch self {
    case .deleteOfAbsent: "deletes a record that the base does not have"
    case .newerInBase: "is older than the record in the base"
    }
  }
}

extension Delta {
  /// Whether both lines are live, with a later clock in the first.
  static func isLater(_ a: Int, than b: Int, _ lines: KeyLines, _ reader: inout ChangeReader) -> Bool {
    guard !lines[a].isTombstone, !lines[b].isTombstone, let clock = reader.change(lines.text(a)).clock,
      let other = reader.change(lines.text(b)).clock
    else { return false }
    return clock > other
  }

  /// The conflict that a strict application finds in a delta's line of a key; nil if the line fits.
  package static func conflict(_ lines: KeyLines, _ reader: inout ChangeReader) -> DeltaConflict? {
    guard let change = lines.last(of: 1) else { return nil }
    guard let live = liveLine(lines) else { return lines[change].isTombstone ? .deleteOfAbsent : nil }
    guard let liveClock = reader.change(lines.text(live)).clock else { return nil }
    guard let clock = reader.change(lines.text(change)).clock else { return .newerInBase }
    return clock < liveClock ? .newerInBase : nil
  }
}

/// How many lines of each kind a file has, by entity.
package struct DeltaStatistics: Sendable {
  private var counts: [[UInt8]: (upserts: Int, deletes: Int)] = [:]
  private var checkpoints = 0

  package init() {}

  /// Counts the lines of a block before it is sorted.
  package mutating func add(_ block: LineBlock, _ report: BlockReader.Report) {
    checkpoints += report.checkpoints
    var upserts = [Int](repeating: 0, count: report.forms.forms.count)
    var deletes = upserts
    for entry in block.entries {
      if entry.isTombstone { deletes[Int(entry.word)] += 1 } else { upserts[Int(entry.word)] += 1 }
    }
    for (place, form) in report.forms.forms.enumerated() {
      let count = counts[form.entityName, default: (0, 0)]
      counts[form.entityName] = (count.upserts + upserts[place], count.deletes + deletes[place])
    }
  }

  /// `{"upserts":3,"deletes":1,"checkpoints":0,"entities":{"Task":{"upserts":3,"deletes":1}}}`.
  package var value: JSONValue {
    let rows = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    let entities = rows.map { name, count in
      JSONMember((try? JSONValue(parsing: name.span))?.stringValue ?? "", Self.object(count))
    }
    let total = rows.reduce((upserts: 0, deletes: 0)) {
      ($0.upserts + $1.value.upserts, $0.deletes + $1.value.deletes)
    }
    guard case .object(let members) = Self.object(total) else { return .null }
    return .object(
      members + [JSONMember("checkpoints", .integer(checkpoints)), JSONMember("entities", .object(entities))])
  }

  private static func object(_ count: (upserts: Int, deletes: Int)) -> JSONValue {
    .object([JSONMember("upserts", .integer(count.upserts)), JSONMember("deletes", .integer(count.deletes))])
  }
}
