import JSONLines
import ServerProtocol
package import SyncCore
import SystemIO

/// Requests to the REST interface of a Firestore database.
///
/// <https://cloud.google.com/firestore/docs/reference/rest/v1/projects.databases.documents>
package final class FirestoreClient {
  let path: CollectionPath
  private let credentials: GoogleKey?
  private let patience: Duration
  private let host: String
  private let now: () -> Instant
  private var transport: HTTPClient?
  private var expiry = Instant.epoch
  /// The bytes of the connections that used earlier tokens.
  private var counted = (received: 0, sent: 0)

  /// `keyFile` may be nil only for an emulator.
  package init(
    _ path: CollectionPath, keyFile: String?, emulator: String?, patience: Duration,
    now: @escaping () -> Instant
  ) throws {
    (self.path, self.patience, self.now) = (path, patience, now)
    host = emulator.map { "http://\($0)" } ?? "https://firestore.googleapis.com"
    // Send secrets unencrypted only to this machine.
    let isSafe = emulator == nil || ServerAddress.url(host) != nil
    credentials = isSafe ? try keyFile.map { try GoogleKey(contentsOf: $0) } : nil
    if keyFile == nil, emulator == nil {
      throw Diagnostic(
        .notReadable, "a Firestore remote needs the key of a service account, or a token",
        hint: "name its file: peersync remote add --key-file FILE \(path.word)")
    }
  }

  /// The address of an emulator, from the environment variable that Google's own libraries read too.
  package static func emulator(_ environment: (String) -> String?) throws -> String? {
    guard let word = environment("FIRESTORE_EMULATOR_HOST"), !word.isEmpty else { return nil }
    let port = word.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
    let host = word.dropLast(port.utf8.count)
    guard host.utf8.count > 1, host.hasSuffix(":"), let number = UInt16(port), number > 0,
      host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !host.contains(where: { "/?#@\\".contains($0) })
    else {
      throw Diagnostic(
        .invalidOptionValue, "FIRESTORE_EMULATOR_HOST is '\(word.shown(upTo: 100))', not HOST:PORT",
        hint:
          "for an emulator on this machine: FIRESTORE_EMULATOR_HOST=127.0.0.1:8080; unset it for Google's service"
      )
    }
    return word
  }

  var bytes: (received: Int, sent: Int) {
    (counted.received + (transport?.received ?? 0), counted.sent + (transport?.sent ?? 0))
  }

  /// The seconds by which the server's clock is ahead of ours; nil before the first answer.
  var clockAhead: Int? { transport?.clockAhead }

  /// Sends a small query to check the permissions.
  package func look() throws { _ = try documents(Query(isOfNames: true, limit: 1)) }

  // MARK: Requests

  /// One step of a query.
  struct Query {
    var orders: [String] = ["__name__"]
    /// Values of the fields in `orders` after which the query begins.
    var after: [JSONValue] = []
    /// The lowest value of the first order.
    var least: JSONValue?
    /// Whether the query is for the documents that stores write beside the collection.
    var isBeside = false
    /// Whether the last documents come first.
    var isReversed = false
    /// Whether only names are returned.
    var isOfNames = false
    var limit: Int
  }

  /// The documents of a query, and the server's time of the answer.
  func documents(_ query: Query) throws -> (found: [Document], time: String, isLast: Bool) {
    var query = query
    while true {
      do {
        let answer = try send(":runQuery", below: path.parent, ["structuredQuery": structured(query)])
        let parts = answer.arrayValue ?? []
        guard let time = parts.compactMap({ $0["readTime"]?.stringValue }).first, Document.isTime(time) else {
          throw Diagnostic(.protocolBroken, "an answer to a query without a time")
        }
        let values = parts.compactMap { $0["document"] }
        let found = values.compactMap { Document($0, of: query.isBeside ? path.checkpointPath : path.path) }
        guard found.count == values.count else {
          throw Diagnostic(.protocolBroken, "an answer has an invalid document, or one of another collection")
        }
        return (found, time, found.count < query.limit)
      } catch let error as Diagnostic where error.code == .messageTooLarge && query.limit > 1 {
        query.limit = max(1, query.limit / 8)
      }
    }
  }

  private func structured(_ query: Query) -> JSONValue {
    var members: [JSONMember] = []
    if query.isOfNames { members.append(.init("select", ["fields": [["fieldPath": "__name__"]]])) }
    let collection = query.isBeside ? path.checkpoints : path.collection
    members.append(.init("from", [["collectionId": .string(collection)]]))
    if let least = query.least {
      members.append(
        .init(
          "where",
          [
            "fieldFilter": [
              "field": ["fieldPath": .string(query.orders[0])], "op": "GREATER_THAN_OR_EQUAL", "value": least,
            ]
          ]))
    }
    let direction: JSONValue = query.isReversed ? "DESCENDING" : "ASCENDING"
    members.append(
      .init(
        "orderBy", .array(query.orders.map { ["field": ["fieldPath": .string($0)], "direction": direction] }))
    )
    if !query.after.isEmpty {
      members.append(.init("startAt", ["values": .array(query.after), "before": false]))
    }
    members.append(.init("limit", .integer(query.limit)))
    return .object(members)
  }

  /// The number of documents in the collection.
  func count() throws -> Int {
    let answer = try send(
      ":runAggregationQuery", below: path.parent,
      [
        "structuredAggregationQuery": [
          "structuredQuery": ["from": [["collectionId": .string(path.collection)]]],
          "aggregations": [["alias": "n", "count": [:]]],
        ]
      ])
    let counts = (answer.arrayValue ?? []).compactMap {
      $0["result"]?["aggregateFields"]?["n"]?["integerValue"]
    }
    guard let count = counts.first?.stringValue.flatMap({ Int($0) }) ?? counts.first?.intValue else {
      throw Diagnostic(.protocolBroken, "an answer without the number of documents")
    }
    return count
  }

  /// The existing documents with these ids, by id.
  func documents(_ ids: [String]) throws -> [DocumentID: Document] { try documents(ids, of: path.path) }

  /// The documents with these ids that stores have written beside the collection.
  func beside(_ ids: [String]) throws -> [DocumentID: Document] {
    try documents(ids, of: path.checkpointPath)
  }

  private func documents(_ ids: [String], of collection: String) throws -> [DocumentID: Document] {
    var found: [DocumentID: Document] = [:]
    var (rest, count) = (ids[...], 100)
    while !rest.isEmpty {
      let names = rest.prefix(count).map { JSONValue.string("\(path.root)/\(collection)/\($0)") }
      do {
        for document in try get(names, of: collection) { found[DocumentID(document.id)] = document }
        rest = rest.dropFirst(count)
      } catch let error as Diagnostic where error.code == .messageTooLarge && count > 1 {
        count = max(1, count / 8)
      }
    }
    return found
  }

  /// The agreement of the stores that sync with the collection; nil before it was written.
  package func agreement() throws -> CollectionAgreement? {
    try beside([CollectionAgreement.id]).values.first.flatMap { CollectionAgreement($0) }
  }

  private func get(_ names: [JSONValue], of collection: String) throws -> [Document] {
    let answer = try send(":batchGet", below: [], ["documents": .array(names)])
    let told = (answer.arrayValue ?? []).count { $0["found"] != nil || $0["missing"] != nil }
    guard told == Set(names.map { Array($0.text.utf8) }).count else {
      throw Diagnostic(.protocolBroken, "an answer with documents other than those requested")
    }
    return (answer.arrayValue ?? []).compactMap { $0["found"].flatMap { Document($0, of: collection) } }
  }

  /// The outcome of a commit that the service has understood.
  enum CommitOutcome {
    /// The time of each write, which is the new time of its document.
    case done([String?])
    /// Another writer has changed a document in the meantime.
    case overtaken
    /// The service does not accept one of the writes.
    case invalid(String)
  }

  func commit(_ writes: [JSONValue]) throws -> CommitOutcome {
    do {
      let answer = try send(":commit", below: [], ["writes": .array(writes)])
      let results = answer["writeResults"]?.arrayValue ?? []
      guard results.count == writes.count else {
        throw Diagnostic(.protocolBroken, "an answer without the results of all writes")
      }
      return .done(results.map { $0["updateTime"]?.stringValue.flatMap { Document.isTime($0) ? $0 : nil } })
    } catch let error as ServiceError {
      switch error.status {
      case "FAILED_PRECONDITION", "ALREADY_EXISTS", "NOT_FOUND", "ABORTED": return .overtaken
      case "INVALID_ARGUMENT": return .invalid(error.message)
      default: throw error.diagnostic
      }
    }
  }

  // MARK: Answers

  /// An error in an answer, in the service's own words.
  private struct ServiceError: Error {
    var diagnostic: Diagnostic
    var status: String
    var message: String
  }

  private func send(_ method: String, below parent: [String], _ body: JSONValue) throws -> JSONValue {
    let place = path.root + parent.map { "/\($0.percentEncoded)" }.joined()
    let text = Array(body.text.utf8)
    var isRenewed = false
    while true {
      let answer = try authorized().send("POST", "/v1/\(place)\(method)", [], body: text)
      if answer.status == 200 {
        guard let value = try? JSONValue(parsing: answer.body.span) else {
          throw Diagnostic(.protocolBroken, "the service's answer is not JSON")
        }
        // A streamed answer may end early, with an error as its last part.
        if value["error"] == nil, value.arrayValue?.contains(where: { $0["error"] != nil }) != true {
          return value
        }
        throw Diagnostic(.connectionLost, "Firestore's answer was cut off")
      }
      // A token may be revoked before it expires.
      if answer.status == 401, !isRenewed, case .account? = credentials {
        (isRenewed, expiry) = (true, .epoch)
        continue
      }
      let error = failure(answer)
      if method == ":commit" { throw error }
      throw error.diagnostic
    }
  }

  /// The connection, with a token that does not expire soon.
  private func authorized() throws -> HTTPClient {
    let time = now()
    if let transport, time < expiry { return transport }
    var token = "owner"
    expiry = time.advanced(by: .seconds(86_400))
    switch credentials {
    case .token(let text)?: token = text
    case .account(let account)?:
      let fresh = try account.token(now: time, patience: patience)
      token = fresh.text
      expiry = time.advanced(by: .seconds(max(60, min(max(fresh.seconds, 0), 86_400) - 300)))
    case nil: break
    }
    var settings = HTTPClient.Settings(url: host, key: token)
    (settings.patience, settings.contentType) = (patience, "application/json")
    settings.largestAnswer = 32 << 20
    settings.absence = "check that this machine is online, and that Firestore runs at \(host)"
    counted = bytes
    transport = nil
    let client = try HTTPClient(settings)
    transport = client
    return client
  }

  private func failure(_ answer: HTTPClient.Answer) -> ServiceError {
    let value = try? JSONValue(parsing: answer.body.span)
    // In a streamed answer, the error is in an array.
    let error = value?["error"] ?? value?.arrayValue?.first?["error"]
    let words = (error?["message"]?.stringValue ?? "status \(answer.status)").shown(upTo: 800)
    let status = error?["status"]?.stringValue ?? ""
    let message = "Firestore answers: \(words)"
    var diagnostic =
      switch answer.status {
      case 401:
        Diagnostic(
          .refusedByPeer, message,
          hint: "a token is valid for an hour; the key of a service account does not expire")
      case 403:
        Diagnostic(
          .refusedByPeer, message,
          hint: "give the account the role Cloud Datastore User, or use '--direction pull', which only reads")
      case 404:
        Diagnostic(.unknownPeer, message, hint: "check that '\(path.project)' is the id of the project")
      case 400 where status == "FAILED_PRECONDITION":
        Diagnostic(
          .peerError, message,
          hint:
            "enable Firestore's index for '\(Document.note).at', which exists by default"
        )
      case 409, 429, 500...:
        Diagnostic(
          .peerBusy, message,
          hint: answer.status == 429
            ? "a quota is used up: run the command again later" : "run the command again to continue")
      default: Diagnostic(.peerError, message)
      }
    diagnostic.retryAfter = answer.retryAfter
    return ServiceError(diagnostic: diagnostic, status: status, message: words)
  }
}

extension CollectionPath {
  package var url: String { "firestore://\(project)/\(segments.joined(separator: "/"))" }
}
