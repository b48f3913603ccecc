import Captures
import JSONLines
import SyncCore
package import SystemIO

/// A file with a line for each message on links, for analysis.
package final class LinkTrace {
  package let log: SideLog
  private var streams = 0

  /// Empties an existing file; only its owner can read it, and only this run writes to it.
  package init(_ path: String) throws { log = try SideLog(path, Self.kind) }

  /// Lines of `pcapstream` and of `frame decode` do not have a `direction` before the `offset`.
  private static let kind = SideLog.Kind("trace", isOfOneRun: true) { lines in
    guard let line = lines.first, line.hasPrefix("{\"stream\":") else { return false }
    return line.split(separator: ",\"offset\":")[0].contains(",\"direction\":\"")
  }

  /// The trace of one connection.
  final class Stream {
    private let trace: LinkTrace
    private let number: Int
    private let here: String
    private let there: String
    private var heard = MessageTrace()
    private var said = MessageTrace()

    fileprivate init(_ trace: LinkTrace, _ number: Int, _ connection: Connection) {
      (self.trace, self.number) = (trace, number)
      (here, there) = (connection.local.text, connection.remote.text)
    }

    /// Adds transferred messages; `peer` is the other side, if known.
    func pass(_ bytes: Span<UInt8>, isOurs: Bool, peer: String?) {
      let members = members(isOurs, peer)
      // A few bytes can be a long message, so the lines of many bytes at once could take much memory.
      for start in stride(from: 0, to: bytes.count, by: 4_096) {
        let piece = bytes.extracting(start..<min(start + 4_096, bytes.count))
        trace.write(isOurs ? said.lines(after: piece, members) : heard.lines(after: piece, members))
      }
    }

    /// Notes an incomplete message.
    func end(peer: String?) {
      let none: [UInt8] = []
      trace.write(said.lines(after: none.span, isFinal: true, members(true, peer)))
      trace.write(heard.lines(after: none.span, isFinal: true, members(false, peer)))
    }

    private func members(_ isOurs: Bool, _ peer: String?) -> [JSONMember] {
      var members = [
        JSONMember("stream", .integer(number)), JSONMember("from", .string(isOurs ? here : there)),
        JSONMember("to", .string(isOurs ? there : here)),
        JSONMember("at", .string("\(Instant(clock: SystemClock.wallTime()))")),
        JSONMember("direction", .string(isOurs ? "sent" : "received")),
      ]
      if let peer { members.append(JSONMember("peerId", .string(peer))) }
      return members
    }
  }

  func stream(over connection: Connection) -> Stream {
    defer { streams += 1 }
    return Stream(self, streams, connection)
  }

  private func write(_ lines: [UInt8]) { log.write(lines.span) }
}
