import CommandLine
import CommonInputs
import JSONLines
import Links
import PairingInputs
import Pairing
import SyncCore

/// The command line of `peerpair`.
enum PeerpairTool {
  static let command = Command(
    "peerpair", "manage the identity of this device, pairing, and trusted peers",
    discussion: [
      "A device has its own key, made once, and trusts the keys of its paired peers. provide and scan are "
        + "the two sides of a pairing, run by peerlink; the other commands manage the list of trusted peers.",
      "PEER is an id (at least its first 4 characters), or a name that only one peer has.",
      "Identity and trust are kept in $PEERSYNC_HOME, else in peersync below $XDG_CONFIG_HOME or ~/.config. "
        + "Pairing sessions are kept below $XDG_STATE_HOME or ~/.local/state. Files that anyone but their owner "
        + "can read are refused.",
    ],
    subcommands: [identity, list, show, forget, export, importing, provide, scan])

  struct IdentitySettings: Sendable {
    var deviceName: ServiceInstanceName?
  }

  /// The settings of `forget` and `import`: a peer or a file.
  struct ChangeSettings: Sendable {
    var operand = "-"
    var isDryRun = false
  }

  /// The settings of `provide` and `scan`.
  struct PairingSettings: Sendable {
    var payload: SecretSource?
    var timeout = Duration.seconds(30)
    var now: Instant?
  }

  private static let identity = Command(
    "identity", "print the identity of this device as one JSON line",
    discussion: [
      "identity makes a key and an id if they do not exist yet and no peer is trusted. The private key never "
        + "leaves its file."
    ],
    settings: IdentitySettings(),
    options: [
      .value(
        "device-name", "Name this device NAME from now on (default for a new identity: the machine's name)."
      ) { $0.deviceName = $1 }
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
    "list", "print the trusted peers, one JSON line each", settings: ListingSettings(), options: Option.json,
    statuses: statuses,
    examples: [.init("Print the names of the peers:", "peerpair list | jq -r .deviceName")],
    run: wrapped(runList))

  private static let show = Command(
    "show", "print one trusted peer as a JSON line", settings: "", options: [],
    operands: Operands("PEER", count: 1...1, completion: .peers) { $1 = $0[0] }, statuses: statuses,
    examples: [
      .init("Print the fingerprint of a peer's key:", "peerpair show Tablet | jq -r .publicKeyFingerprint")
    ],
    run: wrapped(runShow))

  private static let forget = Command(
    "forget", "remove a trusted peer, and print its record",
    discussion: ["Forget a peer before you pair with it again under a new key."],
    settings: ChangeSettings(), options: [dryRun],
    operands: Operands("PEER", count: 1...1, completion: .peers) { $1.operand = $0[0] },
    statuses: statuses,
    examples: [.init("Forget a lost device:", "peerpair forget Tablet > forgotten.json")],
    run: wrapped(runForget))

  private static let export = Command(
    "export", "print trusted peers for import elsewhere", settings: [String](), options: [],
    operands: Operands("[PEER...]", count: 0...Int.max, completion: .peers) { $1 = $0 }, statuses: statuses,
    examples: [.init("Keep a backup of all peers:", "peerpair export > trust.jsonl")],
    run: wrapped(runExport))

  private static let importing = Command(
    "import", "trust the peers of an export",
    discussion: [
      "import adds all peers of the file. It fails without adding peers if one of them is this device itself "
        + "or contradicts a known peer. A peer contradicts a known one if only one of id and key is the "
        + "same. The author of the file decides whom this device trusts. On a new machine, run 'peerpair "
        + "identity' first, because a device with trusted peers does not make a key."
    ],
    settings: ChangeSettings(), options: [dryRun],
    operands: Operands("[FILE]", count: 0...1) { $1.operand = $0.first ?? "-" }, statuses: statuses,
    examples: [.init("Trust the same peers on a new machine:", "peerpair import trust.jsonl")],
    run: wrapped(runImport))

  private static let provide = Command(
    "provide", "pair with a device that has scanned this device's payload",
    discussion: [conversation], settings: PairingSettings(), options: conversationOptions,
    statuses: conversationStatuses,
    examples: [
      .init(
        "Wait for a device that scans the symbol:",
        "peerlink listen --quiet --once --port 27413 --allow-unpaired --session payload.json -- "
          + "frame exec -- peerpair provide --payload payload.json &")
    ],
    run: wrapped { try runPairing(.provider, $0, on: $1) })

  private static let scan = Command(
    "scan", "pair with a device after scanning its payload",
    discussion: [conversation], settings: PairingSettings(), options: conversationOptions,
    statuses: conversationStatuses,
    examples: [
      .init(
        "Pair with the device that showed the symbol, at an address:",
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
    "dry-run", "Print the changes without making them."
  ) {
    $0.isDryRun = true
  }

  private static let conversation =
    "The command reads the other side's messages from standard input and writes its own to standard output, "
    + "one per line. peerlink describes the connection in PEERLINK_PROTOCOL, PEERLINK_SELF_ID, "
    + "PEERLINK_FINGERPRINT and PEERLINK_EXPORTER; without them the exit status is 77. Three wrong proofs "
    + "end a session. Only the first scanner with a valid proof can continue the session. After status 75 a "
    + "scanner may retry until the payload expires."

  private static let conversationOptions: [Option<PairingSettings>] = [
    .value(
      "payload", named: "FILE|env:NAME",
      "Read the payload from a file that only its owner can read, an open descriptor (/dev/fd/3) or the "
        + "environment (env:NAME). Standard input is for the other side's messages."
    ) { $0.payload = $1 },
    .value("timeout", "Give up if the pairing takes longer than this (default: 30s).") {
      $0.timeout = $1
    },
    .value("now", "Use TIME as the current time.") { $0.now = $1 },
  ]
}
