import CommandLine
import CommonInputs
import Crypto
import JSONLines
import Links
import Pairing
import SyncCore
import SystemIO

extension PeerpairTool {
  static func runPairing(
    _ role: PairingRole, _ settings: PairingSettings, on console: Console
  ) throws -> ExitStatus {
    guard let source = settings.payload, source.place != .standardInput else {
      throw UsageError.conflict("--payload FILE is required: standard input is for the other side's messages")
    }
    let link = try PeerlinkVariables()
    let payload = try readPayload(source, link)
    let identity = try IdentityFile(in: Places.configuration()).load()
    try check(payload, link, identity, role)
    let machine = PairingMachine(try PairingContext(role, payload, link, identity))
    var conversation = PairingConversation(machine, try peers(), settings)
    try conversation.run()
    return try conversation.report(on: console)
  }

  private static func readPayload(_ source: SecretSource, _ link: PeerlinkVariables) throws -> PairingPayload
  {
    let text = try source.read().bytes
    do throws(PairingPayloadProblem) {
      let payload = try PairingPayload(parsing: text.span)
      // An expired payload is reported to the other side later; a guessable secret must never be used.
      let problems = payload.problems(
        at: payload.expiresAt, service: payload.serviceType, version: link.version)
      if let problem = problems.dropFirst().first { throw problem }
      return payload
    } catch {
      var diagnostic = Diagnostic(error)
      diagnostic.ending = .refused
      throw diagnostic
    }
  }

  private static func check(
    _ payload: PairingPayload, _ link: PeerlinkVariables, _ identity: DeviceIdentity, _ role: PairingRole
  ) throws(Diagnostic) {
    if !PeerID.areSame(link.selfId, identity.peerId) {
      throw Diagnostic(
        .noConnectionFacts, "PEERLINK_SELF_ID is not the id of this device",
        hint: "run peerlink and peerpair with the same PEERSYNC_HOME")
    }
    if role == .provider, link.version == .two, !payload.allows(keyOf: identity.fingerprint.text) {
      throw Diagnostic(
        .wrongFingerprint, "the key in the payload is not the key of this device",
        hint: "make the payload with: peerpair identity | qrpayload create --identity -")
    }
  }
}

/// One side of a pairing, from its first message to its last.
struct PairingConversation: ~Copyable {
  private var machine: PairingMachine
  private let peers: Peers
  private let now: Instant?
  private var lines: PairingLines
  private var output = ByteOutput.standardOutput

  init(_ machine: PairingMachine, _ peers: Peers, _ settings: PeerpairTool.PairingSettings) {
    self.machine = machine
    self.peers = peers
    now = settings.now
    lines = PairingLines(machine.context.version, timeout: settings.timeout)
  }

  mutating func run() throws {
    if machine.context.role == .scanner { try handle(.connected) }
    while !machine.state.isFinal { try handle(try lines.next(flushing: &output)) }
  }

  private mutating func handle(_ input: PairingInput) throws {
    for message in try peers.handle(input, by: &machine, now: now ?? .wallClock) {
      try output.write(message.line + [10])
    }
    try output.flush()
  }

  func report(on console: Console) throws(Diagnostic) -> ExitStatus {
    guard machine.state == .paired, let peer = machine.peer else { throw Diagnostic(machine) }
    let fingerprint = machine.context.version == .two ? ", key \(peer.publicKeyFingerprint.prefix(16))" : ""
    console.note("paired with '\(peer.deviceName.escapingControls)'\(fingerprint)")
    return .done
  }
}

/// The messages of a pairing from standard input, one per line.
struct PairingLines: ~Copyable {
  /// The longest line of a pairing message, in bytes.
  static let longest = PairingGate.limit

  private var input = ByteInput(.standardInput)
  private var window = ByteWindow(capacity: 2 * longest)
  private let deadline: Duration
  private let version: ProtocolVersion
  private var hasEnded = false

  init(_ version: ProtocolVersion, timeout: Duration) {
    (self.version, deadline) = (version, SystemClock.monotonic() + timeout)
  }

  /// The next message; `.timeOut` if the other side stays silent until the deadline.
  mutating func next(flushing output: inout ByteOutput) throws(SystemError) -> PairingInput {
    while true {
      if let line = takeLine() { return line.isEmpty ? .unreadable(.notAnObject) : read(line) }
      if window.count > Self.longest { return .tooLarge }
      if hasEnded { return .end }
      guard let count = try input.read(into: &window, flushing: &output, until: deadline) else {
        return .timeOut
      }
      hasEnded = count == 0
    }
  }

  private func read(_ line: [UInt8]) -> PairingInput {
    if line.count > Self.longest { return .tooLarge }
    do throws(MessageError) {
      return .message(try Message(parsing: line.span, over: version))
    } catch {
      return .unreadable(error)
    }
  }

  /// A line without its LF; a last line without LF was cut off, and is ignored.
  private mutating func takeLine() -> [UInt8]? {
    let unread = window.storage[window.range]
    guard let end = unread.firstIndex(of: 10) else { return nil }
    let line = Array(unread[..<end])
    window.consume(line.count + 1)
    return line
  }
}
