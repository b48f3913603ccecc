import Foundation
import Remotes
import Store
import SyncCore
import TestSupport
import Testing

/// Random schedules of devices that write, sync with their own copies of a folder, are copied and restored.
///
/// The files are carried late, torn and in any order. In the end every store has the newest of each record.
@Suite struct FolderStoryTests {
  @Test(arguments: Tries.seeds(10, soak: 1_000))
  func everyStoreEndsWithTheNewestOfEachRecord(seed: UInt64) throws {
    var story = try FolderStory(seed)
    for _ in 0..<story.length { try story.step() }
    try story.settle()
  }
}

private struct FolderStory {
  private var random: SplitMix64
  let length: Int
  private var devices: [TestDevice] = []
  /// The copy of the folder that each device has.
  private var folders: [TemporaryFolder] = []
  private var backups: [[UInt8]?] = []
  private var clock = 0

  init(_ seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    length = Int.random(in: 20...120, using: &random)
    let marker = try TemporaryFolder()
    _ = try SharedFolder.make(marker.url.path)
    let text = try String(contentsOfFile: marker.path("peersync-folder.json"), encoding: .utf8)
    for number in 1...Int.random(in: 2...4, using: &random) {
      devices.append(try TestDevice(number, seed: random.next()))
      folders.append(try TemporaryFolder())
      try folders[number - 1].write(text, to: "peersync-folder.json")
      backups.append(nil)
    }
  }

  private mutating func device() -> Int { Int.random(in: 0..<devices.count, using: &random) }

  mutating func step() throws {
    let one = device()
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35: try write(one)
    case 35..<60: try sync(one)
    case 60..<90:
      for _ in 0..<Int.random(in: 1...6, using: &random) { try carry(from: device(), to: device()) }
    case 90..<94: backups[one] = try devices[one].store.bytes()
    case 94..<97: if let backup = backups[one] { try devices[one].restore(backup, seed: random.next()) }
    case 97..<98 where devices.count < 6: try clone(one)
    default: try write(one)
    }
  }

  /// The same device once more, with the same store and folder: a virtual machine that was copied.
  private mutating func clone(_ one: Int) throws {
    let number = Int(String(devices[one].id.suffix(1)))!
    let copy = try TestDevice(number, seed: 0)
    try copy.restore(devices[one].store.bytes(), seed: random.next())
    devices.append(copy)
    folders.append(try TemporaryFolder())
    backups.append(nil)
    for file in try files(one) { try copyFile(file, from: one, to: devices.count - 1) }
  }

  private mutating func write(_ one: Int) throws {
    clock += 1
    let id = Int.random(in: 1...8, using: &random)
    let time = "2025-05-01T0\(clock / 3600):\(String(format: "%02d:%02d", clock / 60 % 60, clock % 60)).000Z"
    if random.oneIn(4) {
      try devices[one].put(
        #"{"entityName":"Task","identity":{"id":"\#(id)"},"deletedAt":"\#(time)"}"#)
    } else {
      try devices[one].put(
        #"{"entityName":"Task","identity":{"id":"\#(id)"},"modifiedAt":"\#(time)","fields":{"title":"\#(clock)"}}"#
      )
    }
  }

  private mutating func sync(_ one: Int) throws {
    let limit = [400, 1_000, 4 << 20].randomElement(using: &random)!
    let direction: DialogueSettings.Direction = random.oneIn(5) ? .pull : random.oneIn(5) ? .push : .both
    let outcome = try devices[one].sync(folders[one], direction, pageLimit: limit)
    #expect(outcome.end == .done(setAside: 0))
  }

  // MARK: Carrying the files

  private func files(_ one: Int) throws -> [String] {
    let root = folders[one].url.path
    return try FileManager.default.subpathsOfDirectory(atPath: root).sorted().filter {
      var isFolder = ObjCBool(false)
      return unsafe FileManager.default.fileExists(atPath: "\(root)/\($0)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  private func copyFile(_ file: String, from one: Int, to other: Int, upTo count: Int? = nil) throws {
    let data = try Data(contentsOf: URL(filePath: folders[one].path(file)))
    let target = URL(filePath: folders[other].path(file))
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.prefix(count ?? data.count).write(to: target)
  }

  /// Only what the device at `one` has written itself goes from it, and a file that it has removed goes there too.
  private mutating func carry(from one: Int, to other: Int) throws {
    guard devices[one].id != devices[other].id else { return try carryBetweenCopies(one, other) }
    let mine = try files(one).filter { $0.hasPrefix(devices[one].id) }
    guard let file = mine.randomElement(using: &random) else { return }
    let isTorn = random.oneIn(10)
    try copyFile(file, from: one, to: other, upTo: isTorn ? Int.random(in: 0...300, using: &random) : nil)
    for gone in try files(other)
    where gone.hasPrefix(devices[one].id) && !mine.contains(gone) && random.oneIn(3) {
      if copies(of: one).count == 1 { try FileManager.default.removeItem(atPath: folders[other].path(gone)) }
    }
  }

  private func copies(of one: Int) -> [Int] { devices.indices.filter { devices[$0].id == devices[one].id } }

  /// The later file wins, as sync programs have it; the other one gets another name, which nobody reads.
  private mutating func carryBetweenCopies(_ one: Int, _ other: Int) throws {
    guard one != other,
      let file = try files(one).filter({ $0.hasPrefix(devices[one].id) }).randomElement(using: &random)
    else { return }
    try copyFile(file, from: one, to: other)
  }

  // MARK: The end

  mutating func settle() throws {
    // Records that no store and no folder has any more are lost: only a restored store had them.
    var before: [String: String] = [:]
    for device in devices {
      for (id, clock) in try device.clocks { before[id] = max(before[id] ?? "", clock) }
    }
    for _ in 0..<8 {
      for one in devices.indices {
        #expect(try devices[one].sync(folders[one]).end == .done(setAside: 0))
        for other in devices.indices where other != one {
          for file in try files(one) where file.hasPrefix(devices[one].id) {
            try copyFile(file, from: one, to: other)
          }
        }
      }
    }
    let clocks = try devices.map { try $0.clocks }
    for clock in clocks { #expect(clock == clocks[0]) }
    for (id, clock) in before { #expect(clocks[0][id] ?? "" >= clock) }
    let contents = try devices.map { try $0.contents }
    for content in contents { #expect(content == contents[0]) }
  }
}
