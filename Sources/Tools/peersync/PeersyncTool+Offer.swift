import CommandLine
import CommonInputs
import Crypto
import JSONLines
import LinkInputs
import Links
import Pairing
import QRCode
import Sessions
import SyncCore
import SystemIO

/// The side of `peersync pair` that shows a code.
extension PeersyncTool {
  static func offer(
    _ settings: Settings, _ identity: DeviceIdentity, _ peers: Peers, _ console: Console,
    _ report: @escaping (PeerIntroduction) throws -> Void
  ) throws {
    let payload = PairingPayload(
      showing: identity.deviceName, session: try RandomBytes.make(16),
      secret: try .make { () throws(SystemError) in try RandomBytes.make(16) }, version: settings.version,
      expiresAt: Instant.wallClock.advanced(by: settings.lifetime),
      publicKeyFingerprint: identity.fingerprint.text)
    let listeners = try settings.listening.open(settings.version)
    let port = listeners[0].port
    let deadline = SystemClock.monotonic() + settings.lifetime
    let offer = PairingOffer(
      PairingSpeaker.Setting(
        .provider, payload, identity, peers, patience: settings.timeout, now: { .wallClock },
        approve: {
          settings.isYes
            || (try? console.confirm(
              question($0.deviceName, $0.publicKeyFingerprint, settings.version), until: deadline))
              == true
        }))
    try peers.begin(payload, now: .wallClock)
    try show(payload, for: settings.lifetime)
    let key = settings.version == .two ? ", key \(identity.fingerprint.text.prefix(16))," : ""
    console.note("'\(identity.deviceName)'\(key) is listening on port \(port)")
    let refusals = RefusalNotes(on: console)
    defer { refusals.tellHeld() }
    let companion = Presence.pairing(
      named: identity.deviceName, port: port, interface: settings.listening.network(settings.version),
      over: settings.version
    ) { console.note($0.text, hint: $0.hint) }
    try offer.run(
      listeners, companion: companion, timeout: min(settings.timeout, LinkTimeouts.openTime), report: report
    ) {
      refusals.note($0)
    }
  }

  /// On a terminal, shows a code to scan and to type; otherwise writes one line.
  ///
  /// The symbol contains the typed code, so it is small. Version 1 does not have a typed code, so the symbol
  /// contains the form that the apps of version 1 read.
  private static func show(_ payload: PairingPayload, for lifetime: Duration) throws {
    let line = payload.base64
    guard Descriptor.standardOutput.isTerminal else {
      return try Descriptor.standardOutput.write((line + [10]).span)
    }
    let code = payload.typed
    let symbol = symbol(of: code.map { Array($0.utf8) } ?? line)
    let text =
      if let code {
        """
        \(symbol.map { "\($0)" } ?? "")On the other device, run 'peersync pair --scan -' and type\(symbol == nil ? "" : " or scan") this code:
            \(code)
        The code is valid for one device, for \(spoken(lifetime)). Anyone who can read it can pair.

        """
      } else {
        symbol ?? String(decoding: line + [10], as: UTF8.self)
      }
    try Descriptor.standardOutput.write(drawing: Array(text.utf8).span)
  }

  /// The symbol as text; nil if the terminal is too small for it.
  private static func symbol(of text: [UInt8]) -> String? {
    guard TerminalSize.canDraw, let size = TerminalSize.ofStandardOutput, let symbol = try? QRSymbol(text)
    else { return nil }
    let drawing = TerminalDrawing(symbol, .halfBlocks)
    return drawing.fits(columns: size.columns, rows: size.rows - linesBelow) ? drawing.text : nil
  }

  /// The lines about typing the code and about the listener, and the final question: they must not scroll the
  /// symbol off the screen.
  private static let linesBelow = 4

  private static func spoken(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    return seconds >= 120 ? "\(seconds / 60) minutes" : "\(seconds) s"
  }
}
