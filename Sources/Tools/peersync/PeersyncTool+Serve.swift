import LinkInputs
import CommandLine
import CommonInputs
import Crypto
import JSONLines
import Links
import Pairing
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

extension PeersyncTool {
  static func runServe(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try settings.store.refuseBoundOutput()
    try settings.listening.check()
    if settings.version == .one, settings.peer == nil {
      throw UsageError.conflict("protocol 1 does not authenticate peers: name the peer with --peer")
    }
    let sessions = try settings.sessions(on: console)
    console.warn(openFolderOf: settings.store.path)
    try DescriptorLimit.require(neededDescriptors)
    return try sessions.naming {
      try Diagnostic.wrapping {
        let peers = Peers(in: try Places.configuration())
        let wanted = try settings.peer.map { try peers.find($0, settings.version) }
        try settings.store.requireNoLoss(peers)
        let device = try Device(creating: true)
        let store = try OpenStore(sessions)
        let listeners = try settings.listening.open(settings.version)
        let port = listeners[0].port
        let open = OpenLinks(sharing: settings.listening.maxConnections.value)
        var links = LinkSettings(.listener, identity: device.identity) { key in
          try device.peers.owner(of: key, wanting: wanted)
        }
        links.version = settings.version
        links.sender = { device.peers.sender(of: $0, wanted) }
        links.objection = { device.peers.objection(to: $0, wanting: wanted) }
        links.covers = device.peers.covers
        links.refusal = { open.refusal(of: $0) }
        links.timeouts.silence = settings.timeout
        // The first apps connect, and send their first message only after the user presses a button.
        links.timeouts.handshake =
          settings.version == .one ? settings.timeout : min(settings.timeout, LinkTimeouts.openTime)
        links.speaker = { DialogueSpeaker(sessions, .init(.acceptor), store) }
        links.trace = try settings.openTrace(beside: store)
        let events = try EventLog(settings.listing.isForPeople ? nil : FilePath(argument: "-"))
        let refusals = RefusalNotes(on: console)
        defer {
          events.tellLost(on: console)
          links.trace?.log.tellLost(on: console)
          refusals.tellHeld()
        }
        let notes = SessionNotes(device.peers, sessions)
        var result = ExitStatus.done
        var quarantine = try KnownQuarantine(store, at: sessions.storePath)
        var aside = 0
        var conflicts = try KeptConflicts(store)
        let context = try settings.version == .one ? nil : TLSContext(device.identity)
        let loop = LinkLoop(links, context, listeners: listeners) { event in
          open.handle(event)
          result = tell(event, events, refusals, notes, device.peers, sessions, settings, console) ?? result
          guard case .closed = event else { return }
          noting(console) { _ = try conflicts.tell(settings) }
          if settings.once { return }
          noting(console) { try quarantine.tell(on: console) }
        }
        let output = RunOutput(settings.listing)
        let bound = try BoundSources(settings, store, output, on: console)
        try bound.record(waiting: settings.once)
        let hook = try settings.onChange.map { try ChangeHook($0, settings, store, on: console) }
        let companions = Companions([bound, hook])
        loop.tend = { now in
          // A session may last for weeks, so its changes in quarantine are reported before it ends.
          if notes.setAside != aside, !settings.once { noting(console) { try quarantine.tell(on: console) } }
          aside = notes.setAside
          return [notes.tend(at: now), companions.tend(at: now)].compactMap { $0 }.min()
        }
        loop.endsAfterFirst = settings.once
        loop.companion = Presence.announcement(
          of: device.identity, port: port, interface: settings.listening.network(settings.version),
          over: settings.version
        ) { console.note($0.text, hint: $0.hint) }
        events.recordListening(on: port)
        console.note("listening on port \(port)")
        if settings.version == .two { console.note(lackOfProofIn: try device.peers.load()) }
        try loop.run()
        noting(console) { try bound.finish() }
        noting(console) { try hook?.finish(isPatient: !settings.once) }
        noting(console) { try notes.finish() }
        noting(console) { try output.finish() }
        guard settings.once else { return .done }
        let count = try store.current().quarantineCount()
        guard result == .done else { return result }
        let diagnostic = Diagnostic(quarantined: count, store: sessions.storePath)
        return diagnostic.map { console.report($0) } ?? bound.standingTrouble ?? hook?.trouble ?? .done
      }
    }
  }

  /// The descriptors needed for one trusted peer: standard streams, sockets of two listeners and of
  /// multicast, the files of store and notes, and one link.
  static let neededDescriptors = 32

  /// Reports an error, and continues.
  private static func noting(_ console: Console, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      console.note(SyncRun.diagnostic(error).text)
    }
  }

  /// Reports the outcome of a link, and notes it; returns the status of an ended session, nil for a silent one.
  private static func tell(
    _ event: LinkLoop.Event, _ events: EventLog, _ refusals: RefusalNotes, _ notes: SessionNotes,
    _ peers: Peers, _ sessions: SessionSettings, _ settings: Settings, _ console: Console
  ) -> ExitStatus? {
    switch event {
    case .opened(let link):
      if let peer = link.peer { notes.begin(link, with: peer, at: nil) }
      events.record(event)
    case .refused(let link):
      events.record(event)
      if let failure = link.failure { refusals.note(Diagnostic(failure, from: link.remote.text)) }
    case .closed(let link):
      guard let peer = link.peer else { return nil }
      var report = SessionReport(link, with: peer, sessions)
      report.distinction = peers.distinction(of: peer)
      events.record(event, report.changes + report.code)
      if settings.listing.isForPeople, let sentence = report.sentence() {
        noting(console) { try Descriptor.standardOutput.write(sentence + "\n") }
      }
      console.note(report)
      console.note(keptIn: report)
      // A server must not end because its notes cannot be written.
      noting(console) { try notes.end(link, as: report) }
      guard let trouble = report.trouble else { return report.isSilent ? nil : .done }
      console.note("\(report.name): \(trouble.text)")
      return trouble.exit
    }
    return nil
  }
}

/// The identity of this device, and the peers it trusts.
struct Device {
  let identity: DeviceIdentity
  let peers: Peers

  /// Makes an identity if it is missing and the device does not trust peers yet; stores it only with
  /// `creating`.
  ///
  /// Throws `noIdentity` if the identity is missing although peers are trusted.
  init(creating: Bool) throws {
    let folder = try Places.configuration()
    peers = Peers(in: folder, state: try Places.state())
    // A list that cannot be read is reported even if the identity exists.
    try peers.load()
    identity = try peers.identity(
      in: IdentityFile(in: folder), named: HostName.short, storing: creating)
  }
}
