import CommandLine
import Crypto
import Discovery
import JSONLines
import LinkInputs
import Links
import SyncCore
import SystemIO

extension PeerlinkTool {
  /// Accepts peers until a signal, or until the first link ends.
  static func runListen(_ settings: Settings, on console: Console) throws -> ExitStatus {
    var setup = try LinkSetup(settings, .listener, on: console)
    try DescriptorLimit.require(neededDescriptors)
    if let program = settings.operands.first { try ChildProcess.find(program) }
    let isSingle = settings.once || settings.operands.isEmpty
    let events = try EventLog(settings.events)
    let refusals = RefusalNotes(on: console)
    let listeners = try settings.listening.open(settings.version)
    try setup.beginTrace(settings)
    defer {
      events.tellLost(on: console)
      setup.tellLost(on: console)
      refusals.tellHeld()
    }
    var links = setup.links
    var result: ExitStatus?
    // In a pairing, a scanner that reconnects may come before its first link has ended.
    let isAlone = settings.operands.isEmpty || settings.once && !settings.allowUnpaired
    let open = OpenLinks(limit: isAlone ? 1 : settings.listening.maxConnections.value)
    links.refusal = { open.refusal(of: $0) }
    let loop = LinkLoop(links, setup.context, listeners: listeners) { event in
      open.handle(event)
      events.record(event)
      // If a scanner may reconnect, its last attempt counts.
      if let status = tell(event, refusals, on: console, isSingle: isSingle) { result = status }
    }
    loop.endsAfterFirst = isSingle
    if let session = setup.session {
      loop.lastCall = session.end
      loop.timeLeft = { session.timeLeft }
    }
    if settings.allowUnpaired { loop.openDoor = 4 }
    loop.companion = try announcement(settings, of: setup, port: listeners[0].port, on: console)
    events.recordListening(on: listeners[0].port)
    console.note("listening on port \(listeners[0].port)")
    if settings.version == .two, !settings.allowUnpaired { console.note(lackOfProofIn: setup.trusted) }
    try loop.run()
    endWhereInsisted()
    if let result { return result }
    if isSingle, let number = Interruption.pending { Interruption.end(by: number) }
    if setup.session != nil, Interruption.pending == nil { throw PairingWindow.expired }
    return .done
  }

  /// The descriptors needed for one trusted peer: standard streams, listeners, multicast, and one link with
  /// its command.
  private static let neededDescriptors = 32

  /// Reports a link's errors; returns the exit status if the run ends with this link.
  private static func tell(
    _ event: LinkLoop.Event, _ refusals: RefusalNotes, on console: Console, isSingle: Bool
  ) -> ExitStatus? {
    let link: Link
    switch event {
    case .opened: return nil
    case .refused(let refused): link = refused
    case .closed(let closed): link = closed
    }
    let isLast = isSingle && link.isProven
    guard let failure = link.failure else {
      tellLate(link, on: console)
      return isLast ? link.status.map { ExitStatus(rawValue: $0) } ?? .done : nil
    }
    let diagnostic = Diagnostic(failure, from: link.remote.text)
    if isLast { return console.report(diagnostic) }
    if link.isProven { console.note(diagnostic.text) } else { refusals.note(diagnostic) }
    return nil
  }

  /// The announcement of a listener, if one is requested.
  static func announcement(
    _ settings: Settings, of setup: LinkSetup, port: Int, on console: Console
  ) throws -> PeerAnnouncement? {
    guard settings.advertise else { return nil }
    let identity = setup.links.identity
    return try PeerAnnouncement(
      ofPeer: identity.peerId, named: identity.deviceName, version: settings.version.rawValue,
      port: port,
      interface: settings.listening.network(settings.version)
    ) { event in
      switch event {
      case .advertised(let name, _): console.note("announced as '\(name.escapingControls)'")
      case .renamed(let old, _): console.note("another device is called '\(old.escapingControls)'")
      case .withdrawn: break
      }
    }
  }
}
