package import CommandLineTool
package import JSONLines
import SyncCore
import SystemIO
package import Transport

/// A line of JSON for each thing that happens, for programs that watch.
package final class EventLog {
  private let sink: Descriptor

  /// Nothing is written where `file` is nil.
  package init(_ file: FilePath?) throws {
    switch file?.path {
    case nil: sink = try Descriptor.appending(to: "/dev/null")
    case "-": sink = .standardOutput
    case let path?: sink = try Descriptor.appending(to: path)
    }
  }

  package func recordListening(on port: Int) { write("listening", [.init("port", .integer(port))]) }

  /// `more` is what else is known of a link that is over.
  package func record(_ event: LinkLoop.Event, _ more: [JSONMember] = []) {
    switch event {
    case .opened(let link): write("peerConnected", facts(of: link))
    case .refused(let link): write("peerRefused", facts(of: link) + code(of: link))
    case .closed(let link):
      var members = facts(of: link)
      members.append(.init("received", .integer(link.received)))
      members.append(.init("sent", .integer(link.sent)))
      if let status = link.status { members.append(.init("status", .integer(status))) }
      write("peerDisconnected", members + more + (more.contains { $0.name == "code" } ? [] : code(of: link)))
    }
  }

  private func facts(of link: Link) -> [JSONMember] {
    var members: [JSONMember] = []
    if let peer = link.peer {
      members.append(.init("peerId", .string(peer.peerId)))
      members.append(.init("deviceName", .string(peer.deviceName)))
    }
    if let key = link.fingerprint { members.append(.init("publicKeyFingerprint", .string(key.text))) }
    members.append(.init("remote", .string(link.remote.text)))
    return members
  }

  private func code(of link: Link) -> [JSONMember] {
    guard let failure = link.failure else { return [] }
    let diagnostic = Diagnostic(failure, from: link.remote.text)
    return [
      .init("code", .string(diagnostic.code.rawValue)),
      .init("message", .string(diagnostic.message.escapingControls)),
    ]
  }

  private func write(_ name: String, _ facts: [JSONMember]) {
    let (seconds, nanoseconds) = SystemClock.wallTime()
    var members: [JSONMember] = [.init("event", .string(name))]
    if let now = Instant(seconds: seconds, nanoseconds: nanoseconds)?.inMilliseconds {
      members.append(.init("at", .string("\(now)")))
    }
    let line = JSONValue.object(members + facts).text + "\n"
    // Who does not read any more, or has no room, misses events; the links are more important.
    guard line.utf8.count <= Self.pipeUnit, sink.isWritable else { return }
    try? sink.write(line)
  }

  /// So much goes into a pipe that poll(2) calls writable without waiting (PIPE_BUF on Linux).
  private static let pipeUnit = 4096
}
