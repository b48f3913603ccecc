import Foundation
import JSONLines
@testable import Remotes
@testable import Store
import SyncCore
import TestSupport

/// A device with a store, which syncs with shared folders.
final class TestDevice {
  let id: String
  let home: TemporaryFolder
  private(set) var store: ChangeStore
  /// What the last session has waited for.
  private(set) var awaited: [AwaitedFile] = []
  /// What the last session has left out.
  private(set) var leftOut: Diagnostic?
  var now = Instant("2025-06-01T00:00:00Z")!

  var path: String { home.path("store.db") }

  init(_ number: Int) throws {
    id = "00000000-0000-4000-8000-00000000000\(number)"
    home = try TemporaryFolder()
    store = try ChangeStore(home.path("store.db"), creating: true, wait: .seconds(10))
  }

  /// With a store in memory.
  init(_ number: Int, seed: UInt64) throws {
    id = "00000000-0000-4000-8000-00000000000\(number)"
    home = try TemporaryFolder()
    store = try ChangeStore(inMemory: SplitMix64(seed: seed))
  }

  /// The same device with a copy of the store, as it is now.
  init(copyOf other: TestDevice) throws {
    id = other.id
    home = try TemporaryFolder()
    store = try ChangeStore(inMemory: SystemRandomNumberGenerator())
    try other.copy(to: path)
    store = try ChangeStore(path, creating: false, wait: .seconds(10))
  }

  func copy(to path: String) throws {
    try store.database.statement("VACUUM INTO ?1").bind(1, path).run()
  }

  /// Goes back to a copy that was made before.
  func restore(from path: String) throws {
    store = try ChangeStore(path, creating: false, wait: .seconds(10))
  }

  func restore(_ bytes: [UInt8], seed: UInt64) throws {
    store = try ChangeStore(restoring: bytes, random: SplitMix64(seed: seed))
  }

  func put(_ lines: String...) throws {
    try store.write {
      if try store.rules() == nil { try store.setRules(RecordShape()) }
      var intake = try LocalIntake(store, RecordShape(), now: now)
      for text in lines {
        var (reader, key) = (LineReader(RecordShape()), [UInt8]())
        let line = Array(text.utf8)
        let change = try reader.read(line.span, key: &key)
        _ = try intake.put(key.span, line.span, change)
      }
    }
  }

  static func line(_ id: Int, _ title: String, at second: Int) -> String {
    #"{"entityName":"Task","identity":{"id":"\#(id)"},"modifiedAt":"2025-05-01T00:00:\#(second / 10)\#(second % 10)Z","fields":{"title":"\#(title)"}}"#
  }

  static func deletion(_ id: Int, at second: Int) -> String {
    #"{"entityName":"Task","identity":{"id":"\#(id)"},"deletedAt":"2025-05-01T00:00:\#(second / 10)\#(second % 10)Z"}"#
  }

  /// The titles of the live records, and the ids of the deleted ones.
  var contents: [String] {
    get throws {
      try lines.map { value in
        "\(value["identity"]?["id"]?.stringValue ?? "?") \(value["fields"]?["title"]?.stringValue ?? "-")"
      }.sorted()
    }
  }

  /// The change lines of the store.
  var lines: [JSONValue] {
    get throws {
      var lines: [JSONValue] = []
      _ = try store.changes(
        after: nil, for: nil, leavingOutEcho: false, limits: .init(bytes: nil), rules: nil
      ) {
        line in if let value = try? JSONValue(parsing: line) { lines.append(value) }
      }
      return lines
    }
  }

  /// The clock of each record, by its id.
  var clocks: [String: String] {
    get throws {
      var clocks: [String: String] = [:]
      for line in try lines {
        guard let id = line["identity"]?["id"]?.stringValue else { continue }
        clocks[id] = (line["modifiedAt"] ?? line["deletedAt"])?.stringValue
      }
      return clocks
    }
  }

  /// The outcome of a session with a folder.
  struct Outcome: Equatable {
    var end: DialogueEnd
    var received: Int
    var sent: Int
  }

  @discardableResult
  func sync(
    _ folder: TemporaryFolder, _ direction: DialogueSettings.Direction = .both, isDryRun: Bool = false,
    pageLimit: Int = 4 << 20
  ) throws -> Outcome {
    let shared = try SharedFolder.make(folder.url.path)
    var visit = RemoteSession(store, own: (id, "test"), direction) { [self] in now }
    (visit.isDryRun, visit.pageLimit) = (isDryRun, pageLimit)
    let outcome = try visit.run(with: shared)
    (awaited, leftOut) = (outcome.awaited, outcome.leftOut)
    return Outcome(end: outcome.end, received: outcome.tally.received, sent: outcome.tally.sent)
  }
}

extension TemporaryFolder {
  /// The names of the files below it, of all devices.
  var files: [String] {
    (FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String] ?? []).filter {
      $0.hasSuffix(".jsonl")
    }.sorted()
  }
}
