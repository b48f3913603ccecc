@testable import Store
import SyncCore

extension ChangeStore {
  /// Inside a `write`: keeps a line aside as a page does; its clock is that of the line.
  func quarantine(
    _ line: Span<UInt8>, key: [UInt8]?, reason: String, from peer: StorePeer, now: Instant
  ) throws {
    var room = try quarantineRoom(of: peer, RecordShape())
    var (reader, found) = (LineReader(RecordShape()), [UInt8]())
    let clock = try? reader.read(line, key: &found).clock
    _ = try quarantine(line, isCut: false, key: key, reason: reason, until: clock, in: &room, now: now)
  }

  /// All lines that are kept aside, the oldest first.
  func quarantined() throws -> [QuarantinedLine] {
    var lines: [QuarantinedLine] = []
    try forEachQuarantined { lines.append($0) }
    return lines
  }
}
