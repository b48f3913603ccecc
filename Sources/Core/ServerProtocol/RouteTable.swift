import JSONLines
import SyncCore

/// The routes of a server, by path.
///
/// One table defines the router, `/openapi.json` and the tables of the documents.
package enum ServerRoute: String, CaseIterable, Sendable {
  case page = "/"
  case health = "/health"
  case openAPI = "/openapi.json"
  case metrics = "/metrics"
  case changes = "/changes"
  case sync = "/sync"
  case devices = "/devices"

  /// The credentials that a route requires.
  package enum Door: Sendable {
    case everybody
    /// `Authorization: Bearer KEY`.
    case key
    /// The key as above, or in HTTP Basic as the password, which browsers support.
    case browser
  }

  package var door: Door {
    switch self {
    case .health, .openAPI: .everybody
    case .page: .browser
    case .metrics, .changes, .sync, .devices: .key
    }
  }

  /// The maximum body in bytes if it is less than `--max-body`; its parsed form takes much more memory.
  package var longestBody: Int? {
    switch self {
    case .sync: 16 << 20
    case .devices: 64 << 10
    case .page, .health, .openAPI, .metrics, .changes: nil
    }
  }

  package func operation(_ method: String) -> RouteOperation? { operations.first { $0.method == method } }

  package var methods: [String] { operations.map(\.method) }

  package var operations: [RouteOperation] {
    switch self {
    case .page: [.reading(self, "the status page of the household, in HTML", "text/html")].withHead
    case .health: [.reading(self, "`{\"status\":\"ok\"}`", "application/json", Schemas.health)].withHead
    case .openAPI:
      [.reading(self, "this table as an OpenAPI document", "application/json", ["type": "object"])].withHead
    case .metrics:
      [.reading(self, "numbers of the household, in Prometheus' text format", "text/plain")].withHead
    case .changes: Self.ofChanges
    case .sync: Self.ofSync
    case .devices: Self.ofDevices
    }
  }

  // MARK: /changes

  private static let store = RouteField(
    ChangesHeader.store, .uuid,
    "the id of the client's store. With it, `since` also confirms the changes read so far, and the "
      + "checkpoints belong to this store. Without it, nothing is confirmed, and `syncserve compact` keeps "
      + "deletions for 400 days (`--keep-deletions`)"
  )
  private static let rules = RouteField(
    ChangesHeader.rules, .digest,
    "the SHA-256 of the merge rules. If both sides have rules and they differ, the answer is 409")

  private static let checkpoint = RouteField(
    ChangesHeader.checkpoint, .token,
    "the token of the page before. If the server's checkpoint differs from it, and from the token in the body, "
      + "the answer is 409")

  private static let ofChanges: [RouteOperation] = [
    RouteOperation(
      "GET", "the changes after `since`, then a checkpoint line",
      query: [
        RouteField(
          "since", .token,
          "the token of the last checkpoint line; if it is missing or empty, all changes are sent"),
        RouteField(
          "wait", .whole,
          "seconds to wait for a change, at most 55. At most four requests of a key wait. A fifth request "
            + "ends the wait of the oldest"
        ),
        RouteField(
          "max-bytes", .positive,
          "the size of a page in bytes (default: 1 MiB; at most 4 MiB). A page has at least one "
            + "change"),
        RouteField(
          "rules", .choice(["1"]), "the body begins with `{\"rules\":{…}}`, if the household has rules"),
        RouteField(
          "resync", .choice(["1", "2"]),
          "with `1`, the page is the first one of a complete answer; it begins with `{\"resync\":{\"heldToken\":\"…\",\"quarantinedKeys\":[…]}}` (see [dialogue.md](dialogue.md)). With `2`, it is a later page"
        ),
        RouteField(
          "acked", .token,
          "the last `Peersync-Checkpoint` that the client knows. The client's own changes are left out only "
            + "with this parameter"),
      ], headers: [store, rules],
      answers: [
        .init(200, "changes, one per line", "application/jsonl"), .problem(409, "other merge rules"),
        .problem(410, "the token is no longer valid; ask without `since`"),
      ]),
    RouteOperation(
      "HEAD",
      "the headers below. The server does not read changes, so `Link` is missing and "
        + "`Content-Length` is 0",
      headers: [store, rules],
      answers: [.init(200, "only headers"), .init(409, "other merge rules")]),
    RouteOperation(
      "POST", "the outcomes of the changes in the body",
      query: [
        RouteField(
          "more", .choice(["1"]),
          "more requests of the same push follow. Deletions are held until the end of the push, and are "
            + "counted then. If they are too many, the server also refuses later requests of the key. "
            + "`synclog peers forget` on the household's store discards the held deletions"
        ),
        RouteField("resync", .choice(["1"]), "the body is a page of a complete answer"),
        RouteField(
          "disown", .choice(["1"]),
          "the server sends all changes of this client again to every client, including this one. The "
            + "body is empty"
        ),
      ], headers: [store, rules, checkpoint], body: .init("application/jsonl"),
      answers: [
        .init(200, "counts", "application/json", Schemas.taken),
        .problem(409, "other merge rules, or a page that continues a page that the server does not have"),
        .problem(413, "a body above `--max-body`"),
        .problem(422, "a body that cannot be read, or more deletions than the server's `--max-delete`"),
      ]),
  ]

  // MARK: /sync and /devices

  private static let prefer = RouteField(
    "Prefer", .words,
    "`handling=strict`: a bad record fails the push. `deletions`: the answer has deletions only in `deletions`"
  )

  private static let ofSync: [RouteOperation] =
    [
      RouteOperation(
        "GET", "the changes after the revision `since`",
        query: [RouteField("since", .revision, "0 or a missing value requests all records")],
        headers: [prefer],
        answers: [
          .init(200, "records", "application/json", Schemas.snapshot),
          .problem(409, "the household merges by other rules than `chores`"),
        ])
    ].withHead + [
      RouteOperation(
        "POST",
        "stores the records of the body; answers as `GET` with `since` = `baseRevision`, and with "
          + "the outcome of each record",
        headers: [prefer], body: .init("application/json", Schemas.push),
        answers: [
          .init(200, "records", "application/json", Schemas.snapshot),
          .problem(409, "the household merges by other rules than `chores`"),
          .problem(413, "a body above 16 MiB, or `--max-body`, or more records than a household can have"),
          .problem(422, "a body that is not a JSON object of this form; with `handling=strict` a bad record"),
        ])
    ]

  private static let largeDevice = RouteOperation.Answer.problem(413, "a body above 64 KiB, or `--max-body`")

  private static let ofDevices: [RouteOperation] = [
    RouteOperation(
      "POST",
      "registers a device of a member. If the member does not exist, the answer is 400. A token that is already "
        + "registered moves to this member",
      body: .init("application/json", Schemas.device),
      answers: [
        .init(200, "the device", "application/json", Schemas.device), largeDevice,
        .problem(422, "a body that is not a JSON object of this form"),
      ]),
    RouteOperation(
      "DELETE",
      "the device is no longer notified. With `memberID` or `addedAt`, it stays if it belongs to another "
        + "member, or was registered again after that time",
      body: .init("application/json", Schemas.deviceRemoval),
      answers: [
        .init(204, "done, even if the device was unknown or stays"), largeDevice,
        .problem(422, "a body that is not a JSON object of this form"),
      ]),
  ]
}
