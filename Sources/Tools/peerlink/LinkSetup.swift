import LinkInputs
import CommandLine
import Crypto
import JSONLines
import Links
import Pairing
import SyncCore
import SystemIO

/// What both commands need before there is a connection: who we are, whom we trust, and how links behave.
struct LinkSetup {
  var rules: LinkRules
  /// The peers that were trusted at the start; links ask anew.
  let trusted: TrustList
  /// Nil for plain streams.
  var context: TLSContext?
  /// When a pairing session is over, on the monotonic clock.
  var lastCall: Duration?

  init(_ settings: PeerlinkTool.Settings, _ side: LinkRules.Side) throws {
    try Self.check(settings, side)
    let folder = try Places.configuration()
    let peers = TrustedPeers(in: folder)
    trusted = try peers.load()
    let session = try settings.session.map { try PairingWindow(readingFrom: $0.path, over: settings.version) }
    let wanted = try settings.peer.map { try peers.find($0, settings.version) }
    do throws(TransportError) {
      let identity = try IdentityFile(in: folder).loadOrCreate(deviceName: HostName.short)
      rules = LinkRules(side, identity: identity) { key in
        peers.owner(of: key).flatMap { wanted == nil || $0.peerId == wanted?.peerId ? $0 : nil }
      }
      if settings.version == .two { context = try TLSContext(identity) }
    } catch {
      throw Diagnostic(error)
    }
    rules.version = settings.version
    rules.vouched = wanted
    rules.sender = { message in peers.sender(of: message, wanted) }
    rules.covers = StandingTrust(in: folder).covers
    rules.isPairing = settings.allowUnpaired
    rules.command = settings.operands.isEmpty ? nil : settings.operands
    rules.timeout = settings.timeout
    rules.idle = settings.idleTimeout.duration
    rules.pairingKey = side == .connector ? session?.fingerprint : nil
    lastCall = session?.end
  }

  private static func check(_ settings: PeerlinkTool.Settings, _ side: LinkRules.Side) throws {
    if settings.allowUnpaired != (settings.session != nil) {
      throw UsageError.conflict("--allow-unpaired and --session need each other")
    }
    if settings.allowUnpaired, settings.peer != nil {
      throw UsageError.conflict("--peer is about trusted peers, --allow-unpaired about all others")
    }
    if settings.events?.path == "-", settings.operands.isEmpty {
      throw UsageError.conflict("standard output is the link: '--events -' needs COMMAND")
    }
    if let session = settings.session, OpenStream.isStandardInput(session.path), settings.operands.isEmpty {
      throw UsageError.conflict("standard input is the link: '--session -' needs COMMAND")
    }
    if settings.version == .one, side == .connector, settings.peer == nil, !settings.allowUnpaired {
      throw UsageError.conflict("over protocol 1 nobody proves who is there: --peer says who is meant")
    }
    try settings.listening.check()
  }
}
