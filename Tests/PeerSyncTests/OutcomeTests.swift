import JSONLines
import PeerProtocol
import PeerSync
import SyncCore
import TestSupport
import Testing

/// What a session between two devices reports.
@Suite struct OutcomeTests {
  @Test func changesInQuarantineAreCountedOnBothSides() async throws {
    let folder = try TemporaryFolder()
    let phone = try SyncDevice(in: folder.path("phone"), named: "Phone")
    let laptop = try SyncDevice(in: folder.path("laptop"), named: "Laptop")
    _ = try await phone.invite(lifetime: .seconds(3_600)) { code, port in
      Task { _ = try await laptop.join(PairingCode(code.text), at: "localhost:\(port)") }
    } approve: { peer in
      peer.keyFingerprint == laptop.keyFingerprint
    }
    var tasks = try RecordStore(folder.path("phone.db"), entityName: "Task")
    tasks.maxDrift = nil
    try tasks.put(Array(#"{"id":"1","updatedAt":"2999-01-01T00:00:00Z"}"#.utf8))
    let (ports, ready) = AsyncStream<Int>.makeStream()
    let (outcomes, ended) = AsyncStream<SyncDevice.Outcome>.makeStream()
    let server = Task { [tasks] in
      try await phone.serve(tasks) {
        ready.yield($0)
      } ended: {
        ended.yield($0)
      }
    }
    var port: Int?
    for await opened in ports.prefix(1) { port = opened }
    let copy = try RecordStore(folder.path("laptop.db"), entityName: "Task")
    let place = "localhost:\(port ?? 0)"
    let here = try await laptop.sync(copy, at: place)
    #expect(here.map(\.received) == [0] && here.map(\.quarantined) == [1])
    #expect(here.map(\.quarantinedThere) == [0] && here.first?.failure == nil)
    var there: SyncDevice.Outcome?
    for await outcome in outcomes.prefix(1) { there = outcome }
    #expect(there?.quarantined == 0 && there?.quarantinedThere == 1 && there?.failure?.code == .quarantined)
    server.cancel()
    _ = await server.result
  }
}
