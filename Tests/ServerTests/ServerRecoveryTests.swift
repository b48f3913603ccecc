import JSONLines
import Remotes
import ServerProtocol
@testable import Store
import SyncCore
import TestSupport
import Testing

/// Restored or compacted servers, with devices that have read once, or only read.
@Suite(.onEveryEngine) struct ServerRecoveryTests {
  private let server: TestServer
  private let folder: TemporaryFolder
  private let writer: TestDevice
  private let reader: TestDevice

  init() throws {
    server = try TestServer()
    folder = try TemporaryFolder()
    writer = try TestDevice(folder.path("writer.db"))
    reader = try TestDevice(folder.path("reader.db"))
  }

  private func put(_ ids: ClosedRange<Int>, at second: Int) throws {
    for id in ids {
      try writer.put(
        #"{"entityName":"Task","identity":{"id":"\#(id)"},"modifiedAt":"2025-05-01T00:00:0\#(second).000Z","#
          + #""fields":{"title":"\#(second)"}}"#)
    }
    try writer.sync(server.client())
  }

  /// The reader has three records more than the server has after it was restored.
  private func restoreServer() throws {
    try put(1...2, at: 1)
    try reader.sync(server.client())
    let backup = try server.store().bytes()
    try put(2...5, at: 2)
    try reader.sync(server.client())
    try server.replaceStore(with: backup)
  }

  /// Gives the writer ten records for several pages that the server lacks; returns the server's data.
  private func writeManyAfterBackup() throws -> [UInt8] {
    try put(1...2, at: 1)
    for id in 3...12 {
      try writer.put(
        #"{"entityName":"Task","identity":{"id":"\#(id)"},"modifiedAt":"2025-05-01T00:00:02.000Z","#
          + #""fields":{"title":"b"}}"#)
    }
    return try server.store().bytes()
  }

  /// Pages of a push that reach a server which has lost the page before would leave a gap there for ever.
  @Test(arguments: [DialogueSettings.Direction.push, .both])
  func aPushStopsWhereTheServerIsRestored(_ direction: DialogueSettings.Direction) throws {
    let backup = try writeManyAfterBackup()
    var posts = 0
    let transport = ChangingTransport(try server.client()) { [server] method, _ in
      if method == "POST" { posts += 1 }
      if method == "POST", posts == 2 { try server.replaceStore(with: backup) }
    }
    #expect {
      try writer.sync(transport, direction, pageLimit: 300)
    } throws: { ($0 as? Diagnostic)?.code == .peerBusy }
    #expect(posts == 3)
    try writer.sync(server.client(), direction, pageLimit: 300)
    try reader.sync(server.client())
    #expect(try reader.contents == writer.contents && reader.contents.count == 12)
  }

  /// The server must not use the state of a push that was interrupted before it was restored.
  @Test func anInterruptedPushDoesNotStopTheNextOne() throws {
    let backup = try writeManyAfterBackup()
    let cut = ChangingTransport(try server.client()) { method, _ in
      if method == "POST" { throw LossyTransport.Lost() }
    }
    #expect(throws: LossyTransport.Lost.self) { try writer.sync(cut, .push, pageLimit: 300) }
    try server.replaceStore(with: backup)
    try writer.sync(server.client(), .push, pageLimit: 300)
    try reader.sync(server.client())
    #expect(try reader.contents == writer.contents && reader.contents.count == 12)
  }

  @Test func aPageIsRefusedThatContinuesAnotherCheckpoint() throws {
    let client = try server.client()
    func post(_ token: String, after base: String) throws -> Int {
      try client.send(
        "POST", "/changes",
        [.init(ChangesHeader.store, writer.store.publicID), .init(ChangesHeader.checkpoint, base)],
        body: Array("{\"newTokenData\":\"\(token)\"}\n".utf8)
      ).status
    }
    #expect(try post("AQ==", after: "AA==") == 409)
    let first = try client.send(
      "POST", "/changes", [.init(ChangesHeader.store, writer.store.publicID)],
      body: Array("{\"newTokenData\":\"AQ==\"}\n".utf8))
    #expect(first.status == 200)
    // The second one is the same request again, because its answer was lost.
    #expect(try post("Ag==", after: "AQ==") == 200)
    #expect(try post("Ag==", after: "AQ==") == 200)
    #expect(try post("Aw==", after: "AQ==") == 409)
  }

  @Test func whoOnlyReadsGoesOnAfterARestore() throws {
    try restoreServer()
    try put(6...6, at: 3)
    let client = try server.client(server.readOnlyKey)
    for _ in 0..<2 {
      #expect(try reader.sync(client, .pull).end == .done(setAside: 0))
      #expect(try reader.contents.count == 6)
    }
    #expect(try reader.contents == writer.contents)
  }

  @Test func linksOfAProxyAreNotTheNextPage() throws {
    try put(1...9, at: 1)
    // A proxy adds links of its own to the answers, and rewrites those of the server.
    let proxy = ChangingTransport(try server.client()) { _, answer in
      for index in answer.fields.indices where answer.fields[index].name == "Link" {
        answer.fields[index].value.replace("rel=\"next\"", with: "REL = next")
        answer.fields[index].value += ", </next.css>; rel=\"prefetch\""
      }
      answer.fields.insert(.init("link", "</a;rel=next>; rel=preload"), at: 0)
    }
    #expect(try reader.sync(proxy, pageLimit: 200).end == .done(setAside: 0))
    #expect(try reader.contents == writer.contents && reader.contents.count == 9)
  }

  @Test func aTrialCountsWhatWouldGoBack() throws {
    try restoreServer()
    let before = try reader.store.currentToken()
    let trial = try reader.sync(server.client(), isDryRun: true)
    #expect(trial.end == .done(setAside: 0) && trial.givesBack)
    #expect(try reader.store.currentToken() == before)
    let id = try server.store().publicID
    let expected = try reader.store.pending(
      for: reader.store.peer(known: id), held: trial.held, givingBack: trial.givesBack)
    #expect(try reader.sync(server.client()).tally.sent == expected)
    #expect(try server.store().live == 5)
  }

  @Test func aKeyThatOnlyReadsSaysSo() throws {
    #expect(try reader.sync(server.client(server.readOnlyKey), isDryRun: true).onlyGives)
    #expect(try !reader.sync(server.client(), isDryRun: true).onlyGives)
  }

  /// Deletes a record on the writer and syncs everything; returns how many deletions the server keeps.
  private func deleteAndCompact() throws -> Int {
    try delete()
    return try compact()
  }

  private func delete() throws {
    try writer.put(#"{"entityName":"Task","identity":{"id":"1"},"deletedAt":"2025-05-01T00:00:05.000Z"}"#)
    try writer.sync(server.client())
  }

  private func compact() throws -> Int {
    let fields = [RequestHead.Field(ChangesHeader.store, writer.store.publicID)]
    let token = try server.store().currentToken().text.percentEncoded
    let answer = try server.client().send("GET", "/changes?since=\(token)", fields, body: nil)
    #expect(answer.status == 200)
    let store = try server.store()
    _ = try store.write { try store.compact(retireAfter: .seconds(86_400), now: TestServer.now, drift: nil) }
    return store.tombstones
  }

  /// A client acknowledges the changes that it has read only with its next request.
  @Test(arguments: [DialogueSettings.Direction.pull, .both])
  func deletionsReachWhoHasReadOnce(_ direction: DialogueSettings.Direction) throws {
    try put(1...2, at: 1)
    let client = try server.client(direction == .pull ? server.readOnlyKey : nil)
    try reader.sync(client, direction)
    #expect(try deleteAndCompact() == 1)
    for _ in 0..<2 { try reader.sync(client, direction) }
    #expect(try reader.contents.filter { !$0.value.hasSuffix(" -") }.keys.sorted() == ["2"])
    #expect(try server.store().live == 1)
  }

  /// A dry run reads each page, but stores none.
  @Test func aTrialAcknowledgesNothing() throws {
    try put(1...2, at: 1)
    try reader.sync(server.client())
    try delete()
    try put(3...9, at: 2)
    let trial = try reader.sync(server.client(), pageLimit: 200, isDryRun: true)
    #expect(trial.tally.received == 8)
    #expect(try compact() == 1)
    try reader.sync(server.client())
    #expect(try reader.contents == writer.contents)
  }

  @Test func deletionsWaitForWhoHasAskedOnce() throws {
    try put(1...2, at: 1)
    let fields = [RequestHead.Field(ChangesHeader.store, reader.store.publicID)]
    #expect(try server.client().send("GET", "/changes", fields, body: nil).status == 200)
    #expect(try deleteAndCompact() == 1)
  }

  @Test func deletionsWaitForNobodyElse() throws {
    try put(1...2, at: 1)
    #expect(try deleteAndCompact() == 0)
  }
}
