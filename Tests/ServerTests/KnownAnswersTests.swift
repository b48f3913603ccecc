import Foundation
import JSONLines
import Remotes
@testable import Server
import ServerProtocol
import Store
import SyncCore
import TestSupport
import Testing

/// Cached answers for equal requests: nobody receives outdated ones.
@Suite(.onEveryEngine) struct KnownAnswersTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  private static func line(_ id: Int) -> [UInt8] {
    Array(
      #"{"entityName":"Task","identity":{"id":"\#(id)"},"modifiedAt":"2025-05-01T00:00:00Z","fields":{}}"#
        .utf8)
  }

  /// The number of records in the answer to a GET, which is sent twice.
  private func told(_ key: String? = nil, _ query: String = "") throws -> Int {
    let client = try server.client(key)
    let answers = try (0..<2).map { _ in try client.send("GET", "/changes\(query)", [], body: nil) }
    #expect(answers.allSatisfy { $0.status == 200 } && answers[0].body == answers[1].body)
    return String(decoding: answers[1].body, as: UTF8.self).split(separator: "\n").count {
      $0.contains("entityName")
    }
  }

  @Test func everyWriteIsTold() throws {
    for count in 1...40 {
      if count.isMultiple(of: 2) {
        #expect(try server.client().send("POST", "/changes", [], body: Self.line(count)).status == 200)
      } else {
        // Another program.
        try TestDevice(server.store()).put(String(decoding: Self.line(count), as: UTF8.self))
      }
      #expect(try told() == count)
      #expect(try told(server.readOnlyKey) == count)
    }
    let before = try server.store().bytes()
    #expect(try server.client().send("POST", "/changes", [], body: Self.line(41)).status == 200)
    #expect(try told() == 41)
    try server.replaceStore(with: before)
    #expect(try told() == 40)
  }

  @Test func eachQuestionHasItsAnswer() throws {
    for id in 1...3 {
      #expect(try server.client().send("POST", "/changes", [], body: Self.line(id)).status == 200)
    }
    #expect(try told() == 3)
    #expect(try told(nil, "?max-bytes=1") == 1)
    try TestDevice(server.store()).put(String(decoding: Self.line(4), as: UTF8.self))
    #expect(try told() == 4)
    let client = try server.client()
    let other = [RequestHead.Field(ChangesHeader.rules, String(repeating: "0", count: 64))]
    #expect(try client.send("GET", "/changes", other, body: nil).status == 409)
    #expect(try client.send("GET", "/changes", [], body: nil)["Allow"] == nil)
    let reader = try server.client(server.readOnlyKey)
    #expect(try reader.send("GET", "/changes", [], body: nil)["Allow"] == "GET, HEAD")
  }

  /// A query can be much longer than its answer.
  @Test func questionsCount() {
    let answer: KnownAnswers.Answer = (HTTPResponse(200), nil)
    let long = String(repeating: "0", count: 14_000)
    #expect(KnownAnswers.size(of: answer, to: ["max-bytes", long]) > 14_000)
    #expect(KnownAnswers.size(of: answer, to: Array(repeating: "", count: 1_000)) > 16_000)
  }

  /// The numbers of two connections cannot be compared, although they are often equal.
  @Test func aNewConnectionHasAnotherVersion() throws {
    let folder = try TemporaryFolder()
    let places = HouseholdPlaces.folder(folder.url.path)
    for name in ["home", "other"] { try Households(places, wait: .seconds(10)).add(name) }
    let answers = KnownAnswers(in: places)
    let before = try #require(answers.version(of: "home"))
    #expect(answers.version(of: "home") == before && answers.version(of: "other") != nil)
    try FileManager.default.removeItem(atPath: folder.path("other.db"))
    answers.closeReplaced()
    #expect(answers.version(of: "home") != before)
  }

  /// The damage is not the client's fault, so its changes are not bad data.
  @Test func damagedKeysAreAFaultOfTheServer() throws {
    let keys = URL(filePath: server.home).deletingLastPathComponent().appending(path: "server/keys.jsonl")
    let file = try FileHandle(forWritingTo: keys)
    try file.seekToEnd()
    try file.write(contentsOf: Data("x\n".utf8))
    try file.close()
    let answer = try server.client().send("POST", "/changes", [], body: Self.line(1))
    #expect(answer.status == 500)
    #expect(!String(decoding: answer.body, as: UTF8.self).contains("keys.jsonl"))
  }

  @Test func aKeyThatIsRevokedOpensNothing() throws {
    #expect(try told() == 0)
    try server.ring.change { $0[0].revokedAt = TestServer.now }
    #expect(try server.client().send("GET", "/changes", [], body: nil).status == 401)
    try server.ring.change { $0[0].revokedAt = nil }
    #expect(try told() == 0)
    try server.ring.change { $0[0].expiresAt = TestServer.now }
    #expect(try server.client().send("GET", "/changes", [], body: nil).status == 401)
  }
}
