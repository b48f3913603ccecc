import Foundation
import JSONLines
import Remotes
import Server
import ServerProtocol
@testable import Store
import SyncCore
import TestSupport
import Testing

/// `/sync`, request by request.
@Suite(.onEveryEngine) struct PlannerTests {
  static let template = "6F1B2C3D-0000-4000-8000-0000000000AA"

  static func template(_ more: String = "", at second: Int = 0, id: String = template) -> String {
    #"{"id":"\#(id)","title":"Dishes","cadenceUnitRaw":"weeks","cadenceValue":0,"leadTimeHours":12,"isActive":true,"createdAt":"2025-05-01T00:00:00Z","updatedAt":"2025-05-01T00:00:0\#(second)Z","syncRevision":0\#(more)}"#
  }

  static func occurrence(_ status: String, _ more: String = "") -> String {
    #"{"id":"6f1b2c3d-0000-4000-8000-0000000000bb","templateID":"\#(template)","dueDate":"2025-06-02T00:00:00Z","statusRaw":"\#(status)","scheduledAt":"2025-06-02T00:00:00Z","syncRevision":0\#(more)}"#
  }

  static func push(_ server: TestServer, _ body: String, _ prefer: String? = nil) throws -> (
    Int, JSONValue
  ) {
    let fields = prefer.map { [RequestHead.Field("Prefer", $0)] } ?? []
    let answer = try server.client().send("POST", "/sync", fields, body: Array(body.utf8))
    let text = answer.body
    return (answer.status, try JSONValue(parsing: text.span))
  }

  static func pull(
    _ server: TestServer, since revision: Int, _ fields: [RequestHead.Field] = [], key: String? = nil
  ) throws -> JSONValue {
    let text = try server.client(key).send("GET", "/sync?since=\(revision)", fields, body: nil).body
    return try JSONValue(parsing: text.span)
  }

  static func templates(_ list: String, base: Int = 0) -> String {
    #"{"baseRevision":\#(base),"templates":[\#(list)]}"#
  }

  static func revision(_ value: JSONValue) throws -> Int { try #require(value["revision"]?.intValue) }

  @Test func membersThatAreNotKnownStayAndThoseThatAreGoneAreCleared() throws {
    let server = try TestServer()
    defer { server.end() }
    _ = try Self.push(server, Self.templates(Self.template(#","details":"with soap","colour":"red""#)))
    let (_, answer) = try Self.push(server, Self.templates(Self.template(at: 1)))
    let told = try #require(answer["templates"]?.arrayValue?.first)
    #expect(told["colour"] == "red")
    #expect(told["details"] == nil)
    #expect(told["updatedAt"] == "2025-05-01T00:00:01Z")
  }

  @Test func equalRecordsAllotNoRevision() throws {
    let server = try TestServer()
    defer { server.end() }
    let (_, first) = try Self.push(server, Self.templates(Self.template()))
    let (_, second) = try Self.push(server, Self.templates(Self.template(id: Self.template.lowercased())))
    #expect(try Self.revision(first) == Self.revision(second))
    #expect(second["templates"]?.arrayValue?.first?["id"]?.stringValue == Self.template)
  }

  @Test func badRecordsAreRefusedOneByOne() throws {
    let server = try TestServer()
    defer { server.end() }
    let bad = [
      #"{"id":"no","title":"x"}"#, "7", Self.template(#","startDate":"tomorrow""#),
      Self.template(id: "6F1B2C3D-0000-4000-8000-0000000000AB"),
      #"{"id":"6F1B2C3D-0000-4000-8000-0000000000AC","updatedAt":"2999-01-01T00:00:00Z"}"#,
    ]
    let body = Self.templates(bad.joined(separator: ","))
    let (strict, _) = try Self.push(server, body, "handling=strict")
    #expect(strict == 422)
    #expect(try server.store().state.sequence == 0)
    let (status, answer) = try Self.push(server, body)
    #expect(status == 200)
    #expect(answer["templates"]?.arrayValue?.count == 1)
    let refused = try #require(answer["refused"]?.arrayValue)
    #expect(
      refused.map { $0["pointer"]?.stringValue } == [
        "/templates/0", "/templates/1", "/templates/2", "/templates/4",
      ])
    #expect(
      refused.map { $0["code"]?.stringValue } == ["wrongType", "notAnObject", "invalidDate", "clockAhead"])
  }

  @Test func whatIsDoneStaysDone() throws {
    let server = try TestServer()
    defer { server.end() }
    let done = Self.occurrence("completed", #","completedAt":"2025-05-31T10:00:00Z""#)
    _ = try Self.push(server, #"{"occurrences":[\#(Self.occurrence("pending"))]}"#)
    let (_, first) = try Self.push(server, #"{"occurrences":[\#(done)]}"#)
    let (_, second) = try Self.push(
      server, #"{"occurrences":[\#(Self.occurrence("pending"))],"baseRevision":\#(try Self.revision(first))}"#
    )
    #expect(second["occurrences"]?.arrayValue?.first?["statusRaw"] == "completed")
    #expect(try Self.revision(first) == Self.revision(second))
  }

  @Test func revisionOfAnotherHistoryTakesEverything() throws {
    let server = try TestServer()
    defer { server.end() }
    let (_, first) = try Self.push(server, Self.templates(Self.template()))
    let other = try Self.revision(first) ^ 1
    let told = try Self.revision(first)
    let clean = Self.template(at: 2).replacing(#""syncRevision":0"#, with: #""syncRevision":\#(told)"#)
    let (_, same) = try Self.push(server, Self.templates(clean, base: try Self.revision(first)))
    #expect(try Self.revision(same) == Self.revision(first))
    #expect(same["complete"] == false)
    let (_, foreign) = try Self.push(server, Self.templates(clean, base: other))
    #expect(foreign["complete"] == true)
    #expect(foreign["templates"]?.arrayValue?.first?["updatedAt"] == "2025-05-01T00:00:02Z")
  }

  /// The app asks before it pushes: its base is then from this store, but its records are not.
  @Test func recordsOfALostHistoryAreTakenAfterARead() throws {
    let server = try TestServer()
    defer { server.end() }
    _ = try Self.push(server, Self.templates(Self.template()))
    let backup = try server.store().bytes()
    let (_, second) = try Self.push(
      server, Self.templates(Self.template(id: "6F1B2C3D-0000-4000-8000-0000000000AB")))
    let lost = try #require(second["templates"]?.arrayValue?.last)
    try server.replaceStore(with: backup)
    // The app's records may be newer than the server's, so it gets no records until it has pushed.
    let pulled = try Self.pull(server, since: try Self.revision(second))
    #expect(pulled["pushFirst"] == true && pulled["complete"] == false)
    #expect(try pulled["templates"] == [] && Self.revision(pulled) == Self.revision(second))
    _ = try Self.push(server, Self.templates(lost.text, base: try Self.revision(pulled)))
    #expect(try Self.pull(server, since: 0)["templates"]?.arrayValue?.count == 2)
  }

  @Test func thousandsOfRevisionsAreCompared() throws {
    let server = try TestServer()
    defer { server.end() }
    _ = try Self.push(server, Self.templates(Self.template()))
    let store = try server.store()
    let own = try store.read { try store.revision() }
    let others = (1...2_000).map { Int64($0) << 20 | 7 }.filter { $0 != own } + [own ^ 1]
    let foreign = try store.read { try store.foreignRevisions(among: others + [own, 0, -1]) }
    #expect(foreign == Set(others))
  }

  /// Values that an app cannot receive, or receives in another form, are not lost when it pushes.
  @Test func valuesThatCannotBeToldStay() throws {
    let server = try TestServer()
    defer { server.end() }
    _ = try Self.push(server, "{}")
    let fields =
      #"{"id":"\#(Self.template)","title":"Bins","cadenceUnitRaw":"weeks","cadenceValue":1,"createdAt":1767254400,"leadTimeHours":2.5,"timeZone":"UTC"}"#
    let line =
      #"{"entityName":"Template","identity":{"id":"\#(Self.template)"},"modifiedAt":"2025-05-02T00:00:00Z","fields":\#(fields)}"#
    #expect(try server.client().send("POST", "/changes", [], body: Array(line.utf8)).status == 200)
    let told = try #require(try Self.pull(server, since: 0)["templates"]?.arrayValue?.first)
    #expect(told["createdAt"] == "2026-01-01T08:00:00Z")
    #expect(told["leadTimeHours"] == 3)
    let edited = told.text.replacing("Bins", with: "Bin").replacing(
      #""updatedAt":"2025-05-02T00:00:00Z""#, with: #""updatedAt":"2025-05-03T00:00:00Z""#
    )
    .replacing(/"syncRevision":[0-9]+/, with: #""syncRevision":0"#)
    let (_, answer) = try Self.push(server, Self.templates(edited))
    #expect(answer["refused"]?.arrayValue == [])
    let stored = try server.storedLines.first { $0.contains("Bin") } ?? ""
    #expect(stored.contains(#""title":"Bin","#))
    #expect(stored.contains(#""createdAt":1767254400"#))
    #expect(stored.contains(#""leadTimeHours":2.5"#))
    #expect(!stored.contains("isActive"))
  }

  @Test(arguments: [#","timeZone":"europe/paris""#, #","assignment":"foo""#, #","participantIDs":"x""#])
  func recordsThatCannotBePlannedAreRefused(_ more: String) throws {
    let server = try TestServer()
    defer { server.end() }
    let (status, answer) = try Self.push(server, Self.templates(Self.template(more)))
    #expect(status == 200)
    #expect(answer["refusedCount"] == 1)
    #expect(answer["templates"]?.arrayValue == [])
  }

  @Test func deletionsAreToldInTwoWays() throws {
    let server = try TestServer()
    defer { server.end() }
    let (_, first) = try Self.push(server, Self.templates(Self.template()))
    let deletion =
      #"{"entityName":"Template","identity":{"id":"\#(Self.template)"},"deletedAt":"2025-05-02T00:00:00Z"}"#
    #expect(try server.client().send("POST", "/changes", [], body: Array(deletion.utf8)).status == 200)
    let plain = try Self.pull(server, since: try Self.revision(first))
    #expect(plain["templates"]?.arrayValue?.first?["isActive"] == false)
    #expect(plain["deletions"]?.arrayValue?.first?["id"]?.stringValue == Self.template)
    let told = try Self.pull(server, since: try Self.revision(first), [.init("Prefer", "deletions")])
    #expect(told["templates"]?.arrayValue == [])
    #expect(told["deletions"]?.arrayValue?.count == 1)
    // With an unknown revision, a client that cannot push gets the deletions too.
    let foreign = try Self.pull(
      server, since: try Self.revision(first) ^ 1, key: server.readOnlyKey)
    #expect(foreign["complete"] == true)
    #expect(foreign["deletions"]?.arrayValue?.count == 1)
  }

  @Test func whoMayNotIsTold() throws {
    let server = try TestServer()
    defer { server.end() }
    #expect(
      try server.client(server.readOnlyKey).send("POST", "/sync", [], body: Array("{}".utf8)).status == 403)
    #expect(try server.client(server.readOnlyKey).send("GET", "/sync", [], body: nil).status == 200)
    #expect(try server.client("nothing").send("GET", "/sync", [], body: nil).status == 401)
  }

  @Test(arguments: [
    "[", "[]", #"{"baseRevision":-1}"#, #"{"templates":{}}"#, #"{"members":[],"members":[]}"#,
  ])
  func bodyThatIsNoneIsRefused(_ body: String) throws {
    let server = try TestServer()
    defer { server.end() }
    #expect(try Self.push(server, body).0 == 422)
  }

  /// The notifications for both members: each turn once, each completion for the other, and none twice.
  @Test func pushesAreWrittenDownOnce() throws {
    let server = try TestServer()
    defer { server.end() }
    let (ann, ben) = ("6F1B2C3D-0000-4000-8000-00000000000A", "6F1B2C3D-0000-4000-8000-00000000000B")
    let members = [ann, ben].map {
      #"{"id":"\#($0)","displayName":"x","createdAt":"2025-05-01T00:00:00Z","updatedAt":"2025-05-01T00:00:00Z"}"#
    }
    let template = Self.template().replacing(#""cadenceValue":0"#, with: #""cadenceValue":1"#)
    let body = #"{"members":[\#(members.joined(separator: ","))],"templates":[\#(template)]}"#
    let (_, first) = try Self.push(server, body)
    #expect(try Self.kinds(server) == ["assigned", "assigned"])
    let turn = try #require(first["occurrences"]?.arrayValue?.first)
    let (id, due) = (turn["id"]?.stringValue ?? "", turn["dueDate"]?.stringValue ?? "")
    let holder = turn["assignedMemberID"]?.stringValue ?? ""
    let done =
      #"{"occurrences":[{"id":"\#(id)","templateID":"\#(Self.template)","dueDate":"\#(due)","statusRaw":"completed","completedAt":"2025-05-31T20:00:00Z"}],"completions":[{"id":"6F1B2C3D-0000-4000-8000-0000000000C1","occurrenceID":"\#(id)","memberID":"\#(holder)","timestamp":"2025-05-31T20:00:00Z"}]}"#
    for _ in 0..<2 { _ = try Self.push(server, done) }
    #expect(try Self.kinds(server).count { $0 == "completed" } == 1)
    let last = try #require(try Self.pushes(server).last { $0["kind"] == "completed" })
    #expect(last["recipient"]?.stringValue != holder.lowercased())
    #expect(last["household"]?.stringValue == server.household)
    _ = try Self.push(server, body)
    #expect(try Self.kinds(server).count { $0 == "completed" } == 1)
  }

  /// A member who has lost a turn is notified if the household is configured for that.
  @Test(arguments: [false, true]) func losersAreToldWhereTheHouseholdWantsIt(_ wanted: Bool) throws {
    let server = try TestServer()
    defer { server.end() }
    if wanted { try server.store().setTellsLosers(true) }
    let (ann, ben) = ("6F1B2C3D-0000-4000-8000-00000000000A", "6F1B2C3D-0000-4000-8000-00000000000B")
    let members = [ann, ben].map {
      #"{"id":"\#($0)","displayName":"x","createdAt":"2025-05-01T00:00:00Z","updatedAt":"2025-05-01T00:00:00Z"}"#
    }
    let template = Self.template().replacing(#""cadenceValue":0"#, with: #""cadenceValue":1"#)
    let (_, first) = try Self.push(
      server, #"{"members":[\#(members.joined(separator: ","))],"templates":[\#(template)]}"#)
    let turn = try #require(first["occurrences"]?.arrayValue?.first)
    let holder = try #require(turn["assignedMemberID"]?.stringValue)
    let other = holder == ann ? ben : ann
    // As `assign reassign` prints it.
    let id = turn["id"]?.stringValue ?? ""
    let override =
      #"{"entityName":"Override","identity":{"id":"\#(id)"},"modifiedAt":"2025-05-31T00:00:00Z","fields":{"id":"\#(id)","occurrenceID":"\#(id)","memberID":"\#(other)"}}"#
    #expect(try server.client().send("POST", "/changes", [], body: Array(override.utf8)).status == 200)
    _ = try Self.pull(server, since: 0)
    let told = try Self.pushes(server).filter { $0["kind"] == "reassigned" }.compactMap {
      $0["recipient"]?.stringValue
    }
    // The turns after it change hands too.
    #expect(told.contains(holder.lowercased()) == wanted && told.isEmpty != wanted)
  }

  private static func pushes(_ server: TestServer) throws -> [JSONValue] {
    var values: [JSONValue] = []
    _ = try server.store().forEachPush(after: 0) { line in
      let text = Array(line.utf8)
      values.append(try JSONValue(parsing: text.span))
    }
    return values
  }

  private static func kinds(_ server: TestServer) throws -> [String] {
    try pushes(server).compactMap { $0["kind"]?.stringValue }
  }

  /// A template that arrives in another way is planned with the next request.
  @Test func changesThatComeByOtherWaysArePlanned() throws {
    let server = try TestServer()
    defer { server.end() }
    _ = try Self.push(server, Self.templates(Self.template()))
    let fields = Self.template().replacing(#""cadenceValue":0"#, with: #""cadenceValue":7"#)
    let line =
      #"{"entityName":"Template","identity":{"id":"\#(Self.template)"},"modifiedAt":"2025-05-02T00:00:00Z","fields":\#(fields)}"#
    #expect(try server.client().send("POST", "/changes", [], body: Array(line.utf8)).status == 200)
    let pulled = try Self.pull(server, since: 0)
    #expect(pulled["occurrences"]?.arrayValue?.isEmpty == false)
  }

  @Test func devicesBelongToMembers() throws {
    let server = try TestServer()
    defer { server.end() }
    let member = "6F1B2C3D-0000-4000-8000-00000000000A"
    let body = #"{"members":[{"id":"\#(member)","updatedAt":"2025-05-01T00:00:00Z"}]}"#
    _ = try Self.push(server, body)
    func add(_ body: String, key: String? = nil) throws -> Int {
      try server.client(key).send("POST", "/devices", [], body: Array(body.utf8)).status
    }
    #expect(try add(#"{"memberID":"\#(member.lowercased())","token":"AB01"}"#) == 200)
    #expect(try add(#"{"memberID":"\#(Self.template)","token":"AB01"}"#) == 400)
    #expect(try add(#"{"memberID":"\#(member)","token":"nothex"}"#) == 422)
    #expect(try add("[]") == 422)
    #expect(try add("{") == 422)
    #expect(try add(#"{"memberID":"\#(member)\u0000","token":"AB03"}"#) == 400)
    #expect(try add(#"{"memberID":"\#(member)","token":"AB02"}"#, key: server.readOnlyKey) == 403)
    let store = try server.store()
    #expect(try store.read { try store.devices().map(\.token) } == ["ab01"])
    try store.write {
      for number in 1..<ChangeStore.mostDevices {
        try store.database.statement("INSERT INTO devices (token, member, addedAt) VALUES (?1, ?2, ?2)")
          .bind(1, "\(number)").bind(2, member).run()
      }
    }
    #expect(try add(#"{"memberID":"\#(member)","token":"AB04"}"#) == 403)
    #expect(try add(#"{"memberID":"\#(member)","token":"AB01"}"#) == 200)
  }

  /// A push service may report a device as gone that was registered again meanwhile.
  @Test func onlyTheReportedRegistrationIsRemoved() throws {
    let server = try TestServer()
    defer { server.end() }
    let store = try server.store()
    func remaining(_ line: String) throws -> Int {
      let line = Array(line.utf8)
      let value = try JSONValue(parsing: line.span)
      let removal = try #require(DeviceRemoval(value))
      try removal.perform(in: store)
      return try store.read { try store.devices().count }
    }
    let (ann, ben) = ("6F1B2C3D-0000-4000-8000-00000000000A", "6F1B2C3D-0000-4000-8000-00000000000B")
    func register() throws {
      let time = try #require(Instant("2025-06-01T00:00:00.0005Z"))
      #expect(try store.setDevice("ab01", of: ben, now: time))
    }
    try register()
    #expect(try remaining(#"{"token":"AB01","memberID":"\#(ann)"}"#) == 1)
    #expect(try remaining(#"{"token":"AB01","addedAt":"2025-05-31T23:59:59.999Z"}"#) == 1)
    let same = #""memberID":"\#(ben.lowercased())","addedAt":"2025-06-01T00:00:00Z""#
    #expect(try remaining(#"{"token":"AB01",\#(same)}"#) == 0)
    try register()
    #expect(try remaining(#"{"token":"AB01","memberID":null,"addedAt":null}"#) == 0)
    #expect(DeviceRemoval(["token": "ab01", "addedAt": "soon"]) == nil)
  }

  @Test func readingSettlesNoRules() throws {
    let server = try TestServer()
    defer { server.end() }
    let answer = try server.client(server.readOnlyKey).send("GET", "/sync", [], body: nil)
    #expect(answer.status == 200)
    #expect(try server.store().rules() == nil)
  }

  @Test func householdOfOtherRulesIsLeftAlone() throws {
    let server = try TestServer()
    defer { server.end() }
    let line = #"{"entityName":"Task","identity":{"id":"1"},"modifiedAt":"2025-05-01T00:00:00Z","fields":{}}"#
    #expect(try server.client().send("POST", "/changes", [], body: Array(line.utf8)).status == 200)
    #expect(try Self.push(server, Self.templates(Self.template())).0 == 409)
  }
}
