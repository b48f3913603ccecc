import Crypto
import JSONLines
import ServerProtocol
import Store
import SyncCore

/// A request that reads or sends changes, and its answer.
struct ChangesRequest {
  private let exchange: HTTPExchange
  /// The store's name for the other side: one for each combination of a key and a client's store.
  let peer: String
  private let origin: String
  private let hasStore: Bool

  init(_ exchange: HTTPExchange, _ admission: SyncServer.Admission) {
    self.exchange = exchange
    let store = exchange.head[ChangesHeader.store].flatMap { UUIDText($0) }
    hasStore = store != nil
    origin = admission.key.origin
    peer = store.map { "\(admission.key.origin).\($0)" } ?? admission.key.origin
  }

  /// The maximum number of client stores with one key; it is limited because each has its own rows and
  /// quarantine.
  static let mostStores = 1_000

  private func hasRoom(in store: ChangeStore) throws -> Bool {
    try store.peers().count { $0.id.hasPrefix(origin + ".") } < Self.mostStores
  }

  // MARK: GET and HEAD

  /// The state of the household for this client, as headers without a body.
  func facts(of household: OpenHousehold) throws -> HTTPResponse {
    if let refusal = try refusal(ofRules: household) { return refusal }
    return HTTPResponse(200, try Self.fields(household.store, peer, hasStore) + Self.form)
  }

  /// The headers common to all pages.
  private static let form: [RequestHead.Field] = [
    .init("Content-Type", "application/jsonl")
  ]

  /// The refusal of a client with other merge rules; nil if they agree.
  private func refusal(ofRules household: OpenHousehold) throws -> HTTPResponse? {
    guard let digest = exchange.head[ChangesHeader.rules], let present = try household.store.rules(),
      try present.rulesDigest() != digest
    else { return nil }
    let remedy =
      present.hasSameRules(as: .chores)
      ? "the household has the profile chores; on the device: synclog rules set --profile chores"
      : "on the server: syncserve backup --household \(household.name) --store PLACE copy.db; "
        + "synclog rules show --store copy.db > rules.json; then on the device, with that file: "
        + "synclog rules set --profile rules.json"
    return .error(
      409, Diagnostic(.rulesDiffer, "the household merges by other rules", hint: remedy))
  }

  /// The answer; for an empty answer also the sequence read so far, so that the request can wait for changes.
  func give(
    from household: OpenHousehold, _ rules: HouseholdRules
  ) throws -> KnownAnswers.Answer {
    if let refusal = try refusal(ofRules: household) { return (refusal, nil) }
    let head = exchange.head
    let since = Self.token(head, "since") ?? ""
    var request = PageRequest(since: nil, limit: DialogueSettings.loopPage)
    if !since.isEmpty { request.since = TokenText.bytes(since) }
    if let size = head.query("max-bytes").flatMap({ Int($0) }) {
      request.limit = min(size, DialogueSettings.defaultPage)
    }
    (request.isResync, request.wantsRules) = (head.query("resync") == "1", head.query("rules") == "1")
    request.acked = Self.token(head, "acked").flatMap { TokenText.bytes($0) }
    let isContinued = head.query("resync") != nil
    let isKnown = try hasStore && household.store.peer(known: peer) != nil
    // Clients that the store does not note can read too.
    let isNoted = try isKnown || hasStore && hasRoom(in: household.store)
    var session = try household.peerStore(rules)
    if isNoted, let since = request.since, !isContinued {
      try noting { try acknowledge(since, &session) }
    } else if isNoted, !isKnown {
      try noting { try household.store.write { _ = try household.store.peer(seen: peer, now: rules.now()) } }
    }
    let fields = try Self.fields(household.store, peer, hasStore)
    switch try session.page(request, forPeer: peer) {
    case .busy: return (.busy(), nil)
    case .tokenForeign:
      return (.gone(.tokenForeign, "the token is from another store, or the store was restored", fields), nil)
    case .tokenExpired:
      return (.gone(.tokenExpired, "deletions after the token are no longer stored", fields), nil)
    case .page(let page):
      var response = HTTPResponse(200, fields + Self.form, ChangesBody(page).text)
      if page.hasMore { response.fields.append(.init("Link", "<\(next(page.token))>; rel=\"next\"")) }
      let isEmpty = page.lines.isEmpty && !page.hasMore
      return (response, isEmpty ? StoreToken(bytes: page.token)?.sequence : nil)
    }
  }

  /// The parts of the request that the answer depends on, without the household.
  ///
  /// The result is nil if the answer also depends on the client, or is one of several pages.
  var question: [String]? {
    let head = exchange.head
    guard !hasStore, head.method == "GET", head.query("resync") == nil else { return nil }
    return head.query.flatMap { [$0.name, $0.value] } + [head[ChangesHeader.rules] ?? ""]
  }

  /// The token in a query parameter; a plus sign that was not encoded arrives as a blank.
  private static func token(_ head: RequestHead, _ name: String) -> String? {
    head.query(name).map { String($0.map { $0 == " " ? "+" : $0 }) }
  }

  /// The URL of the same request for the next page.
  private func next(_ token: [UInt8]) -> String {
    var parts = ["since=\(TokenText.text(token).percentEncoded)"]
    for name in ["max-bytes", "resync", "acked"] {
      guard let value = exchange.head.query(name) else { continue }
      parts.append("\(name)=\((name == "resync" ? "2" : value).percentEncoded)")
    }
    return "/changes?" + parts.joined(separator: "&")
  }

  /// Stores an acknowledgement, unless it is the stored one.
  private func acknowledge(_ token: [UInt8], _ session: inout PeerStore) throws {
    if try session.acknowledged(byPeer: peer) == token { return }
    try session.acknowledge(token, byPeer: peer)
  }

  /// Notes the client or its progress in the store, if the store has room for it.
  ///
  /// From its first request on, deletions are kept until the client acknowledges them.
  private func noting(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch StoreError.full, StoreError.readOnly, StoreError.denied {
      // Ignore the error: the client can still read.
    }
  }

  private static func fields(
    _ store: ChangeStore, _ peer: String, _ hasStore: Bool
  ) throws -> [RequestHead.Field] {
    var fields = [RequestHead.Field(ChangesHeader.server, store.publicID)]
    if let rules = try store.rules() { fields.append(.init(ChangesHeader.rules, try rules.rulesDigest())) }
    guard hasStore, let known = try store.peer(known: peer) else { return fields }
    if let token = try store.checkpoint(known, .outgoing) {
      fields.append(.init(ChangesHeader.checkpoint, token))
    }
    if let token = try store.checkpoint(known, .incoming) {
      fields.append(.init(ChangesHeader.acknowledged, token))
    }
    return fields
  }

  // MARK: POST

  func perform(by household: OpenHousehold, _ rules: HouseholdRules) throws -> HTTPResponse {
    let head = exchange.head
    if hasStore, try household.store.peer(known: peer) == nil, try !hasRoom(in: household.store) {
      return .tooManyStores
    }
    if head.query("disown") == "1" {
      guard exchange.body.isEmpty else {
        return .error(422, Diagnostic(.wrongType, "with 'disown', the body must be empty"))
      }
      try household.asPeerStore(rules, peer: peer, continuing: false) {
        (try $0.disownChanges(fromPeer: peer), goesOn: false)
      }
      return .json(200, .object([.init("disowned", true)]))
    }
    let body = try ChangesBody(parsing: exchange.body)
    if let refusal = try refusal(ofRules: household) { return refusal }
    let hasMore = head.query("more") == "1"
    var page = ReceivedPage(lines: body.lines, token: body.token.flatMap { TokenText.bytes($0) } ?? [])
    page.hasMore = hasMore
    // If two clients repeatedly post the same records, that must not create new changes.
    if !hasStore { page.equality = .value }
    if head.query("resync") == "1" {
      page.mode = hasMore ? .resync(facts: body.resync) : .resyncEnd(facts: body.resync)
    }
    if let rules = body.rules {
      guard let shape = try? RecordShape(rules: rules.span) else {
        throw Diagnostic(.wrongType, "invalid 'rules'", line: 1)
      }
      if try household.store.rules() == nil { page.rules = shape }
    }
    let base = head[ChangesHeader.checkpoint].flatMap { TokenText.bytes($0) }
    let isComplete = page.mode != .merge
    return try household.asPeerStore(
      rules, peer: peer, continuing: isComplete && page.mode.facts == nil
    ) { session in
      if let base, !isComplete {
        let present = try session.checkpoint(onPeer: peer)
        // A page whose answer was lost is sent again.
        if present != base, present != page.token { return (.otherBase, goesOn: false) }
      }
      let answer = try session.apply(page, fromPeer: peer)
      let response: HTTPResponse
      switch answer {
      case .busy where isComplete && page.mode.facts == nil: response = .notUnderWay
      case .busy: response = .busy()
      case .refused:
        response = .error(
          422,
          Diagnostic(
            .tooManyDeletions, "more records would be deleted than the server allows",
            hint:
              "raise the limit with 'syncserve run --max-delete', or discard the deletions that are held for requests "
              + "with more=1: synclog peers forget"
          ))
      case .quarantineFull:
        response = .error(
          422, Diagnostic(.quarantineFull, "quarantine has no room for more changes"))
      case .applied(let quarantined, _):
        response = HTTPResponse.json(
          200,
          Self.report(
            session.lastPage.counts, quarantined, session.lastPage.aside, linesBefore: body.linesBefore,
            body.token))
      }
      return (response, goesOn: isComplete && hasMore && answer.isApplied)
    }
  }

  private static func report(
    _ counts: PeerIntake.Counts, _ quarantined: Int, _ aside: [PeerIntake.Aside], linesBefore: Int,
    _ token: String?
  ) -> JSONValue {
    var members: [JSONMember] = [
      .init("taken", .integer(counts.taken)), .init("deletions", .integer(counts.deletions)),
      .init("same", .integer(counts.same)), .init("lost", .integer(counts.lost)),
      .init("refused", .integer(counts.refused)), .init("quarantined", .integer(quarantined)),
    ]
    if !aside.isEmpty {
      members.append(
        .init(
          "badLines",
          .array(
            aside.map {
              .object([.init("line", .integer($0.line + linesBefore)), .init("code", .string($0.code))])
            })))
    }
    if let token { members.append(.init("newTokenData", .string(token))) }
    return .object(members)
  }
}

extension ApplyAnswer {
  fileprivate var isApplied: Bool { if case .applied = self { true } else { false } }
}

extension HTTPResponse {
  /// The answer to a page of an unknown session, for example after a restart of the server.
  fileprivate static var notUnderWay: HTTPResponse {
    error(
      409,
      Diagnostic(
        .peerBusy, "this page continues a complete answer whose beginning the server does not have",
        hint: "send the answer again from its first page, the one with 'resync'"))
  }

  /// The answer to a page that continues another checkpoint, for example after the server was restored.
  fileprivate static var otherBase: HTTPResponse {
    error(
      409,
      Diagnostic(
        .peerBusy, "this page continues a page that the server does not have",
        hint: "continue from the token in \(ChangesHeader.checkpoint) of a HEAD request"))
  }

  fileprivate static var tooManyStores: HTTPResponse {
    error(
      403,
      Diagnostic(
        .refusedByPeer, "the key has \(ChangesRequest.mostStores) stores already; use another key",
        hint: "'syncserve key create' makes a key; each device should have its own"))
  }

  /// The answer to a token that is no longer valid.
  fileprivate static func gone(_ code: ErrorCode, _ message: String, _ fields: [RequestHead.Field])
    -> HTTPResponse
  {
    var response = error(
      410,
      Diagnostic(
        code, message, hint: "request without 'since': all changes are sent, and it is safe to apply them"))
    response.fields += fields
    return response
  }
}
