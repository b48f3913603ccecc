import Foundation
import Remotes
@testable import Store
import SyncCore
import TestSupport

/// Devices with stores and a real server; a seed determines the events.
struct ServerStory {
  private var random: SplitMix64
  let length: Int
  private let server: TestServer
  private var devices: [TestDevice] = []
  private let folder: TemporaryFolder
  private var backups: [[UInt8]?] = []
  /// The data of the server's standby after some of the last steps.
  private var standby: [[UInt8]] = []
  private let mistake: PlantedMistake?
  private var memories: [PlantedTransport.Memory] = []
  private var clock = 0
  private var violations: [String] = []

  /// The violations in the story of a seed.
  static func violations(_ seed: UInt64, _ mistake: PlantedMistake? = nil) throws -> [String] {
    var story = try ServerStory(seed, mistake)
    defer { story.server.end() }
    for _ in 0..<story.length { try story.step() }
    try story.settle()
    return story.violations
  }

  private init(_ seed: UInt64, _ mistake: PlantedMistake?) throws {
    random = SplitMix64(seed: seed)
    self.mistake = mistake
    length = Int.random(in: 20...80, using: &random)
    server = try TestServer()
    folder = try TemporaryFolder()
    for number in 1...Int.random(in: 2...4, using: &random) {
      devices.append(try TestDevice(folder.path("\(number).db")))
      backups.append(nil)
      memories.append(PlantedTransport.Memory())
    }
  }

  private mutating func step() throws {
    let one = Int.random(in: 0..<devices.count, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45: try write(one)
    case 45..<88: try sync(one)
    case 88..<91: backups[one] = try devices[one].store.bytes()
    case 91..<94: if let backup = backups[one] { try devices[one].restore(backup, seed: random.next()) }
    case 94..<97: try failOver()
    default: try compact()
    }
    if random.oneIn(3) { standby = try standby.suffix(3) + [server.store().bytes()] }
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
    let transport = LossyTransport(try way(one), oneIn: 12, seed: random.next())
    do {
      let end = try devices[one].sync(transport, direction, pageLimit: limit).end
      check(end == .done(setAside: 0) || end == .cannotHandOver, "a session ends with \(end)")
    } catch is LossyTransport.Lost {}
  }

  private func way(_ one: Int) throws -> any ServerTransport {
    guard let mistake else { return try server.client() }
    return PlantedTransport(try server.client(), mistake, memories[one])
  }

  private mutating func check(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { violations.append(what()) }
  }

  /// A standby that lags replaces the server.
  private mutating func failOver() throws {
    guard let backup = standby.randomElement(using: &random) else { return }
    try server.replaceStore(with: backup)
  }

  private func compact() throws {
    let store = try server.store()
    _ = try store.write { try store.compact(retireAfter: .seconds(86_400), now: TestServer.now, drift: nil) }
  }

  private mutating func settle() throws {
    var before = try contents(of: server)
    for device in devices { before.merge(try device.contents) { max($0, $1) } }
    for _ in 0..<3 {
      for one in devices.indices {
        let end = try devices[one].sync(way(one)).end
        check(end == .done(setAside: 0), "the last sessions end with \(end)")
      }
    }
    // A deletion that was compacted away is not sent to a device that lacks the record.
    let all = try (devices.map { try $0.contents } + [contents(of: server)]).map { contents in
      contents.filter { !$0.value.hasSuffix(" -") }
    }
    for one in all { check(one == all[0], "\(one) and \(all[0])") }
    for (id, record) in before where !record.hasSuffix(" -") {
      let newest = try devices.map { try $0.contents[id] ?? "" }.max() ?? ""
      check(newest >= record, "\(id): \(record) is lost, \(newest) is there")
    }
    // Nothing more to do: one request, and nothing moves.
    for one in devices.indices {
      let way = try way(one)
      let tally = try devices[one].sync(way).tally
      check(tally.received + tally.sent + way.sent == 0, "something still moves")
    }
  }

  private func contents(of server: TestServer) throws -> [String: String] {
    try TestDevice(server.store()).contents
  }
}
