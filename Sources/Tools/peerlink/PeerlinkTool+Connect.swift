import CommandLine
import Crypto
import Discovery
import JSONLines
import LinkInputs
import Links
import Pairing
import SyncCore
import SystemIO

extension PeerlinkTool {
  /// Makes one link and runs it to its end.
  static func runConnect(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard let place = HostAndPort(argument: settings.address) else {
      if HostAndPort.hasWrongPort(settings.address) {
        throw UsageError.wrongOperand(settings.address, expected: HostAndPort.expectation)
      }
      return try runSearch(settings, on: console)
    }
    var setup = try LinkSetup(settings, .connector, on: console)
    if settings.peer == nil, !settings.allowUnpaired {
      try setup.trusted.refuseName(settings.address)
    }
    let events = try EventLog(settings.events)
    try setup.beginTrace(settings)
    defer {
      events.tellLost(on: console)
      setup.tellLost(on: console)
    }
    let link = try Self.link(over: try connect(to: place, settings), setup, events)
    return status(of: link, setup, on: console)
  }

  /// Runs a link to its end; `onOpening` is called once it is open.
  static func link(
    over connection: Connection, _ setup: LinkSetup, _ events: EventLog, onOpening: @escaping () -> Void = {}
  ) throws -> Link {
    let stream =
      if let context = setup.context {
        try PeerStream.client(context, over: connection) { key in try setup.links.accepts(key) }
      } else {
        PeerStream.plain(connection)
      }
    let link = Link(stream, setup.links)
    link.begin(at: SystemClock.monotonic())
    let loop = LinkLoop(setup.links, nil, links: [link]) { event in
      if case .opened = event { onOpening() }
      events.record(event)
    }
    try loop.run()
    return link
  }

  /// The exit status for a link's end; if a signal ended the link, ends the process by that signal.
  static func status(of link: Link, _ setup: LinkSetup, on console: Console) -> ExitStatus {
    endWhereInsisted()
    if link.failure == .stopped, let number = Interruption.pending { Interruption.end(by: number) }
    if let failure = link.failure { return console.report(setup.diagnostic(of: failure, on: link)) }
    if link.status == nil, let number = Interruption.pending { Interruption.end(by: number) }
    tellLate(link, on: console)
    return link.status.map { ExitStatus(rawValue: $0) } ?? .done
  }

  /// Reports output of COMMAND that the other side can no longer have read.
  static func tellLate(_ link: Link, on console: Console) {
    guard link.sentLate > 0 else { return }
    let bytes = link.sentLate == 1 ? "the last byte was" : "the last \(link.sentLate) bytes were"
    console.note("\(link.remote.text): the other side had closed the connection before \(bytes) sent")
  }

  /// Ends the process immediately if a second signal has arrived.
  static func endWhereInsisted() {
    if Interruption.isInsisted, let number = Interruption.pending { Interruption.end(by: number) }
  }

  private static func connect(to place: HostAndPort, _ settings: Settings) throws -> Connection {
    let deadline = SystemClock.monotonic() + settings.timeout
    return try place.connect(
      through: settings.listening.interface, until: deadline, over: settings.version)
  }

  /// Searches for a peer on the local network, and runs the link to the first device with its key.
  static func runSearch(_ settings: Settings, on console: Console) throws -> ExitStatus {
    var settings = settings
    try checkSearch(settings)
    settings.peer = settings.address
    var setup = try LinkSetup(settings, .connector, on: console)
    let events = try EventLog(settings.events)
    try setup.beginTrace(settings)
    defer {
      events.tellLost(on: console)
      setup.tellLost(on: console)
    }
    let peer = try Peers(in: Places.configuration()).find(settings.address, .two)
    let deadline = SystemClock.monotonic() + settings.timeout
    var dialer: PeerDialer? = try PeerDialer(
      id: peer.peerId, interface: settings.listening.interface, until: deadline)
    var last: Link?
    while let connection = try dialer?.next(), let patience = dialer?.patience {
      setup.links.timeouts.handshake = patience
      let link = try Self.link(over: connection, setup, events) { dialer = nil }
      if isLast(link) { return status(of: link, setup, on: console) }
      console.note(Diagnostic(link.failure!, from: link.remote.text).text)
      if case .untrustedPeer = link.failure { dialer?.giveUp() }
      last = link
    }
    throw nobody(settings.address, last, hasUnproven: dialer?.hasUnproven == true)
  }

  private static func checkSearch(_ settings: Settings) throws(UsageError) {
    if settings.version == .one {
      throw .conflict("protocol 1 cannot find peers by name: it needs HOST:PORT, not '\(settings.address)'")
    }
    if settings.allowUnpaired {
      throw .conflict("--allow-unpaired needs HOST:PORT, because PEER is a trusted peer")
    }
    if settings.peer != nil { throw .conflict("PEER and --peer cannot be used together") }
  }

  /// Whether the search ends with this link; it continues after another device or a failed connection.
  private static func isLast(_ link: Link) -> Bool {
    switch link.failure {
    case nil, .refusedByPeer, .busyPeer, .local: true
    default: link.hasOpened || Interruption.pending != nil
    }
  }

  private static func nobody(_ name: String, _ last: Link?, hasUnproven: Bool) -> Diagnostic {
    var what = "it is not announced on the local network"
    var remedy = "run 'peerlink listen --advertise' there"
    if case .untrustedPeer = last?.failure, !hasUnproven {
      what = "the devices that were tried do not have its key"
    } else if last != nil || hasUnproven {
      what = "the announced devices could not be reached, or did not answer"
      remedy = "check the firewall there"
    }
    return Diagnostic(
      .cannotConnect, "'\(name.escapingControls)' was not found: \(what)",
      hint: "\(remedy), or give HOST:PORT and --peer")
  }
}

extension TrustList {
  /// Throws if an address is also the name of a trusted peer.
  fileprivate func refuseName(_ address: String) throws(Diagnostic) {
    let ids = records.filter { $0.deviceName == address }.map(\.peerId).joined(separator: ", ")
    if ids.isEmpty { return }
    throw Diagnostic(
      .unknownPeer, "'\(address)' is an address and the name of a trusted peer",
      hint: "to search for the peer, use its id: \(ids); to use the address, add --peer PEER")
  }
}
