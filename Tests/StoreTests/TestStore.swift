import Foundation
import JSONLines
import Postgres
@testable import Store
import SyncCore
import TestSupport

/// A store in its own folder, which is removed with it, and short ways to use it.
final class TestStore {
  /// Nil for a store in memory.
  private let place: URL?
  private(set) var store: ChangeStore
  /// Nil for a store in SQLite.
  private let household: TestHousehold?
  var shape = RecordShape()
  var now = Instant("2025-06-01T00:00:00Z")!

  var path: String { store.path }

  init(profile: String? = nil) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "peersync-\(UUID().uuidString)")
    place = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    switch TestEngine.current {
    case .sqlite:
      store = try ChangeStore(folder.appending(path: "store.db").path, creating: true, wait: .seconds(10))
      household = nil
    case .postgres(let url):
      let household = try TestHousehold(url)
      store = try household.opened()
      self.household = household
    }
    guard let profile else { return }
    let text = Array(profile.utf8)
    shape.profile = try Profile(parsing: text.span)
  }

  init(_ store: ChangeStore) throws { (self.store, place, household) = (store, nil, nil) }

  deinit { if let place { try? FileManager.default.removeItem(at: place) } }

  var folder: URL { place! }

  /// Another connection to the same file.
  func opened() throws -> ChangeStore {
    if let household { return try household.opened() }
    return try ChangeStore(path, creating: false, wait: .seconds(10))
  }

  /// The rows of each table, in order: PostgreSQL returns them in any order.
  func rows() throws -> [String: [String]] {
    var rows: [String: [String]] = [:]
    try store.read {
      for table in StoreCopy.tables {
        let columns = table.columns.joined(separator: ", ")
        try store.database.statement("SELECT \(columns) FROM \(table.name)").forEachRow { row in
          let values = table.columns.indices.map { index in
            let column = Int32(index)
            return row.kind(column) == .integer ? "\(row.integer(column))" : row.text(column)
          }
          rows[table.name, default: []].append(values.joined(separator: "|"))
        }
      }
    }
    return rows.mapValues { $0.sorted() }
  }

  // MARK: Writing

  @discardableResult
  func put(_ lines: String...) throws -> [LocalIntake.Outcome] {
    try store.write {
      var intake = try LocalIntake(store, shape, now: now)
      return try lines.map { text in
        let line = try read(text)
        return try intake.put(line.key.span, line.bytes.span, line.change)
      }
    }
  }

  @discardableResult
  func record(_ lines: String..., limit: DeleteLimit = .off) throws -> SnapshotIntake {
    try recordAll(lines, limit: limit)
  }

  @discardableResult
  func recordAll(_ lines: [String], limit: DeleteLimit = .off) throws -> SnapshotIntake {
    try store.write {
      var intake = try SnapshotIntake(store, shape, entity: nil, withholdingDeletions: false, now: now)
      let sorted = try lines.map(read).sorted { $0.key.lexicographicallyPrecedes($1.key) }
      for line in sorted {
        try intake.record(line.key.span, line.bytes.span, line.change)
      }
      try intake.finish(limit)
      return intake
    }
  }

  @discardableResult
  func apply(
    _ lines: [String], from name: String, limit: DeleteLimit = .off, equality: ChangeEquality = .bytes
  ) throws -> PeerIntake.Counts {
    try store.write {
      let intake = try take(lines, from: name, equality)
      try intake.check(limit)
      return intake.counts
    }
  }

  /// Inside a `write`.
  @discardableResult
  func take(
    _ lines: [String], from name: String, _ equality: ChangeEquality = .bytes
  ) throws -> PeerIntake {
    var intake = try PeerIntake(store, from: store.peer(seen: name, now: now), shape, equality: equality)
    for line in try lines.map(read) {
      try intake.apply(line.key.span, line.bytes.span, line.change)
    }
    return intake
  }

  @discardableResult
  func apply(_ lines: String..., from name: String) throws -> PeerIntake.Counts {
    try apply(lines, from: name)
  }

  func acknowledge(_ name: String, _ token: StoreToken) throws {
    try store.write {
      try store.setCheckpoint(store.peer(seen: name, now: now), .incoming, token.text, now: now)
    }
  }

  /// Inside a `write`.
  func noteSeen(_ line: String, from peer: StorePeer) throws {
    let key = try key(line)
    try store.noteSeen(key.span, from: peer)
  }

  // MARK: Reading

  func since(
    _ token: StoreToken?, for name: String? = nil, limits: ChangeStore.PageLimits = .init()
  ) throws -> (lines: [String], end: ChangeStore.PageEnd) {
    var lines: [String] = []
    let end = try store.changes(
      after: token, for: name.map { try store.knownPeer($0) },
      leavingOutEcho: token?.isOfDifference ?? false, limits: limits
    ) {
      lines.append(Self.text($0))
    }
    return (lines, end)
  }

  var token: StoreToken { get throws { try store.currentToken() } }

  /// All lines in key order, including deletions.
  var lines: [String] {
    get throws {
      var lines: [String] = []
      try store.forEachLine(tombstones: true, isBaseline: false) { line, _ in
        lines.append(Self.text(line))
      } finish: {
      }
      return lines
    }
  }

  func row(of line: String) throws -> StoredRow? {
    let key = try key(line)
    return try store.row(of: key.span)
  }

  /// The peer that a row came from, 0 for none, and its sequence.
  func place(of line: String) throws -> (origin: Int64, sequence: Int64)? {
    try store.database.statement("SELECT origin, sequence FROM changes WHERE key = ?1").bind(1, key(line))
      .first { ($0.integer(0), $0.integer(1)) }
  }

  func peer(_ name: String) throws -> StorePeer { try store.knownPeer(name) }

  /// A line and the values to read in it.
  struct Line {
    var key: [UInt8] = []
    var bytes: [UInt8]
    var change: ChangeLine
  }

  func read(_ text: String) throws -> Line {
    // Spans of temporary values beside arguments that throw crash the compiler, here and below.
    var (key, reader) = ([UInt8](), LineReader(shape))
    let bytes = Array(text.utf8)
    let change = try reader.read(bytes.span, key: &key)
    return Line(key: key, bytes: bytes, change: change)
  }

  func key(_ line: String) throws -> [UInt8] { try read(line).key }

  func change(_ line: String) throws -> ChangeLine { try read(line).change }

  static func text(_ span: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    bytes.append(span)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A plain record.
  static func record(_ id: Int, _ title: String, _ day: Int) -> String {
    "{\"id\":\(id),\"title\":\"\(title)\",\"updatedAt\":\"2025-05-\(day < 10 ? "0" : "")\(day)T00:00:00Z\"}"
  }

  /// The store's line for such a record.
  static func line(_ id: Int, _ title: String, _ day: Int) -> String {
    "{\"entityName\":\"\",\"identity\":{\"id\":\(id)},\"modifiedAt\":\"2025-05-\(day < 10 ? "0" : "")\(day)T00:00:00.000Z\","
      + "\"fields\":\(record(id, title, day))}"
  }

  static func delete(_ id: Int, _ day: Int) -> String {
    "{\"entityName\":\"\",\"identity\":{\"id\":\(id)},\"deletedAt\":\"2025-05-\(day < 10 ? "0" : "")\(day)T00:00:00.000Z\"}"
  }
}

/// A separate household in a database.
final class TestHousehold {
  private let url: String
  private let name = "t\(UUID().uuidString.lowercased())"

  init(_ url: String) throws {
    self.url = url
    let id = (0..<16).map { _ in UInt8.random(in: 0...255) }
    _ = try connected().add(name, id: id)
  }

  func connected() throws -> PostgresHouseholds {
    try PostgresHouseholds(PostgresAddress(url), wait: .seconds(10))
  }

  /// Through a separate connection.
  func opened() throws -> ChangeStore { try connected().store(name) }
}

extension SQLDatabase {
  /// Runs statements without values; for a database server, a single statement.
  func run(_ sql: String) throws {
    if let file = self as? Database { try file.run(sql) } else { try statement(sql).run() }
  }
}
