import CommandLine
import CommonInputs
import PairingInputs
import SyncCore
import SystemIO

/// The command line of `qrpayload`.
enum QrpayloadTool {
  static let command = Command(
    "qrpayload", "make, read and draw the QR payload of a pairing",
    discussion: [
      "A pairing payload contains a session, the service to look for, a secret of 128 random bits and an "
        + "expiry time. Anyone who can read it can pair: do not show it to others, and keep it in a file "
        + "that only you can read.",
      "create makes a payload, render draws it as a QR symbol, and read checks and prints a scanned text.",
    ],
    subcommands: [create, read, render])

  struct Settings: Sendable {
    var file = "-"
    var service = ServiceType(ServiceTypeName.peers)
    var version: ProtocolVersion?
    var now: Instant?
    var output: FilePath?
    // Settings for create.
    var deviceName: ServiceInstanceName?
    var identity: FilePath?
    var fingerprint: FingerprintText?
    var lifetime = PayloadLifetime.standard
    var wantsText = false
    // Settings for read.
    var verifies = true
    // Settings for render.
    var format: Format?
    var isFull = false
    var scale: PixelScale?
  }

  /// How large a module is drawn; the largest symbol at the largest scale is a picture of 16 MB.
  struct PixelScale: OptionValue {
    static var valueName: String { "N" }
    static var expectation: String { "a whole number from 1 to 64" }

    var value: Int

    init(value: Int) { self.value = value }

    init?(argument: String) {
      guard let number = PositiveCount(argument: argument), number.value <= 64 else { return nil }
      value = number.value
    }
  }

  /// The image format of a symbol.
  enum Format: String, OptionChoice {
    case terminal, png, svg, code
    static var valueName: String { "FORMAT" }
  }

  private static let file = Operands<Settings>("[FILE]", count: 0...1) { $1.file = $0.first ?? "-" }

  private static let now = Option<Settings>.value("now", "Use TIME as the current time.") {
    $0.now = $1
  }

  private static let output = Option<Settings>.value(
    "output", short: "o", "Write to FILE, which only its owner can read (0600), instead of standard output."
  ) { $0.output = $1.path == "-" || OpenStream.number($1.path) == 1 ? nil : $1 }

  private static let create = Command(
    "create", "make a payload, one JSON line",
    discussion: [
      "Version 2 needs the fingerprint of this device's key, by which the scanner recognizes this device. "
        + "--identity reads the fingerprint and the device's name from the output of peerpair identity."
    ],
    settings: Settings(),
    options: [
      .value(
        "protocol",
        "Pair with this protocol version: 2, or 1 for apps that support only version 1 (default: 2)."
      ) {
        $0.version = $1
      },
      .value("identity", "Read name and fingerprint from FILE, a line of peerpair identity.") {
        $0.identity = $1
      },
      .value(
        "fingerprint", "Use this SHA-256 of this device's public key instead of --identity; version 2 only."
      ) {
        $0.fingerprint = $1
      },
      .value("device-name", "Add this name of the device; without it the scanner accepts any name.") {
        $0.deviceName = $1
      },
      .value("expires-in", "Make the payload expire after this long, at most 24h (default: 5m).") {
        $0.lifetime = $1
      },
      .value("service", "Look for this service type (default: _appsync._tcp).") { $0.service = $1 },
      .flag("text", "Write the text of the QR symbol, Base64, instead of JSON.") { $0.wantsText = true },
      now, output,
    ],
    statuses: [.badData, .noInput, .system, .cannotCreate, .inputOutput, .refused],
    examples: [
      .init(
        "Make a payload that is valid for a minute:",
        "umask 077; qrpayload create --protocol 1 --expires-in 1m > payload.json")
    ],
    run: runCreate)

  private static let read = Command(
    "read", "check and print a payload",
    discussion: [
      "read accepts the text of a QR symbol, or the JSON that create writes, and prints it as JSON. With "
        + "status 1, the diagnostic has the reason: invalidQRCodePayload, expiredPairingPayload, "
        + "incompatibleProtocolVersion, wrongServiceType or weakSecret. If the payload may seem expired only "
        + "because a clock is ahead, the JSON diagnostic has clockSkewSeconds."
    ],
    settings: Settings(),
    options: [
      .value("protocol", "Accept only this protocol version (default: 1 or 2).") { $0.version = $1 },
      .value("service", "Accept only this service type (default: _appsync._tcp).") { $0.service = $1 },
      .flag("no-verify", "Print one object with the payload and all problems, even if there are problems.") {
        $0.verifies = false
      },
      now,
    ],
    operands: file, statuses: [.no, .noInput, .inputOutput, .refused],
    examples: [
      .init(
        "Check a scanned text, and keep the payload:",
        "umask 077; qrpayload read < scanned.txt > payload.json")
    ],
    run: runRead)

  private static let render = Command(
    "render", "draw a payload as a QR symbol",
    discussion: [
      "On a terminal the symbol is dark on light, independent of the terminal's colours, with the margin "
        + "that scanners need. NO_COLOR has no effect, because the symbol needs two colours."
    ],
    settings: Settings(),
    options: [
      .value(
        "format",
        "Draw a png, an svg or terminal text, or write the code to type. The default depends on the "
          + "extension of --output: png for .png, svg for .svg, otherwise terminal."
      ) { $0.format = $1 },
      .flag(
        "full", "On a terminal, draw with spaces only: twice as large, for fonts whose blocks leave gaps."
      ) {
        $0.isFull = true
      },
      .value("scale", named: "N", "Draw each module of a picture with N pixels (default: 8).") {
        $0.scale = $1
      },
      output,
    ],
    operands: file, statuses: [.no, .noInput, .unavailable, .cannotCreate, .inputOutput, .refused],
    examples: [
      .init(
        "Draw a new payload as a picture:", "qrpayload create --protocol 1 | qrpayload render -o payload.png"),
      .init(
        "Write the code to type:",
        "umask 077; peerpair identity | qrpayload create --identity - | qrpayload render --format code > code.txt"
      ),
    ],
    run: runRender)
}
