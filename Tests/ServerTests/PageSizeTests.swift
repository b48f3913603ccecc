import JSONLines
import Remotes
import Server
import Store
import SyncCore
import TestSupport
import Testing

/// Devices with pages that a server refuses because of their size.
@Suite(.onEveryEngine) struct PageSizeTests {
  private let server: TestServer
  private let folder: TemporaryFolder
  private let device: TestDevice

  init() throws {
    server = try TestServer { $0.body = 1_250 }
    folder = try TemporaryFolder()
    device = try TestDevice(folder.path("device.db"))
  }

  /// Stores a record; its line has about 110 bytes more than its title.
  private func put(_ id: Int, title size: Int, in year: Int = 2025) throws {
    try device.put(
      #"{"entityName":"Task","identity":{"id":"\#(id)"},"modifiedAt":"\#(year)-05-01T00:00:00.000Z","#
        + #""fields":{"title":"\#(String(repeating: "x", count: size))"}}"#)
  }

  @Test func aPageThatIsTooLargeIsSentInParts() throws {
    for id in 1...20 { try put(id, title: 150) }
    let outcome = try device.sync(server.client())
    #expect(outcome.end == .done(setAside: 0) && outcome.tally.sent == 20)
    #expect(try server.storedLines.count == 20)
  }

  /// The first page is stored before the second one is refused.
  @Test func theCountsOfEarlierPagesAreKept() throws {
    try put(1, title: 500, in: 2999)
    try put(2, title: 900)
    try put(3, title: 300)
    var refused = 0
    let transport = ChangingTransport(try server.client()) { _, answer in
      if answer.status == 413 { refused += 1 }
    }
    let outcome = try device.sync(transport, pageLimit: 1_500)
    #expect(refused == 1)
    #expect(outcome.quarantinedThere == 1 && outcome.tally.sent == 3)
    #expect(try server.storedLines.count == 2)
  }

  /// The first page is stored, the second one is refused, and the last change is too large for any page.
  @Test func theCountsOfAFailedSessionAreReported() throws {
    try put(1, title: 500, in: 2999)
    try put(2, title: 900)
    try put(3, title: 300)
    try put(4, title: 2_000)
    let client = try server.client()
    let remote = try ServerRemote(client, device.store, id: ServerRemote.id(of: client), isDryRun: false)
    var session = device.session(.both, pageLimit: 1_500, isDryRun: false, deleteLimit: .off)
    var (sent, quarantinedThere) = (0, 0)
    session.counted = { (sent, quarantinedThere) = ($0.sent, $1) }
    let error = #expect(throws: Diagnostic.self) { try session.run(with: remote, at: "test") }
    #expect(error?.code == .messageTooLarge)
    #expect(sent == 3 && quarantinedThere == 1)
  }

  @Test func aChangeThatIsTooLargeIsReported() throws {
    try put(1, title: 100)
    try put(2, title: 2_000)
    let error = #expect(throws: Diagnostic.self) { try device.sync(server.client()) }
    #expect(error?.code == .messageTooLarge)
    #expect(error?.hint == "raise the limit with 'syncserve run --max-body'")
    #expect(try server.storedLines.count == 1)
  }
}
