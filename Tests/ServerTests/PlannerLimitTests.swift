import Foundation
import JSONLines
import Remotes
import ServerProtocol
@testable import Store
import SyncCore
import TestSupport
import Testing

/// What `/sync` refuses or leaves out, and what it says of it.
extension PlannerTests {
  @Test func moreThanAHouseholdHasIsRefused() throws {
    let server = try TestServer()
    defer { server.end() }
    let many = Array(repeating: "1", count: 600_000).joined(separator: ",")
    #expect(try Self.push(server, #"{"members":[\#(many)]}"#).0 == 413)
    let some = Array(repeating: "1", count: 1_000).joined(separator: ",")
    let (_, answer) = try Self.push(
      server, #"{"members":[\#(some)]}"#, #"handling = "lenient"; x=1, deletions"#)
    #expect(answer["refused"]?.arrayValue?.count == 100)
    #expect(answer["refusedCount"] == 1000)
  }

  /// A misspelled list would be lost.
  ///
  /// Members that are not lists may be an app's own.
  @Test func recordsInAnUnknownListAreRefused() throws {
    let server = try TestServer()
    defer { server.end() }
    let (status, answer) = try Self.push(server, #"{"member":[{"id":"a"}]}"#)
    #expect(status == 422 && answer["error"]?["code"] == "unknownMember")
    #expect(try Self.push(server, #"{"deletions":[],"device":"phone"}"#).0 == 200)
  }

  /// Parsed, a body takes much more memory.
  @Test func aDeviceHasNoLargeBody() throws {
    let server = try TestServer()
    defer { server.end() }
    for (length, status) in [(60_000, 400), (66_000, 413)] {
      let body = #"{"token":"00","memberID":"\#(String(repeating: "a", count: length))"}"#
      #expect(try server.client().send("POST", "/devices", [], body: Array(body.utf8)).status == status)
    }
  }

  /// Each push would occupy a thread of the server for hours.
  @Test func moreThanCanBePlannedIsRefused() throws {
    let server = try TestServer()
    defer { server.end() }
    func ids(_ count: Int, _ mark: String) -> [String] {
      (0..<count).map { "6F1B2C3D-0000-4000-80\(mark)-\(String($0 + 1_000_000_000_000).suffix(12))" }
    }
    let members = ids(2_000, "00").map { #"{"id":"\#($0)","updatedAt":"2025-05-01T00:00:00Z"}"# }
    let templates = ids(1_000, "01").map {
      Self.template(id: $0).replacing(
        #""cadenceUnitRaw":"weeks","cadenceValue":0"#, with: #""cadenceUnitRaw":"days","cadenceValue":1"#)
    }
    let many =
      #"{"members":[\#(members.joined(separator: ","))],"templates":[\#(templates.joined(separator: ","))]}"#
    #expect(try Self.push(server, many).0 == 413)
    #expect(try server.store().state.sequence == 0)
    // Other programs can store that many; then the app goes on without turns.
    _ = try Self.push(server, "{}")
    func lines(_ kind: String, _ ids: [String], _ records: [String]) -> String {
      zip(ids, records).map {
        #"{"entityName":"\#(kind)","identity":{"id":"\#($0)"},"modifiedAt":"2025-05-01T00:00:00Z","fields":\#($1)}"#
      }.joined(separator: "\n")
    }
    let changes =
      lines("Member", ids(2_000, "00"), members) + "\n" + lines("Template", ids(1_000, "01"), templates)
    #expect(try server.client().send("POST", "/changes", [], body: Array(changes.utf8)).status == 200)
    let pulled = try Self.pull(server, since: 0)
    #expect(pulled["templates"]?.arrayValue?.count == 1_000)
    #expect(pulled["occurrences"]?.arrayValue == [])
    let (status, answer) = try Self.push(server, Self.templates(Self.template()))
    #expect(status == 200 && answer["refused"] == [])
    #expect(try server.store().live == 3_001)
  }

  /// A prune does not change the sequence of the store.
  @Test func whatIsPrunedBesideTheServerIsPlannedWithoutIt() throws {
    let server = try TestServer()
    defer { server.end() }
    let member =
      #"{"id":"6F1B2C3D-0000-4000-8000-00000000000A","displayName":"Ann","updatedAt":"2025-05-01T00:00:00Z"}"#
    let template = Self.template(at: 1).replacing(#""cadenceValue":0"#, with: #""cadenceValue":1"#)
    let (_, first) = try Self.push(server, #"{"members":[\#(member)],"templates":[\#(template)]}"#)
    #expect(first["occurrences"]?.arrayValue?.first?["assignedMemberID"] != nil)
    let before = try #require(Instant("2025-05-01T00:00:01Z"))
    #expect(try server.store().prune("Member", before: before, .default) == 1)
    let turns = try Self.pull(server, since: 0)["occurrences"]?.arrayValue ?? []
    #expect(!turns.isEmpty && turns.allSatisfy { $0["assignedMemberID"] == nil })
  }

  @Test func onlyHonouredPreferencesAreNamed() throws {
    let server = try TestServer()
    defer { server.end() }
    func applied(_ prefer: String) throws -> String? {
      let fields = [RequestHead.Field("Prefer", prefer)]
      return try server.client().send("POST", "/sync", fields, body: Array("{}".utf8))["Preference-Applied"]
    }
    #expect(try applied("respond-async, handling=strict") == "handling=strict")
    #expect(try applied("Deletions, wait=10") == "deletions")
    #expect(try applied("respond-async") == nil)
  }

  @Test func depthIsNamedInARefusal() throws {
    let server = try TestServer()
    defer { server.end() }
    // The line of the record is one level deeper than a store accepts, and its body is not too deep.
    let depth = JSONDepth.limit - 3
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let (status, answer) = try Self.push(server, Self.templates(Self.template(#","more":\#(deep)"#)))
    #expect(status == 200)
    #expect(answer["refused"]?.arrayValue?.first?["code"] == "nestingTooDeep")
  }
}
