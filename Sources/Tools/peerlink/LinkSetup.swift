import CommandLineTool
import JSONLines
import SyncCore
import SystemIO
import Transport

/// What both commands need before there is a connection: who we are, whom we trust, and how links behave.
struct LinkSetup {
  var rules: LinkRules
  /// Nil for plain streams.
  var context: TLSContext?
  /// When a pairing session is over, on the monotonic clock.
  var lastCall: Duration?

  init(_ settings: PeerlinkTool.Settings, _ side: LinkRules.Side) throws {
    try Self.check(settings)
    let folder = try Places.configuration()
    let session = try settings.session.map { try PairingSession(readingFrom: $0.path) }
    do throws(TransportError) {
      let identity = try IdentityFile(in: folder).loadOrCreate(deviceName: HostName.short)
      let wanted = try settings.peer.map { name throws(TransportError) in
        (name, try TrustedPeers.load(from: folder))
      }
      rules = LinkRules(side, identity: identity) { key in
        TrustedPeers.owner(of: key, in: folder)
      }
      if settings.version == .two { context = try TLSContext(identity) }
      try limit(to: wanted)
    } catch {
      throw Diagnostic(error)
    }
    rules.version = settings.version.version
    rules.isPairing = settings.allowUnpaired
    rules.command = settings.operands.isEmpty ? nil : settings.operands
    rules.timeout = settings.timeout
    rules.idle = settings.idleTimeout.duration
    rules.pairingKey = side == .connector ? session?.fingerprint : nil
    lastCall = session?.end
  }

  /// Only the peer that the command line names.
  private mutating func limit(to wanted: (name: String, peers: TrustedPeers)?) throws(TransportError) {
    guard let wanted else { return }
    let peer = try wanted.peers.find(wanted.name)
    let owner = rules.owner
    rules.owner = { key in owner(key).flatMap { $0.peerId == peer.peerId ? $0 : nil } }
  }

  private static func check(_ settings: PeerlinkTool.Settings) throws {
    if settings.allowUnpaired != (settings.session != nil) {
      throw UsageError.conflict("--allow-unpaired and --session need each other")
    }
    if settings.allowUnpaired, settings.peer != nil {
      throw UsageError.conflict("--peer is about trusted peers, --allow-unpaired about all others")
    }
    if settings.events?.path == "-", settings.operands.isEmpty {
      throw UsageError.conflict("standard output is the link: '--events -' needs COMMAND")
    }
    if settings.version == .one, settings.peer != nil {
      throw UsageError.conflict("--peer needs a proof of who is there, which protocol 1 does not have")
    }
    if let interface = settings.interface, !Interface.exists(interface) {
      throw Diagnostic(.cannotListen, "no such network interface", file: interface)
    }
  }
}
