package import CommandLine
import CommonInputs
import Crypto
package import JSONLines
package import Links
import Pairing
import SyncCore
import SystemIO

/// A log of events, one line of JSON each, for programs that watch it.
package final class EventLog {
  private let sink: Descriptor
  /// The number of events lost since the last written event.
  private var lost = 0
  /// The limit for refusals in the log, as strangers can cause any number of them.
  private var limit = RepetitionLimit()

  /// Opens the log; without `file`, events are not written.
  package init(_ file: FilePath?) throws {
    switch file?.path {
    case nil: sink = try Descriptor.appending(to: "/dev/null")
    case "-": sink = .standardOutput
    case let path?: sink = try Descriptor.appending(to: path)
    }
  }

  package func recordListening(on port: Int) { write("listening", [.init("port", .integer(port))]) }

  /// Writes an event; `more` has further facts about an ended link.
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
      if link.sentLate > 0 { members.append(.init("sentLate", .integer(link.sentLate))) }
      if let status = link.status { members.append(.init("status", .integer(status))) }
      write("peerDisconnected", members + more + (more.contains { $0.name == "code" } ? [] : code(of: link)))
    }
  }

  /// Reports suppressed refusals and lost events, at the end of a run.
  package func tellLost(on console: Console) {
    writeHeld()
    if lost == 0 { return }
    console.note("\(lost) \(lost == 1 ? "event was" : "events were") lost: no reader, or a full disk")
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
      // The escaped text is cut, because escapes are longer than their scalars.
      .init("message", .string(diagnostic.message.escapingControls.shown(upTo: Self.longestMessage))),
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
    // Names are from other devices, and the log may be a terminal.
    let line = JSONValue.object(members).text.escapingControlsInJSON + "\n"
    // If the reader has ended or the disk is full, events are lost; the links continue.
    lost = isWritten(line) ? 0 : lost + 1
  }

  private func isWritten(_ line: String) -> Bool {
    guard line.utf8.count <= Self.pipeUnit, sink.isWritable else { return false }
    return (try? sink.write(line)) != nil
  }

  /// The longest message, in scalars; a character may consist of any number of them.
  ///
  /// The other side chooses part of the message, and the line must fit into a pipe.
  private static let longestMessage = 500

  /// A writable pipe, according to poll(2), accepts this many bytes without blocking (PIPE_BUF on Linux).
  private static let pipeUnit = 4096
}

/// Notes about failed connections: a limited number of each kind per minute, and the count of those that were
/// suppressed.
package final class RefusalNotes {
  private let console: Console
  private var limit = RepetitionLimit()

  package init(on console: Console) { self.console = console }

  package func note(_ diagnostic: Diagnostic) {
    guard limit.allows(diagnostic.code.rawValue, at: SystemClock.monotonic()) else { return }
    tellHeld()
    console.note(diagnostic.text)
  }

  /// Reports the counts of suppressed notes; also called at the end of a run.
  package func tellHeld() {
    for (kind, count) in limit.takeHeld() { console.note("\(count) more like this: \(kind)") }
  }
}
