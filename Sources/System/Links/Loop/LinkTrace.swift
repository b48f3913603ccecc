import Captures
import JSONLines
import SyncCore
package import SystemIO

/// A file with a line for each message that passes over links, for whoever wants to know what was said.
package final class LinkTrace {
  private let file: Descriptor
  private var streams = 0
  /// Why no more is written; the links go on.
  package private(set) var failure: SystemError?

  /// Empties the file if there is one; only its owner can read it.
  package init(_ path: String) throws(SystemError) { file = try Descriptor.replacing(path) }

  /// One connection.
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

    /// Takes what has passed; `peer` is who is there, where that is known.
    func pass(_ bytes: Span<UInt8>, isOurs: Bool, peer: String?) {
      let members = members(isOurs, peer)
      trace.write(isOurs ? said.lines(after: bytes, members) : heard.lines(after: bytes, members))
    }

    /// Says where a message has broken off.
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

  private func write(_ lines: [UInt8]) {
    guard failure == nil, !lines.isEmpty else { return }
    do throws(SystemError) {
      try file.write(lines.span)
    } catch {
      failure = error
    }
  }
}
