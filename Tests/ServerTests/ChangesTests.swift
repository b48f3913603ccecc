import JSONLines
import Remotes
@testable import Server
import ServerProtocol
import Store
import SyncCore
import SystemIO
import TestSupport
import Testing

/// The answers of `/changes`.
@Suite(.onEveryEngine) struct ChangesTests {
  private let server: TestServer
  private let client: HTTPClient
  private static let line =
    #"{"entityName":"Task","identity":{"id":"1"},"modifiedAt":"2025-05-01T00:00:00.000Z","fields":{"title":"a"}}"#

  init() throws {
    server = try TestServer()
    client = try server.client()
  }

  private func get(_ query: String = "", store: String? = nil) throws -> HTTPClient.Answer {
    try client.send(
      "GET", "/changes" + query, store.map { [.init(ChangesHeader.store, $0)] } ?? [], body: nil)
  }

  private func post(_ lines: String..., query: String = "", store: String? = nil) throws -> HTTPClient.Answer
  {
    let text = lines.map { $0 + "\n" }.joined()
    return try client.send(
      "POST", "/changes" + query, store.map { [.init(ChangesHeader.store, $0)] } ?? [], body: Array(text.utf8)
    )
  }

  private func value(_ answer: HTTPClient.Answer) -> JSONValue? { try? JSONValue(parsing: answer.body.span) }
  private func lines(_ answer: HTTPClient.Answer) -> [Substring] {
    String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
  }

  private func token(_ answer: HTTPClient.Answer) throws -> String {
    try #require(try ChangesBody(parsing: answer.body).token).percentEncoded
  }

  @Test func whatIsGivenIsToldToOthers() throws {
    let given = try post(Self.line, #"{"newTokenData":"AQ=="}"#)
    #expect(given.status == 200 && value(given)?["taken"]?.intValue == 1)
    let told = try get()
    #expect(lines(told).first.map(String.init) == Self.line && lines(told).count == 2)
    #expect(lines(try get("?since=\(token(told))")).count == 1)
    // The same again is not a change.
    #expect(value(try post(Self.line))?["same"]?.intValue == 1)
  }

  /// Clients write members in different orders; two that post their records again and again make no changes.
  @Test func equalContentIsNoChange() throws {
    let lines = [#"{"b":2,"a":1}"#, #"{"a":1,"b":2}"#].map {
      Self.line.replacing(#"{"title":"a"}"#, with: $0)
    }
    #expect(value(try post(lines[0]))?["taken"]?.intValue == 1)
    let sequence = try server.store().currentToken().sequence
    for line in lines + lines {
      let report = try #require(value(try post(line)))
      #expect(report["same"]?.intValue == 1 && report["lost"]?.intValue == 0)
    }
    #expect(try server.store().currentToken().sequence == sequence)
    // A store has the same bytes as the server, or one of both changes.
    let store = "00000000-0000-4000-8000-000000000001"
    let reports = try lines.map { try #require(value(try post($0, store: store))) }
    #expect(reports.map { $0["same"]?.intValue } == [1, 0])
  }

  @Test func aBadLineIsNamedAndTheRestGoesIn() throws {
    let other = Self.line.replacing(#""1""#, with: #""2""#)
    let deep = String(repeating: "[", count: 1_000_000)
    let answer = try post(Self.line, "{", #"{"a":1}"#, other, deep, "\u{0}")
    #expect(answer.status == 200)
    let report = try #require(value(answer))
    #expect(report["taken"]?.intValue == 2 && report["quarantined"]?.intValue == 4)
    #expect(report["badLines"]?.arrayValue?.compactMap { $0["line"]?.intValue } == [2, 3, 5, 6])
    #expect(try server.store().quarantineCount() == 4)
  }

  /// `synclog apply` skips blank lines too, and counts them only for the numbers of lines.
  @Test func blankLinesAreSkipped() throws {
    let answer = try post("", " ", Self.line, "", "\t\r", "{", "", #"{"newTokenData":"AQ=="}"#, "", "")
    let report = try #require(value(answer))
    #expect(report["taken"]?.intValue == 1 && report["quarantined"]?.intValue == 1)
    #expect(report["badLines"]?.arrayValue?.compactMap { $0["line"]?.intValue } == [6])
    #expect(report["newTokenData"]?.stringValue == "AQ==")
    let blank = try client.send(
      "POST", "/changes", [], body: [UInt8](repeating: 10, count: 1_000_000))
    let counts = try #require(value(blank)?.objectValue)
    #expect(blank.status == 200 && counts.allSatisfy { $0.value == .integer(0) })
    #expect(try server.store().quarantineCount() == 1)
  }

  @Test func keys() throws {
    func status(_ method: String, _ key: String) throws -> Int {
      try server.client(key).send(method, "/changes", [], body: method == "POST" ? [] : nil).status
    }
    #expect(try status("GET", server.key) == 200 && status("POST", server.key) == 200)
    #expect(try status("GET", server.readOnlyKey) == 200 && status("POST", server.readOnlyKey) == 403)
    #expect(
      try status("GET", "ps1.\(server.household).0000000000000001.x") == 401 && status("GET", "") == 401)
    try server.ring.change { $0[0].revokedAt = TestServer.now }
    #expect(try status("GET", server.key) == 401)
    #expect(try client.send("GET", "/health", [], body: nil).status == 200)
  }

  @Test func placesThatAreNot() throws {
    #expect(try client.send("GET", "/none", [], body: nil).status == 404)
    #expect(try client.send("POST", "/health", [], body: []).status == 405)
    #expect(
      try get("?since=%25").status == 400 && get("?wait=x").status == 400 && get("?max-bytes=0").status == 400
    )
    #expect(try get(store: "x").status == 400)
    #expect(try get("?since=a&since=").status == 400)
    let store = RequestHead.Field(ChangesHeader.store, "00000000-0000-4000-8000-000000000001")
    #expect(try client.send("GET", "/changes", [store, store], body: nil).status == 400)
    let foreign = try get("?since=AQIDBA==")
    #expect(foreign.status == 410 && value(foreign)?["error"]?["code"]?.stringValue == "tokenForeign")
  }

  @Test func pagesLeadOn() throws {
    for id in 1...20 { _ = try post(Self.line.replacing(#""1""#, with: "\"\(id)\"")) }
    var (found, path): (Int, String?) = (0, "/changes?max-bytes=300")
    var pages = 0
    while let next = path {
      let answer = try client.send("GET", next, [], body: nil)
      found += lines(answer).count - 1
      pages += 1
      path = answer["Link"].map { String($0.dropFirst().prefix { $0 != ">" }) }
    }
    #expect(found == 20 && pages == 10)
  }

  /// The number of the others would cost a count of all of them for each page.
  @Test func whatFollowsAPageIsNotCounted() throws {
    for id in 1...3 { _ = try post(Self.line.replacing(#""1""#, with: "\"\(id)\"")) }
    let rules = HouseholdRules(server.places) { TestServer.now }
    let household = try HouseholdStores(rules).household(server.household)
    let answer = try household.asPeerStore(rules, peer: "a", continuing: false) {
      (try $0.page(PageRequest(since: nil, limit: 1), forPeer: "a"), goesOn: false)
    }
    guard case .page(let page) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(page.hasMore && page.remaining == 0)
  }

  /// Otherwise a success would hide that the changes are not stored.
  @Test func aBodyThatWouldBeLostIsRefused() throws {
    let store = "00000000-0000-4000-8000-000000000001"
    #expect(try post(Self.line, query: "?disown=1", store: store).status == 422)
    #expect(try post(query: "?disown=1", store: store).status == 200)
    for (coding, status) in [("gzip", 415), ("Identity", 200)] {
      let answer = try client.send(
        "POST", "/changes", [.init("Content-Encoding", coding)], body: Array((Self.line + "\n").utf8))
      #expect(answer.status == status)
    }
    #expect(try server.store().currentToken().sequence == 1)
  }

  /// A further store reads, but leaves nothing in the household.
  @Test func aKeyHasSoManyStores() throws {
    let store = try server.store()
    let most = ChangesRequest.mostStores
    func id(_ number: Int) -> String { "00000000-0000-4000-8000-\(String(100_000_000_000 + number))" }
    try store.write {
      for number in 1...most {
        _ = try store.peer(seen: "0000000000000001.\(id(number))", now: TestServer.now)
      }
    }
    let told = try get(store: id(0))
    #expect(try told.status == 200 && store.peers().count == most)
    #expect(try get("?since=\(token(told))", store: id(0)).status == 200 && store.peers().count == most)
    let refused = try post(Self.line, store: id(0))
    #expect(refused.status == 403 && value(refused)?["error"]?["code"] == "refusedByPeer")
    #expect(try post(query: "?disown=1", store: id(0)).status == 403)
    #expect(try store.peers().count == most && store.currentToken().sequence == 0)
    // The others go on, and so do other keys.
    #expect(try post(Self.line, store: id(1)).status == 200 && post(Self.line).status == 200)
    let other = [RequestHead.Field(ChangesHeader.store, id(0))]
    #expect(try server.client(server.readOnlyKey).send("GET", "/changes", other, body: nil).status == 200)
    #expect(try store.peers().count == most + 2)
  }

  @Test func aWaitEndsWithAChange() throws {
    let since = try token(get())
    let call = server.wait(since)
    // The request must wait first: it is not answered in the meantime.
    SystemClock.sleep(.milliseconds(300))
    #expect(call.outcome == nil)
    _ = try post(Self.line)
    while call.outcome == nil { SystemClock.sleep(.milliseconds(5)) }
    #expect(try call.outcome?.get().body.count ?? 0 > 100)
  }

  @Test func aKeyThatEndsMeanwhileIsToldNothing() throws {
    let since = try token(get())
    let call = server.wait(since)
    SystemClock.sleep(.milliseconds(300))
    try server.ring.change { $0[0].revokedAt = TestServer.now }
    // Only the revoked key ends the wait.
    while call.outcome == nil { SystemClock.sleep(.milliseconds(5)) }
    #expect(try call.outcome?.get().status == 401)
  }

  /// Written by another program into the same file.
  @Test func aWaitSeesWhatOthersWrite() throws {
    let since = try token(get())
    let call = server.wait(since)
    let device = try TestDevice(server.store())
    try device.put(Self.line)
    while call.outcome == nil { SystemClock.sleep(.milliseconds(5)) }
    #expect(try call.outcome?.get().body.count ?? 0 > 100)
  }

  /// Equal requests share an answer; a client known to the server has its own.
  @Test func eachWhoWaitsIsToldTheSame() throws {
    let me = "00000000-0000-4000-8000-000000000001"
    _ = try post(Self.line, #"{"newTokenData":"AQ=="}"#, store: me)
    let since = try token(get())
    let strangers = [server.wait(since), server.wait(since), server.wait(since, key: server.readOnlyKey)]
    let known = server.wait("\(since)&acked=AQ==", store: me)
    SystemClock.sleep(.milliseconds(300))
    let other = Self.line.replacing(#""1""#, with: #""2""#)
    _ = try post(other, store: "00000000-0000-4000-8000-000000000002")
    for call in strangers + [known] {
      while call.outcome == nil { SystemClock.sleep(.milliseconds(5)) }
      let answer = try #require(try call.outcome?.get())
      #expect(lines(answer).first.map(String.init) == other && lines(answer).count == 2)
    }
    #expect(try known.outcome?.get()[ChangesHeader.checkpoint] == "AQ==")
    #expect(try strangers[0].outcome?.get()[ChangesHeader.checkpoint] == nil)
  }

  @Test func theNewestWaitEndsTheOldest() throws {
    let since = try token(get())
    var calls: [BackgroundCall<HTTPClient.Answer>] = []
    for _ in 0..<5 {
      calls.append(server.wait(since))
      SystemClock.sleep(.milliseconds(50))
    }
    while calls.allSatisfy({ $0.outcome == nil }) { SystemClock.sleep(.milliseconds(5)) }
    #expect(calls.count { $0.outcome == nil } == 4)
    server.end()
    // A server that stops leaves nobody waiting.
    while !calls.allSatisfy({ $0.outcome != nil }) { SystemClock.sleep(.milliseconds(5)) }
    for call in calls { #expect(try call.outcome?.get().body.count ?? 0 > 0) }
  }

  /// `since` confirms the read changes only for a client that names its store.
  @Test func theCheckpointsAreOnBothSides() throws {
    let me = "00000000-0000-4000-8000-000000000001"
    _ = try post(Self.line, #"{"newTokenData":"AQ=="}"#, store: me)
    let first = try get(store: me)
    #expect(first[ChangesHeader.checkpoint] == "AQ==" && first[ChangesHeader.acknowledged] == nil)
    let token = try #require(try ChangesBody(parsing: first.body).token)
    let second = try get("?since=\(token.percentEncoded)", store: me)
    #expect(second[ChangesHeader.acknowledged] == token)
    #expect(try get(store: "00000000-0000-4000-8000-000000000002")[ChangesHeader.checkpoint] == nil)
    // Changes that came from there are not sent back, while it knows that they have been read.
    #expect(lines(try get("?acked=AQ==", store: me)).count == 1)
    #expect(lines(try get("?acked=Ag==", store: me)).count == 2)
  }

  /// Answers repeat tokens in their heads, which have a limited size.
  @Test func tokensHaveALimitedLength() throws {
    let me = "00000000-0000-4000-8000-000000000001"
    for id in 1...2 { _ = try post(Self.line.replacing(#""1""#, with: "\"\(id)\"")) }
    let (longest, longer) = (String(repeating: "////", count: 256), String(repeating: "////", count: 257))
    #expect(try post(#"{"newTokenData":"\#(longest)"}"#, store: me).status == 200)
    let page = try get("?max-bytes=1&acked=\(longest.percentEncoded)", store: me)
    #expect(page.status == 200 && page[ChangesHeader.checkpoint] == longest && page["Link"] != nil)
    #expect(try post(#"{"newTokenData":"\#(longer)"}"#, store: me).status == 422)
    #expect(try get("?acked=\(longer)", store: me).status == 400)
    #expect(try get(store: me)[ChangesHeader.checkpoint] == longest)
  }

  /// A client may also read between the pages of a complete answer that it sends.
  @Test func readingDoesNotEndACompleteAnswer() throws {
    let me = "00000000-0000-4000-8000-000000000001"
    let facts = #"{"resync":{"heldToken":"","quarantinedKeys":[]}}"#
    let other = Self.line.replacing(#""1""#, with: #""2""#)
    #expect(try post(facts, Self.line, query: "?more=1&resync=1", store: me).status == 200)
    #expect(try get(store: me).status == 200)
    #expect(try post(other, query: "?resync=1", store: me).status == 200)
    #expect(lines(try get()).count == 3)
  }
}
