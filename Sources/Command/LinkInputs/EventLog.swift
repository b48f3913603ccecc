package import CommandLine
import CoreInputs
import Crypto
package import JSONLines
package import Links
import Pairing
import SyncCore
import SystemIO

/// A log of events, one line of JSON each, for programs that watch it.
package final class EventLog {
  private let sink: Descriptor
  /// Events lost since the last one that was written.
  private var lost = 0
  /// Anybody can cause refusals, any number of times.
  private var limit = RepetitionLimit()

  /// Without `file` no events are written.
  package init(_ file: FilePath?) throws {
    switch file?.path {
    case nil: sink = try Descriptor.appending(to: "/dev/null")
    case "-": sink = .standardOutput
    case let path?: sink = try Descriptor.appending(to: path)
    }
  }

  package func recordListening(on port: Int) { write("listening", [.init("port", .integer(port))]) }

  /// `more` has further facts about a link that has ended.
  package func record(_ event: LinkLoop.Event, _ more: [JSONMember] = []) {
    switch event {
    case .opened(let link): write("peerConnected", facts(of: link))
    case .refused(let link):
      let code = code(of: link)
      guard limit.allows(code.first?.value.stringValue ?? "", at: SystemClock.monotonic()) else { return }
      write("peerRefused", facts(of: link) + code)
    case .closed(let link):
      var members = facts(of: link)
      members.append(.init("received", .integer(link.received)))
      members.append(.init("sent", .integer(link.sent)))
      if let status = link.status { members.append(.init("status", .integer(status))) }
      write("peerDisconnected", members + more + (more.contains { $0.name == "code" } ? [] : code(of: link)))
    }
  }

  /// Reports how many refusals were left out, and how many events could not be written; for the end of a run.
  package func tellLost(on console: Console) {
    writeHeld()
    if lost == 0 { return }
    console.note("\(lost) \(lost == 1 ? "event was" : "events were") not written: no reader, or no room")
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
      .init("message", .string(String(diagnostic.message.escapingControls.prefix(Self.longestMessage)))),
    ]
  }

  private func write(_ name: String, _ facts: [JSONMember]) {
    writeHeld()
    writeLine(name, facts)
  }

  private func writeHeld() {
    for (code, count) in limit.takeHeld() {
      let known = code.isEmpty ? [] : [JSONMember("code", .string(code))]
      writeLine("peersRefused", known + [.init("count", .integer(count))])
    }
  }

  private func writeLine(_ name: String, _ facts: [JSONMember]) {
    let now = Instant.wallClock
    var members: [JSONMember] = [.init("event", .string(name)), .init("at", .string("\(now)"))] + facts
    if lost > 0 { members.append(.init("lost", .integer(lost))) }
    // Names come from other devices, and the log may be a terminal.
    let line = JSONValue.object(members).text.escapingControlsInJSON + "\n"
    // If the reader has gone or the disk is full, events are lost; the links matter more.
    lost = isWritten(line) ? 0 : lost + 1
  }

  private func isWritten(_ line: String) -> Bool {
    guard line.utf8.count <= Self.pipeUnit, sink.isWritable else { return false }
    return (try? sink.write(line)) != nil
  }

  /// In characters: the other side chooses part of the message, and the line must fit into a pipe.
  private static let longestMessage = 500

  /// A pipe that poll(2) calls writable takes this many bytes without blocking (PIPE_BUF on Linux).
  private static let pipeUnit = 4096
}

/// Notes about connections that failed: some of each kind in a minute, and how many more there were.
package final class RefusalNotes {
  private let console: Console
  private var limit = RepetitionLimit()

  package init(on console: Console) { self.console = console }

  package func note(_ diagnostic: Diagnostic) {
    guard limit.allows(diagnostic.code.rawValue, at: SystemClock.monotonic()) else { return }
    tellHeld()
    console.note(diagnostic.text)
  }

  /// Called at the end of a run as well.
  package func tellHeld() {
    for (kind, count) in limit.takeHeld() { console.note("\(count) more like this: \(kind)") }
  }
}
