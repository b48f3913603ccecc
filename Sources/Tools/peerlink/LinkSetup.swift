import CommandLine
import CommonInputs
import Crypto
import JSONLines
import LinkInputs
import Links
import Pairing
import SyncCore
import SystemIO

/// The requirements of both commands before they connect: our identity, the trusted peers and the settings of
/// links.
struct LinkSetup {
  var links: LinkSettings
  /// The peers that were trusted at the start; links read the list again.
  let trusted: TrustList
  /// The only peer to connect with; nil for any trusted peer.
  private let wanted: LinkPeer?
  /// The TLS settings; nil for plain streams.
  var context: TLSContext?
  /// The pairing in progress, if any.
  let session: PairingWindow?
  private let keyLog: KeyLog?

  init(_ settings: PeerlinkTool.Settings, _ side: LinkSettings.Side, on console: Console) throws {
    try Self.check(settings, side)
    keyLog = try settings.keyLog.map { try KeyLog($0.path) }
    if let keyLog = settings.keyLog {
      // Even with --quiet: a forgotten key log reveals all later data.
      console.warn(
        "anyone who has '\(keyLog.path.escapingControls)' and a capture can read all data of these links"
      )
    }
    let folder = try Places.configuration()
    let peers = Peers(in: folder)
    trusted = try peers.load()
    session = try settings.session.map { try PairingWindow(readingFrom: $0.path, over: settings.version) }
    let wanted = try settings.peer.map { try peers.find($0, settings.version) }
    self.wanted = wanted
    let identity = try Diagnostic.wrapping {
      try peers.identity(in: IdentityFile(in: folder), named: HostName.short)
    }
    links = LinkSettings(side, identity: identity) { key in try peers.owner(of: key, wanting: wanted) }
    if settings.version == .two {
      context = try Diagnostic.wrapping { [keyLog] in try TLSContext(identity, keyLog: keyLog) }
    }
    links.version = settings.version
    links.vouched = wanted
    links.sender = { message in peers.sender(of: message, wanted) }
    if side == .listener { links.objection = { key in peers.objection(to: key, wanting: wanted) } }
    links.covers = peers.covers
    links.isPairing = settings.allowUnpaired
    links.command = settings.operands.isEmpty ? nil : settings.operands
    links.timeouts.handshake = settings.timeout
    links.timeouts.idle = settings.idleTimeout.duration
    links.pairingKey = side == .connector ? session?.fingerprint : nil
  }

  /// The diagnostic for the failure of a link.
  func diagnostic(of failure: LinkFailure, on link: Link) -> Diagnostic {
    let mistake = wanted.flatMap { wanted in
      trusted.mistake(on: link, wanting: wanted) { "use --peer \($0), or another address" }
    }
    return mistake ?? Diagnostic(failure, from: link.remote.text)
  }

  /// Begins the trace.
  ///
  /// This empties the file, so it must be the last step of the setup.
  mutating func beginTrace(_ settings: PeerlinkTool.Settings) throws {
    links.trace = try settings.listening.openTrace(beside: settings.sideFiles())
  }

  /// Reports at the end which files are incomplete.
  func tellLost(on console: Console) {
    links.trace?.log.tellLost(on: console)
    keyLog?.log.tellLost(on: console)
  }

  private static func check(_ settings: PeerlinkTool.Settings, _ side: LinkSettings.Side) throws {
    if settings.allowUnpaired != (settings.session != nil) {
      throw UsageError.conflict("--allow-unpaired and --session require each other")
    }
    if settings.allowUnpaired, settings.peer != nil {
      throw UsageError.conflict("--peer is for trusted peers, and cannot be used with --allow-unpaired")
    }
    if let session = settings.session, OpenStream.isStandardInput(session.path), settings.operands.isEmpty {
      throw UsageError.conflict("standard input is the link: '--session \(session.path)' needs COMMAND")
    }
    if settings.version == .one, side == .connector, settings.peer == nil, !settings.allowUnpaired {
      throw UsageError.conflict("protocol 1 does not authenticate peers: name the peer with --peer")
    }
    if settings.version == .one, settings.keyLog != nil {
      throw UsageError.conflict("protocol 1 does not encrypt, so --key-log has no effect")
    }
    var files = try settings.sideFiles()
    try files.add(settings.listening.trace)
    if settings.operands.isEmpty, let option = settings.outputOption {
      throw UsageError.conflict("standard output is the link: '\(option)' needs COMMAND")
    }
    try settings.listening.check()
  }
}

extension PeerlinkTool.Settings {
  /// All files that a trace must not replace.
  fileprivate func sideFiles() throws(UsageError) -> SideFiles {
    var files = SideFiles(ofDeviceWith: Places.store, others: [session].compactMap { $0?.path })
    // With COMMAND, events may be standard output.
    if let events, events.path != "-" { try files.add(events) }
    try files.add(keyLog)
    return files
  }

  /// The first option that writes to standard output, such as `--events -`; nil without one.
  fileprivate var outputOption: String? {
    let options = [("--events", events), ("--key-log", keyLog), ("--trace", listening.trace)]
    for (name, file) in options {
      if let path = file?.path, path == "-" || OpenStream.number(path) == 1 { return "\(name) \(path)" }
    }
    return nil
  }
}

/// The facts of a pairing in progress that a link needs.
struct PairingWindow {
  private let payload: PairingPayload
  /// When the session ends, on the monotonic clock.
  let end: Duration
  /// The time until the session ends, by the wall clock.
  var timeLeft: Duration { payload.timeLeft(at: .wallClock) }
  /// The beginning of the fingerprint of the provider's key, in protocol version 2.
  var fingerprint: String? { payload.publicKeyFingerprint }

  static let expired = Diagnostic(
    .expiredPairingPayload, "the pairing code has expired",
    hint: "make a new pairing code with 'qrpayload create'")

  /// Reads the payload of a QR symbol, as JSON or Base64; the file has a secret and must be 0600.
  ///
  /// If the version of the payload differed from that of the link, the other side's key would not be checked.
  init(readingFrom path: String, over version: ProtocolVersion) throws {
    guard let source = SecretSource(argument: path) else { throw SystemError.unreachable(path) }
    let text = try source.read().bytes
    do throws(PairingPayloadProblem) {
      payload = try PairingPayload(parsing: text.span)
    } catch {
      throw Diagnostic(.invalidQRCodePayload, error.message, file: path)
    }
    guard payload.version == version else { throw Self.otherVersion(payload, version, path) }
    let left = payload.timeLeft(at: .wallClock)
    guard left > .zero else { throw Self.expired }
    end = SystemClock.monotonic() + left
  }

  private static func otherVersion(
    _ payload: PairingPayload, _ version: ProtocolVersion, _ path: String
  ) -> Diagnostic {
    let problem = PairingPayloadProblem.incompatibleVersion(payload.protocolVersion, wanted: version)
    let remedy = payload.version.map { "use --protocol \($0.rawValue) with this pairing code" }
    var diagnostic = Diagnostic(.incompatibleProtocolVersion, problem.message, file: path, hint: remedy)
    diagnostic.ending = .refused
    return diagnostic
  }
}
