@testable import Store
import SyncCore

extension ChangeStore {
  /// Inside a `write`: puts a line into quarantine as a page does; the clock is the line's clock.
  func quarantine(
    _ line: Span<UInt8>, key: [UInt8]?, reason: String, from peer: StorePeer, now: Instant
  ) throws {
    var room = try quarantineRoom(of: peer, RecordShape())
    var (reader, found) = (LineReader(RecordShape()), [UInt8]())
    let clock = try? reader.read(line, key: &found).clock
    _ = try quarantine(line, isCut: false, key: key, reason: reason, until: clock, in: &room, now: now)
  }

  /// All lines in quarantine, the oldest first.
  func quarantined() throws -> [QuarantinedLine] {
    var lines: [QuarantinedLine] = []
    try forEachQuarantined { lines.append($0) }
    return lines
  }
}
