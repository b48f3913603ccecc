import CommandLine
import CoreInputs
import PairingInputs
import SyncCore

/// The command line of `qrpayload`.
enum QrpayloadTool {
  static let command = Command(
    "qrpayload", "make, read and draw the QR payload of a pairing",
    discussion: [
      "A pairing payload names a session, the service to look for, a secret of 128 random bits and the time until "
        + "which it is good. Who has read it can pair: show it to nobody else, and keep it in a file that only you "
        + "can read.",
      "create makes one, render draws it as a QR symbol, read says what a scanned text holds and whether to pair by "
        + "it.",
    ],
    subcommands: [create, read, render])

  struct Settings: Sendable {
    var file = "-"
    var service = ServiceType(ServiceTypeName.peers)
    var version: ProtocolVersion?
    var now: Instant?
    var output: FilePath?
    // Of create.
    var deviceName: ServiceInstanceName?
    var identity: FilePath?
    var fingerprint: FingerprintText?
    var lifetime = PayloadLifetime.standard
    var wantsText = false
    // Of read.
    var verifies = true
    // Of render.
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

  private static let now = Option<Settings>.value("now", "The present, in place of the clock.") {
    $0.now = $1
  }

  private static let output = Option<Settings>.value(
    "output", short: "o", "Write to FILE, which only its owner can read (0600), in place of standard output."
  ) { $0.output = $1 }

  private static let create = Command(
    "create", "make a payload: one JSON line",
    discussion: [
      "Version 2 needs the fingerprint of this device's key, by which the scanner knows that it speaks to no other "
        + "device. --identity takes it, with the device's name, from what peerpair identity prints."
    ],
    settings: Settings(),
    options: [
      .value(
        "protocol", "The protocol version to pair by: 2 (the default), or 1 for apps that have no other."
      ) {
        $0.version = $1
      },
      .value("identity", "Take name and fingerprint from FILE, which has a line of peerpair identity.") {
        $0.identity = $1
      },
      .value(
        "fingerprint", "The SHA-256 of this device's public key, in place of --identity; version 2 only."
      ) {
        $0.fingerprint = $1
      },
      .value("device-name", "The name under which this device is found; any name will do without it.") {
        $0.deviceName = $1
      },
      .value("expires-in", "How long the payload is good, up to 24h; the default is 5m.") {
        $0.lifetime = $1
      },
      .value("service", "The service type to look for; the default is _appsync._tcp.") { $0.service = $1 },
      .flag("text", "Write what the QR symbol holds, Base64, in place of JSON.") { $0.wantsText = true },
      now, output,
    ],
    statuses: [.badData, .noInput, .system, .cannotCreate, .inputOutput, .refused],
    examples: [
      .init(
        "Make a payload that is good for a minute:",
        "umask 077; qrpayload create --protocol 1 --expires-in 1m > payload.json")
    ],
    run: runCreate)

  private static let read = Command(
    "read", "say what a payload holds, and whether to pair by it",
    discussion: [
      "Reads the text of a QR symbol, or the JSON that create writes, and prints it as JSON. With status 1 the "
        + "diagnostic has the reason: invalidQRCodePayload, expiredPairingPayload, incompatibleProtocolVersion, "
        + "wrongServiceType or weakSecret. Where a clock that is ahead would explain why the payload has expired, the "
        + "diagnostic has clockSkewSeconds in JSON."
    ],
    settings: Settings(),
    options: [
      .value("protocol", "The only protocol version to accept; without it, 1 or 2.") { $0.version = $1 },
      .value("service", "The only service type to accept; the default is _appsync._tcp.") { $0.service = $1 },
      .flag("no-verify", "Print the payload and all problems, one object, whatever they are.") {
        $0.verifies = false
      },
      now,
    ],
    operands: file, statuses: [.no, .noInput, .inputOutput, .refused],
    examples: [
      .init(
        "Check what a scanner has read, and keep it:",
        "umask 077; qrpayload read < scanned.txt > payload.json")
    ],
    run: runRead)

  private static let render = Command(
    "render", "draw a payload as a QR symbol",
    discussion: [
      "On a terminal the symbol is dark on light, whatever the terminal's colours are, with the margin that scanners "
        + "need. NO_COLOR makes no difference: without its two colours it would be no symbol."
    ],
    settings: Settings(),
    options: [
      .value(
        "format",
        "Draw for a terminal, as png or svg, or write the code for people to type; without it, as the name of the "
          + "--output file ends: .png, .svg, or .txt and no ending for a terminal."
      ) { $0.format = $1 },
      .flag(
        "full", "On a terminal, draw with blanks alone: twice as large, for fonts whose blocks leave gaps."
      ) {
        $0.isFull = true
      },
      .value("scale", named: "N", "Pixels a module in a picture; the default is 8.") { $0.scale = $1 },
      output,
    ],
    operands: file, statuses: [.no, .noInput, .unavailable, .cannotCreate, .inputOutput, .refused],
    examples: [
      .init(
        "Draw a new payload as a picture:", "qrpayload create --protocol 1 | qrpayload render -o payload.png"),
      .init(
        "The same for people to type:",
        "umask 077; peerpair identity | qrpayload create --identity - | qrpayload render --format code > code.txt"
      ),
    ],
    run: runRender)
}
