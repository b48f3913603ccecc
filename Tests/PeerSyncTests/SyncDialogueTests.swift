import Foundation
import JSONLines
import PeerProtocol
import PeerSync
import SyncCore
import TestSupport
import Synchronization
import Testing

/// Two stores that sync over any transport of messages.
@Suite struct SyncDialogueTests {
  private let folder: TemporaryFolder
  private let devices: [SyncDevice]
  private let stores: [RecordStore]

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    devices = try ["one", "two"].map { try SyncDevice(in: folder.path($0), named: $0) }
    stores = try ["one", "two"].map { try RecordStore(folder.path("\($0).db"), entityName: "Task") }
  }

  private func side(_ index: Int) throws -> SyncDialogue {
    let peer = SyncDevice.Peer(devices[1 - index])
    return try SyncDialogue(
      devices[index], with: peer, over: stores[index], beginning: index == 0, pageSize: 64)
  }

  /// Carries messages until both sides have ended; with `limit` the connection breaks after that many.
  private func talk(limit: Int = .max) throws -> [SyncDialogue.Next] {
    var sides = [try side(0), try side(1)]
    var ends: [SyncDialogue.Next?] = [nil, nil]
    var waiting: [(to: Int, message: [UInt8])] = []
    func take(_ step: SyncDialogue.Step, of index: Int) {
      waiting += step.messages.map { (1 - index, $0) }
      if case .message = step.next { return }
      ends[index] = step.next
    }
    for index in [1, 0] { take(try sides[index].begin(), of: index) }
    var count = 0
    while !waiting.isEmpty, count < limit {
      let (index, message) = waiting.removeFirst()
      count += 1
      if ends[index] == nil { take(try sides[index].receive(message), of: index) }
    }
    for index in 0...1 where ends[index] == nil { take(try sides[index].close(), of: index) }
    return ends.compactMap { $0 }
  }

  @Test func bothHaveAllInTheEndWhereverItBreaksOff() throws {
    for index in 0...1 {
      for number in 1...3 { try stores[index].put(Array("{\"id\":\"\(index)-\(number)\"}\n".utf8)) }
    }
    for limit in 0..<12 { _ = try talk(limit: limit) }
    #expect(try talk() == [.done, .done])
    let records = try stores.map { try $0.records() }
    #expect(records[0] == records[1] && records[0].count { $0 == 10 } == 6)
  }

  @Test func whatIsNoMessageEndsIt() throws {
    for message in ["", "{}", "[1]", "\u{0}"] {
      var dialogue = try side(1)
      _ = try dialogue.begin()
      guard case .failed(let error) = try dialogue.receive(Array(message.utf8)).next else {
        Issue.record("'\(message)' was taken")
        continue
      }
      #expect(error.code == .protocolBroken)
    }
  }

  @Test func storesOfOtherRulesKeepApart() throws {
    try stores[0].put(Array("{\"id\":1}\n".utf8))
    let other = try RecordStore(stores[1].path, profile: "chores")
    try other.put(Array("{\"entity\":\"Member\",\"id\":\"6f1b2c3d-0000-4000-8000-000000000001\"}\n".utf8))
    let ends = try talk()
    guard ends.count == 2, case .failed(let error) = ends[1] else {
      Issue.record("\(ends)")
      return
    }
    #expect(error.code == .rulesDiffer)
  }
}

/// Where a device keeps its key.
@Suite struct IdentityKeeperTests {
  private final class Memory: IdentityKeeper {
    private let text = Mutex<[UInt8]?>(nil)
    func load() -> [UInt8]? { text.withLock { $0 } }
    func save(_ text: [UInt8]) { self.text.withLock { $0 = text } }
  }

  @Test func theAppMayKeepTheKey() throws {
    let (folder, keys) = (try TemporaryFolder(), Memory())
    let device = try SyncDevice(in: folder.path("a"), named: "Phone", keys: keys)
    let again = try SyncDevice(in: folder.path("a"), named: "Tablet", keys: keys)
    #expect(again.id == device.id && again.keyFingerprint == device.keyFingerprint && again.name == "Tablet")
    #expect(try SyncDevice(in: folder.path("a"), keys: keys).name == "Tablet")
    #expect(!FileManager.default.fileExists(atPath: folder.path("a/identity.pem")))
    keys.save(Array("nothing".utf8))
    let error = #expect(throws: SyncError.self) { try SyncDevice(in: folder.path("a"), keys: keys) }
    #expect(error?.code == .damagedRecord)
  }

  @Test func theFileIsThatOfTheTools() throws {
    let folder = try TemporaryFolder()
    let device = try SyncDevice(in: folder.path("a"), named: "Phone")
    #expect(try SyncDevice(in: folder.path("a")).id == device.id)
    #expect(FileManager.default.fileExists(atPath: folder.path("a/identity.pem")))
    let error = #expect(throws: SyncError.self) { try SyncDevice(in: folder.path("b"), named: "") }
    #expect(error?.code == .invalidOptionValue)
  }
}
