import Foundation
import Remotes
@testable import Store
import SyncCore
import TestSupport
import Testing

/// Random schedules of devices that write and sync with one server, whose answers get lost; all are restored from backups.
///
/// In the end all have the newest of each record.
@Suite struct ServerStoryTests {
  @Test(arguments: Tries.seeds(15, soak: 1_000))
  func everyStoreEndsWithTheNewestOfEachRecord(seed: UInt64) throws {
    var story = try ServerStory(seed)
    for _ in 0..<story.length { try story.step() }
    try story.settle()
    story.end()
  }
}

private struct ServerStory {
  private var random: SplitMix64
  let length: Int
  private let server: TestServer
  private var devices: [TestDevice] = []
  private let folder: TemporaryFolder
  private var backups: [[UInt8]?] = []
  private var serverBackup: [UInt8]?
  private var clock = 0

  init(_ seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    length = Int.random(in: 20...80, using: &random)
    server = try TestServer()
    folder = try TemporaryFolder()
    for number in 1...Int.random(in: 2...4, using: &random) {
      devices.append(try TestDevice(folder.path("\(number).db")))
      backups.append(nil)
    }
  }

  func end() { server.end() }

  mutating func step() throws {
    let one = Int.random(in: 0..<devices.count, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45: try write(one)
    case 45..<88: try sync(one)
    case 88..<91: backups[one] = try devices[one].store.bytes()
    case 91..<94: if let backup = backups[one] { try devices[one].restore(backup, seed: random.next()) }
    case 94..<96: serverBackup = try server.store().bytes()
    case 96..<98: try restoreServer()
    default: try compact()
    }
  }

  private mutating func write(_ one: Int) throws {
    clock += 1
    let id = Int.random(in: 1...8, using: &random)
    let time = "2025-05-01T0\(clock / 3600):\(String(format: "%02d:%02d", clock / 60 % 60, clock % 60)).000Z"
    let start = #"{"entityName":"Task","identity":{"id":"\#(id)"}"#
    let line =
      random.oneIn(4)
      ? #"\#(start),"deletedAt":"\#(time)"}"#
      : #"\#(start),"modifiedAt":"\#(time)","fields":{"title":"\#(clock)"}}"#
    try devices[one].put(line)
  }

  private mutating func sync(_ one: Int) throws {
    let limit = [300, 1_000, 4 << 20].randomElement(using: &random)!
    let direction: DialogueSettings.Direction = random.oneIn(5) ? .pull : random.oneIn(5) ? .push : .both
    let transport = LossyTransport(try server.client(), oneIn: 12, seed: random.next())
    do {
      let end = try devices[one].sync(transport, direction, pageLimit: limit).end
      #expect(end == .done(setAside: 0) || end == .cannotHandOver, "\(end)")
    } catch is LossyTransport.Lost {}
  }

  /// Another file is where the server's store was, while the server runs.
  private mutating func restoreServer() throws {
    guard let backup = serverBackup else { return }
    let path = server.home
    try Data(backup).write(to: URL(filePath: path + ".new"))
    for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".new", toPath: path)
  }

  private func compact() throws {
    let store = try server.store()
    _ = try store.write { try store.compact(retireAfter: .seconds(86_400), now: TestServer.now, drift: nil) }
  }

  mutating func settle() throws {
    var before = try contents(of: server)
    for device in devices { before.merge(try device.contents) { max($0, $1) } }
    for _ in 0..<3 {
      for device in devices { #expect(try device.sync(server.client()).end == .done(setAside: 0)) }
    }
    // A deletion that was compacted away is not told to who does not have the record.
    let all = try (devices.map { try $0.contents } + [contents(of: server)]).map { contents in
      contents.filter { !$0.value.hasSuffix(" -") }
    }
    for one in all { #expect(one == all[0]) }
    for (id, record) in before where !record.hasSuffix(" -") {
      let newest = try devices.map { try $0.contents[id] ?? "" }.max() ?? ""
      #expect(newest >= record, "\(id): \(record)")
    }
    // Nothing more to do: one request, and nothing moves.
    for device in devices {
      let client = try server.client()
      let outcome = try device.sync(client)
      #expect(outcome.tally.received == 0 && outcome.tally.sent == 0 && client.sent == 0)
    }
  }

  private func contents(of server: TestServer) throws -> [String: String] {
    try TestDevice(server.home).contents
  }
}
