import CommandLine
import CommonInputs
import JSONLines
import Server
import SyncCore
import SystemIO
import RecordInputs

/// The command line of `syncserve`.
enum SyncserveTool {
  static let command = Command(
    "syncserve", "keep the records of households on a server",
    discussion: [
      "run answers HTTP requests for changes, from 'peersync run https://…' or from curl. Each household has its "
        + "own store, and a key opens one household. household makes stores, and key makes keys.",
      "With --store FILE the server has one household with the name home. With --store FOLDER/ each "
        + "household has the file NAME.db in the folder. Both are ordinary stores that synclog can use. The "
        + "keys are beside them, in FILE.server or FOLDER/server.",
      "With --store postgresql://… all households are in a PostgreSQL database, and --keys names the folder "
        + "of the keys. The tables are made when first needed. Several servers can use one database; see "
        + "docs/formats/postgresql.md.",
    ],
    subcommands: [run, household, key, pushes, devices, status, dump, backup, prune, compact, move])

  struct PlaceSettings: PlaceConfigurable, ListingConfigurable {
    var store = StoreSettings()
    var listing = ListingSettings()
    var place: FilePath?
    var name = ""
    var tellsLosers: Bool?
    var database = DatabaseSettings()
  }

  struct RunSettings: PlaceConfigurable {
    var store = StoreSettings()
    var place: FilePath?
    var listen = ListenAddress.default
    var maxBody = ByteSize(bytes: HTTPServer.Limits().body)
    var quota: ByteSize?
    var database = DatabaseSettings()
  }

  private static let run = Command(
    "run", "answer requests until a signal",
    discussion: [
      "docs/formats/changes.md describes GET /changes and POST /changes; docs/formats/planner.md describes GET "
        + "/sync and POST /sync for an app that plans chores. GET /openapi.json describes all requests. GET "
        + "/health reports whether the server is up.",
      "GET / is a page for a browser. When the browser requires a name and a password, enter any name, and a "
        + "key as the password. GET /metrics has numbers for Prometheus. Both show the household of the key.",
      "The server does not use TLS: put a proxy such as nginx or Caddy in front of it. Therefore it listens on "
        + "127.0.0.1 by default.",
      "The server writes one JSON line per request, with up to 300 bytes of the path. For requests without a "
        + "key, it writes up to 100 lines at once and 10 per second. It leaves out lines for which a pipe "
        + "does not have room. A line with the member omitted has the number of requests that were left out. "
        + "At a signal, the server answers the pending requests, for at most 10s.",
    ],
    settings: RunSettings(),
    options: Option.place + [
      .value("listen", "Listen on HOST:PORT or unix:PATH (default: 127.0.0.1:8477).") {
        $0.listen = $1
      },
      .value("max-body", "Refuse request bodies above SIZE (default: 64M).") { $0.maxBody = $1 },
      .value(
        "quota",
        "Limit the store of each household to SIZE, at least 1M, not counting the log beside it (default: no limit)."
      ) {
        $0.quota = $1
      },
    ] + Option.drift + Option.maxDelete,
    statuses: [.badData, .noInput, .unavailable, .system, .inputOutput, .tryAgain, .refused, .configuration],
    examples: [
      .init(
        "Try it on one machine:",
        "syncserve run --store server/ --listen 127.0.0.1:8477 > access.jsonl &")
    ],
    run: runServer)

  // MARK: Households

  private static let household = Command(
    "household", "make, list and set up households",
    subcommands: [
      Command(
        "add", "make the store of a household",
        discussion: ["NAME consists of up to 63 lower-case letters, digits and hyphens."],
        settings: PlaceSettings(), options: Option.place,
        operands: Operands("NAME", count: 1...1, completion: .nothing) { $1.name = $0[0] },
        statuses: [.badData, .cannotCreate, .inputOutput, .tryAgain],
        examples: [
          .init("Make a household:", "syncserve household add home --store server/ > household.json")
        ],
        run: runAdd),
      Command(
        "list", "print the households", settings: PlaceSettings(), options: Option.json + Option.place,
        statuses: [.badData, .noInput, .inputOutput],
        examples: [.init("List all households:", "syncserve household list --store server/")], run: runList),
      Command(
        "set", "set the events that members are notified of", settings: PlaceSettings(),
        options: [
          .flag("tell-loser", "Also notify a member who loses a turn.") {
            $0.tellsLosers = true
          },
          .flag("no-tell-loser", "Do not notify a member who loses a turn (the initial setting).") {
            $0.tellsLosers = false
          },
        ] + Option.place,
        operands: Operands("NAME", count: 1...1, completion: .nothing) { $1.name = $0[0] },
        statuses: [.badData, .noInput, .inputOutput, .tryAgain],
        examples: [
          .init(
            "Notify members who lose a turn:",
            "syncserve household set home --tell-loser --store server/ > household.json")
        ],
        run: runSet),
      Command(
        "remove", "remove a household from the server",
        discussion: ["remove revokes the keys, and keeps the store under the name that it prints."],
        settings: PlaceSettings(), options: Option.place,
        operands: Operands("NAME", count: 1...1, completion: .nothing) { $1.name = $0[0] },
        statuses: [.badData, .noInput, .inputOutput, .tryAgain, .refused],
        examples: [
          .init(
            "Remove a household that has moved:",
            "syncserve household remove home --store server/ > removed.json")
        ],
        run: runRemove),
    ])

  // MARK: Keys

  struct KeySettings: PlaceConfigurable, ListingConfigurable {
    var store = StoreSettings()
    var listing = ListingSettings()
    var place: FilePath?
    var household: String?
    var member: String?
    var device: String?
    var isReadOnly = false
    var lifetime: Duration?
    var overlap = Duration.zero
    var id = ""
    var database = DatabaseSettings()
  }

  private static let key = Command(
    "key", "make and revoke keys",
    discussion: [
      "A key is a text that opens one household. It is printed once, when it is made, and is not stored on the "
        + "server."
    ],
    subcommands: [
      Command(
        "create", "make a key and print it",
        discussion: [
          "create prints one line, the key. Write the key to a file that only you can read, for 'peersync "
            + "remote add --key-file'."
        ],
        settings: KeySettings(),
        options: [
          .value(
            "household", named: "NAME", "Make a key for this household; required if the server has several."
          ) {
            $0.household = $1
          },
          .value("member", named: "MEMBER", "Make a key for this member of the household.") {
            $0.member = $1
          },
          .value("device", named: "NAME", "Note the device that uses the key, to distinguish keys.") {
            $0.device = $1
          },
          .flag("read-only", "Make a key that can read but not write.") { $0.isReadOnly = true },
          .value("expires-in", "Make the key expire after this long, such as 365d (default: never).") {
            $0.lifetime = $1
          },
        ] + Option.place,
        statuses: keyStatuses,
        examples: [
          .init(
            "Make a key for a phone:",
            "umask 077; syncserve key create --household home --device phone --store server/ > phone.key")
        ],
        run: runCreate),
      Command(
        "list", "print the keys' details",
        discussion: [
          "list prints one JSON line per key, without the key itself. The line has keyId, household, "
            + "readOnly, createdAt, and the origin of the changes that the key sends. If they apply, it also "
            + "has member, device, expiresAt, revokedAt and revoked. revokedAt is the time at which the key "
            + "becomes invalid; rotate sets a later time. revoked is true after key revoke."
        ],
        settings: KeySettings(), options: Option.json + Option.place, statuses: keyStatuses,
        examples: [.init("List all keys:", "syncserve key list --store server/ > keys.jsonl")], run: runKeys),
      Command(
        "revoke", "make a key invalid",
        discussion: ["The key is invalid from the next request on. KEYID is the id that list prints."],
        settings: KeySettings(), options: Option.place,
        operands: Operands("KEYID", count: 1...1, completion: .nothing) { $1.id = $0[0] },
        statuses: keyStatuses,
        examples: [
          .init(
            "Revoke the key of a lost phone:",
            "\(idOfPhone)\nsyncserve key revoke \"$(cat id)\" --store server/ > revoked.json"
          )
        ],
        run: runRevoke),
      Command(
        "rotate", "replace a key with a new one",
        discussion: [
          "The new key has the rights and checkpoints of the old one, so records are not sent twice."
        ],
        settings: KeySettings(),
        options: [
          .value("overlap", "Keep the old key valid for this long (default: 0s).") { $0.overlap = $1 }
        ] + Option.place,
        operands: Operands("KEYID", count: 1...1, completion: .nothing) { $1.id = $0[0] },
        statuses: keyStatuses,
        examples: [
          .init(
            "Replace a key, with a week of overlap:",
            "\(idOfPhone)\numask 077; syncserve key rotate --store server/ --overlap 7d \"$(cat id)\" > new.key"
          )
        ],
        run: runRotate),
    ])

  /// Writes the id of the phone's key, which is not the key itself.
  private static let idOfPhone =
    "syncserve key list --store server/ | "
    + "jq -r 'select(.device == \"phone\" and .revokedAt == null).keyId' > id"

  private static let keyStatuses: [ExitStatus] = [
    .badData, .noInput, .cannotCreate, .inputOutput, .tryAgain, .refused,
  ]
}

/// The address that a server listens on.
enum ListenAddress: OptionValue, Equatable {
  case port(host: String, port: Int)
  case path(String)

  static let `default` = ListenAddress.port(host: "127.0.0.1", port: 8_477)
  static var valueName: String { "ADDRESS" }
  static var expectation: String { "HOST:PORT or unix:PATH" }

  init?(argument: String) {
    if argument.hasPrefix("unix:") {
      guard argument.count > 5 else { return nil }
      self = .path(String(argument.dropFirst(5)))
      return
    }
    guard let colon = argument.lastIndex(of: ":"),
      let port = UInt16(argument[argument.index(after: colon)...])
    else { return nil }
    var host = argument[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { return nil }
    self = .port(host: String(host), port: Int(port))
  }

  /// Whether only this machine can reach the address.
  var isLocal: Bool {
    switch self {
    case .port(let host, _):
      host == "localhost" || host == "::1"
        || host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isNumber }
    case .path: true
    }
  }

  func open() throws(SystemError) -> HTTPListener {
    switch self {
    case .port(let host, let port): try HTTPListener(host: host, port: port)
    case .path(let path): try HTTPListener(path: path)
    }
  }
}
