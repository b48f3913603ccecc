import LinkInputs
import CommandLine
import Crypto
import Discovery
import JSONLines
import Links
import SyncCore
import SystemIO

extension PeerlinkTool {
  /// Looks for a peer on the local network, and sees the link to the first device that has its key to its end.
  static func runSearch(_ settings: Settings, on console: Console) throws -> ExitStatus {
    var settings = settings
    try checkSearch(settings)
    settings.peer = settings.address
    var setup = try LinkSetup(settings, .connector)
    let events = try EventLog(settings.events)
    defer { events.tellLost(on: console) }
    let peer = try TrustedPeers(in: Places.configuration()).find(settings.address, .two)
    let deadline = SystemClock.monotonic() + settings.timeout
    var dialer: PeerDialer? = try PeerDialer(
      id: peer.peerId, interface: settings.listening.interface, until: deadline)
    var last: Link?
    while let connection = try dialer?.next(), let patience = dialer?.patience {
      setup.rules.timeout = patience
      let link = try Self.link(over: connection, setup, events) { dialer = nil }
      if isLast(link) { return status(of: link, on: console) }
      console.note(Diagnostic(link.failure!, from: link.remote.text).text)
      if case .untrustedPeer = link.failure { dialer?.giveUp() }
      last = link
    }
    throw nobody(settings.address, last)
  }

  private static func checkSearch(_ settings: Settings) throws(UsageError) {
    if settings.version == .one {
      throw .conflict("protocol 1 does not say who is there: it needs HOST:PORT, not '\(settings.address)'")
    }
    if settings.allowUnpaired {
      throw .conflict("--allow-unpaired needs HOST:PORT: PEER is a peer that is trusted already")
    }
    if settings.peer != nil { throw .conflict("PEER and --peer are one too many") }
  }

  /// Somebody else's link, or one that has come to nothing, is not the last; the peer's own word is.
  private static func isLast(_ link: Link) -> Bool {
    switch link.failure {
    case nil, .refusedByPeer, .busyPeer, .local: true
    default: link.hasOpened || Interruption.pending != nil
    }
  }

  private static func nobody(_ name: String, _ last: Link?) -> Diagnostic {
    let what =
      last == nil ? "announces itself on the local network" : "of the devices that were tried has its key"
    return Diagnostic(
      .cannotConnect, "'\(name.escapingControls)' was not found: none \(what)",
      hint: "run 'peerlink listen --advertise' there, or give HOST:PORT and --peer")
  }
}
