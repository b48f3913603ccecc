import CommandLine
import CoreInputs
import JSONLines
import Links
import PairingInputs
import Pairing
import SyncCore

/// The command line of `peerpair`.
enum PeerpairTool {
  static let command = Command(
    "peerpair", "identity of this device, pairing, and the peers that it trusts",
    discussion: [
      "A device has a key of its own, made once, and trusts the keys of the peers that it has paired with. provide and "
        + "scan are the two sides of a pairing, run by peerlink; the rest looks after the list of trusted peers.",
      "PEER is an id, the beginning of one with at least 4 characters, or a name, where only one peer has it.",
      "Identity and trust are kept in $PEERSYNC_HOME, else in peersync below $XDG_CONFIG_HOME or ~/.config, pairing "
        + "sessions below $XDG_STATE_HOME or ~/.local/state; in files that only their owner can read, or they are "
        + "refused.",
    ],
    subcommands: [identity, list, show, forget, export, importing, provide, scan])

  struct IdentitySettings: Sendable {
    var deviceName: ServiceInstanceName?
  }

  /// Of `forget` and `import`: a peer or a file.
  struct ChangeSettings: Sendable {
    var operand = "-"
    var isDryRun = false
  }

  /// Of `provide` and `scan`.
  struct PairingSettings: Sendable {
    var payload: SecretSource?
    var timeout = Duration.seconds(30)
    var now: Instant?
  }

  private static let identity = Command(
    "identity", "print who this device is, as one JSON line",
    discussion: ["Makes a key and an id where there are none yet. The private key never leaves its file."],
    settings: IdentitySettings(),
    options: [
      .value("device-name", "Call the device NAME from now on; at first it has the name of the machine.") {
        $0.deviceName = $1
      }
    ],
    statuses: statuses,
    examples: [
      .init("Give this device a name:", "peerpair identity --device-name Study > identity.json"),
      .init(
        "Show the QR symbol of a pairing with this device:",
        "peerpair identity | qrpayload create --identity - --output payload.json"),
    ],
    run: wrapped(runIdentity))

  private static let list = Command(
    "list", "print the trusted peers, a JSON line each", settings: ListingSettings(), options: Option.json,
    statuses: statuses,
    examples: [.init("Names of the peers:", "peerpair list | jq -r .deviceName")], run: wrapped(runList))

  private static let show = Command(
    "show", "print one trusted peer as a JSON line", settings: "", options: [],
    operands: Operands("PEER", count: 1...1, completion: .peers) { $1 = $0[0] }, statuses: statuses,
    examples: [.init("The pin of a peer:", "peerpair show Tablet | jq -r .publicKeyFingerprint")],
    run: wrapped(runShow))

  private static let forget = Command(
    "forget", "trust a peer no more, and print what was known about it",
    discussion: ["Before a peer with a new key can be paired, the old one has to be forgotten."],
    settings: ChangeSettings(), options: [dryRun],
    operands: Operands("PEER", count: 1...1, completion: .peers) { $1.operand = $0[0] },
    statuses: statuses,
    examples: [.init("A device that was lost:", "peerpair forget Tablet > forgotten.json")],
    run: wrapped(runForget))

  private static let export = Command(
    "export", "print trusted peers for import elsewhere", settings: [String](), options: [],
    operands: Operands("[PEER...]", count: 0...Int.max, completion: .peers) { $1 = $0 }, statuses: statuses,
    examples: [.init("All peers, to be kept with the key:", "peerpair export > trust.jsonl")],
    run: wrapped(runExport))

  private static let importing = Command(
    "import", "trust the peers of an export",
    discussion: [
      "All of them, or none where one contradicts what is known: the same id with another key, the same key with "
        + "another id, or this device itself. Whoever has written the file decides whom this device trusts."
    ],
    settings: ChangeSettings(), options: [dryRun],
    operands: Operands("[FILE]", count: 0...1) { $1.operand = $0.first ?? "-" }, statuses: statuses,
    examples: [.init("On a machine set up anew:", "peerpair import trust.jsonl")], run: wrapped(runImport))

  private static let provide = Command(
    "provide", "pair with whoever has the payload that this device shows",
    discussion: [conversation], settings: PairingSettings(), options: conversationOptions,
    statuses: conversationStatuses,
    examples: [
      .init(
        "Wait for whoever scans the symbol:",
        "peerlink listen --quiet --once --port 27413 --allow-unpaired --session payload.json -- "
          + "frame exec -- peerpair provide --payload payload.json &")
    ],
    run: wrapped { try runPairing(.provider, $0, on: $1) })

  private static let scan = Command(
    "scan", "pair with the device whose payload was scanned",
    discussion: [conversation], settings: PairingSettings(), options: conversationOptions,
    statuses: conversationStatuses,
    examples: [
      .init(
        "Pair with the device whose symbol it is, at an address:",
        "peerlink connect --allow-unpaired --session payload.json 127.0.0.1:27413 -- "
          + "frame exec -- peerpair scan --payload payload.json")
    ],
    run: wrapped { try runPairing(.scanner, $0, on: $1) })

  // MARK: Parts

  /// Errors of trust and transport become diagnostics.
  private static func wrapped<Settings>(
    _ run: @escaping @Sendable (Settings, Console) throws -> ExitStatus
  ) -> @Sendable (Settings, Console) throws -> ExitStatus {
    { settings, console in try Diagnostic.wrapping { try run(settings, console) } }
  }

  private static let statuses: [ExitStatus] = [
    .noInput, .badData, .system, .cannotCreate, .inputOutput, .tryAgain, .refused,
  ]

  private static let conversationStatuses: [ExitStatus] = statuses + [.protocolBroken]

  private static let dryRun = Option<ChangeSettings>.flag(
    "dry-run", "Print what would be done, and change nothing."
  ) {
    $0.isDryRun = true
  }

  private static let conversation =
    "Reads the other side's messages from standard input and writes its own to standard output, a line each. What the "
    + "connection is comes from peerlink, in PEERLINK_PROTOCOL, PEERLINK_SELF_ID, PEERLINK_FINGERPRINT and "
    + "PEERLINK_EXPORTER; without them it refuses (77). Three wrong proofs end a session, and only the first scanner "
    + "whose proof was right can go on in it. With status 75 a scanner may try again until the payload expires."

  private static let conversationOptions: [Option<PairingSettings>] = [
    .value(
      "payload", named: "FILE|env:NAME",
      "The payload, from a file that only its owner can read, an open descriptor (/dev/fd/3) or the environment "
        + "(env:NAME). Not from standard input, which is the other side's."
    ) { $0.payload = $1 },
    .value("timeout", "Give the other side so long for all it has to say; the default is 30s.") {
      $0.timeout = $1
    },
    .value("now", "The present, in place of the clock.") { $0.now = $1 },
  ]
}
