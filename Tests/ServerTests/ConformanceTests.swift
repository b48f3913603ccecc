import Foundation
import JSONLines
@testable import Remotes
@testable import Store
import SyncCore
import TestSupport
import Testing

/// Common behaviour of every remote: another store, a server, a shared folder, a Firestore collection.
@Suite(.onEveryEngine) struct ConformanceTests {
  @Test(arguments: RemoteKind.available) func recordsArriveByteForByte(_ kind: RemoteKind) throws {
    try kind.meet { one, other in
      try one.put(
        Self.line(1, "Größe  ✓", 1),
        #"{"entityName":"Task","identity":{"id":"2"},"modifiedAt":"2025-05-01T00:00:01.123456Z","fields":{ "n": 1.0e2,"a":[ ] }}"#
      )
      try one.sync()
      try other.sync()
      // A document has values and no spelling.
      let expected =
        kind == .collection
        ? [
          Self.line(1, "Größe  ✓", 1),
          #"{"entityName":"Task","identity":{"id":"2"},"modifiedAt":"2025-05-01T00:00:01.123456Z","fields":{"a":[],"n":100.0}}"#,
        ] : try one.lines
      #expect(try other.lines == expected)
    }
  }

  @Test(arguments: RemoteKind.available) func laterChangeWins(_ kind: RemoteKind) throws {
    try kind.meet { one, other in
      for device in [one, other] { try device.put(Self.line(1, "first", 1)) }
      try Self.settle(one, other)
      try one.put(Self.line(1, "earlier", 2))
      try other.put(Self.line(1, "later", 3))
      try Self.settle(one, other)
      #expect(try one.lines == [Self.line(1, "later", 3)])
      #expect(try other.lines == one.lines)
    }
  }

  @Test(arguments: RemoteKind.available) func deletionsArriveAndStay(_ kind: RemoteKind) throws {
    try kind.meet { one, other in
      try one.put(Self.line(1, "first", 1))
      try Self.settle(one, other)
      try other.put(Self.deletion(1, 2))
      try one.put(Self.line(1, "older", 1))
      try Self.settle(one, other)
      #expect(try one.lines == [Self.deletion(1, 2)])
      #expect(try other.lines == one.lines)
    }
  }

  @Test(arguments: RemoteKind.available) func nothingMovesTwice(_ kind: RemoteKind) throws {
    try kind.meet { one, other in
      for number in 1...50 { try one.put(Self.line(number, "n", 1)) }
      try Self.settle(one, other)
      for device in [one, other] {
        let tally = try device.sync().tally
        #expect(tally.received + tally.sent == 0)
      }
    }
  }

  @Test(arguments: RemoteKind.available) func smallPagesMakeAWhole(_ kind: RemoteKind) throws {
    try kind.meet { one, other in
      for number in 1...60 { try one.put(Self.line(number, "n", 1)) }
      for number in 61...90 { try other.put(Self.line(number, "n", 1)) }
      one.pageLimit = 300
      other.pageLimit = 1_000
      try Self.settle(one, other)
      #expect(try one.lines.count == 90)
      #expect(try Set(one.lines) == Set(other.lines))
    }
  }

  @Test(arguments: RemoteKind.available) func directionsAreKept(_ kind: RemoteKind) throws {
    try kind.meet { one, other in
      try one.put(Self.line(1, "one", 1))
      try other.put(Self.line(2, "other", 1))
      try other.sync()
      try one.sync(.push)
      #expect(try one.lines.count == 1)
      try other.sync(.pull)
      #expect(try other.lines.count == 2)
      try one.sync(.pull)
      #expect(try one.lines.count == 2)
    }
  }

  @Test(arguments: RemoteKind.available) func trialsChangeNothing(_ kind: RemoteKind) throws {
    try kind.meet { one, other in
      try other.put(Self.line(1, "one", 1))
      try other.sync()
      try one.put(Self.line(2, "two", 1))
      let outcome = try one.sync(isDryRun: true)
      #expect(outcome.tally.received == 1)
      #expect(try one.lines.count == 1)
      try other.sync()
      #expect(try other.lines.count == 1)
    }
  }

  @Test(arguments: RemoteKind.available) func restoredStoreLosesNothing(_ kind: RemoteKind) throws {
    try kind.meet { one, other in
      try one.put(Self.line(1, "one", 1))
      try Self.settle(one, other)
      let backup = try one.store.bytes()
      try one.put(Self.line(1, "edited", 2), Self.line(2, "new", 2))
      try Self.settle(one, other)
      try one.restore(backup, seed: 7)
      try one.put(Self.line(3, "after", 3))
      try Self.settle(one, other)
      #expect(
        try Set(one.lines) == [Self.line(1, "edited", 2), Self.line(2, "new", 2), Self.line(3, "after", 3)])
      #expect(try Set(other.lines) == Set(one.lines))
    }
  }

  @Test(arguments: RemoteKind.available) func tooManyDeletionsAreRefused(_ kind: RemoteKind) throws {
    try kind.meet { one, other in
      for number in 1...300 { try one.put(Self.line(number, "n", 1)) }
      try Self.settle(one, other)
      for number in 1...300 { try one.put(Self.deletion(number, 2)) }
      one.deleteLimit = .default
      other.deleteLimit = .default
      _ = try? one.sync()
      _ = try? other.sync()
      #expect(try other.lines.count { $0.contains("fields") } == 300)
    }
  }

  @Test(arguments: RemoteKind.available) func clockFarAheadBlocksNobody(_ kind: RemoteKind) throws {
    try kind.meet { one, other in
      try one.put(
        #"{"entityName":"Task","identity":{"id":"1"},"modifiedAt":"2999-01-01T00:00:00Z","fields":{}}"#,
        Self.line(2, "two", 1))
      try one.sync()
      try other.sync()
      #expect(try other.lines == [Self.line(2, "two", 1)])
    }
  }

  private static func settle(_ one: Meeting, _ other: Meeting) throws {
    for _ in 0..<3 { for device in [one, other] { try device.sync() } }
  }

  private static func line(_ id: Int, _ title: String, _ second: Int) -> String {
    #"{"entityName":"Task","identity":{"id":"\#(id)"},"modifiedAt":"2025-05-01T00:00:0\#(second)Z","fields":{"title":"\#(title)"}}"#
  }

  private static func deletion(_ id: Int, _ second: Int) -> String {
    #"{"entityName":"Task","identity":{"id":"\#(id)"},"deletedAt":"2025-05-01T00:00:0\#(second)Z"}"#
  }
}

/// The kinds of remotes at which two devices can meet.
enum RemoteKind: String, CaseIterable, Sendable {
  case store, server, folder, collection

  /// If the double of Firestore cannot run, collections are skipped, but not in CI.
  static let available = allCases.filter { kind in
    kind != .collection || TestCollection.isAvailable || ProcessInfo.processInfo.environment["CI"] != nil
  }

  func meet(_ body: (_ one: Meeting, _ other: Meeting) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let devices = try (1...2).map { try TestDevice(folder.path("\($0).db")) }
    let server = self == .server ? try TestServer() : nil
    let collection = self == .collection ? try TestCollection() : nil
    defer { collection?.end() }
    let hub =
      self == .store ? try ChangeStore(folder.path("hub.db"), creating: true, wait: .seconds(10)) : nil
    try FileManager.default.createDirectory(atPath: folder.path("shared"), withIntermediateDirectories: true)
    let shared = self == .folder ? try SharedFolder.make(folder.path("shared")) : nil
    let meetings = devices.map { device in
      Meeting(device) { meeting, direction, isDryRun in
        if let server {
          return try device.sync(
            server.client(), direction, pageLimit: meeting.pageLimit, isDryRun: isDryRun,
            deleteLimit: meeting.deleteLimit)
        }
        let session = device.session(
          direction, pageLimit: meeting.pageLimit, isDryRun: isDryRun, deleteLimit: meeting.deleteLimit)
        if let shared { return try session.run(with: shared) }
        if let collection { return try collection.sync(session) }
        let other = PeerStore(
          try #require(hub), try hub?.rules(), limit: .off, maximumDrift: DriftGuard.default
        ) { TestServer.now }
        return try session.run(other, id: "00000000-0000-4000-8000-000000000001", name: "hub", nil).0
      }
    }
    try body(meetings[0], meetings[1])
    server?.end()
  }
}

/// A device, and its connection to the remote at which it meets the other device.
final class Meeting {
  private let device: TestDevice
  private let way: (Meeting, DialogueSettings.Direction, Bool) throws -> RemoteSession.Outcome
  var pageLimit = 4 << 20
  var deleteLimit = DeleteLimit.off

  init(
    _ device: TestDevice,
    _ way: @escaping (Meeting, DialogueSettings.Direction, Bool) throws -> RemoteSession.Outcome
  ) {
    (self.device, self.way) = (device, way)
  }

  var store: ChangeStore { device.store }

  /// The change lines of the store, in the order of their sequences.
  var lines: [String] {
    get throws {
      var lines: [String] = []
      _ = try store.changes(after: nil) { line in
        var bytes: [UInt8] = []
        bytes.append(line)
        lines.append(String(decoding: bytes, as: UTF8.self))
      }
      return lines
    }
  }

  func put(_ lines: String...) throws { for line in lines { try device.put(line) } }

  func restore(_ backup: [UInt8], seed: UInt64) throws { try device.restore(backup, seed: seed) }

  @discardableResult
  func sync(_ direction: DialogueSettings.Direction = .both, isDryRun: Bool = false) throws
    -> RemoteSession.Outcome
  {
    try way(self, direction, isDryRun)
  }
}
