import Foundation
import JSONLines
import Postgres
import Remotes
import Server
import ServerProtocol
import Store
import SyncCore
import Synchronization
import SystemIO
import TestSupport

/// A server with one household on a port of this machine, in this process.
final class TestServer: Sendable {
  /// The file of the household, unless it is in a database.
  let home: String
  let places: HouseholdPlaces
  let household: String
  nonisolated(unsafe) private let folder: TemporaryFolder
  let port: Int
  let key: String
  let readOnlyKey: String
  let ring: KeyRing
  private let http: HTTPServer
  private let server: SyncServer
  private let hasEnded = Atomic(false)
  static let now = Instant("2025-06-01T00:00:00Z")!

  init(_ change: (inout HTTPServer.Limits) -> Void = { _ in }) throws {
    let folder = try TemporaryFolder()
    unsafe self.folder = folder
    home = folder.path("home.db")
    switch TestEngine.current {
    case .sqlite: (places, household) = (.folder(folder.url.path), "home")
    case .postgres(let url):
      // Several tests share a database.
      (places, household) = (.database(try PostgresAddress(url)), "t\(UUID().uuidString.lowercased())")
    }
    ring = KeyRing(in: folder.path("server"))
    try Households(places, wait: .seconds(10)).add(household)
    var records = [KeyRecord(id: "0000000000000001", household: household, createdAt: Self.now)]
    records.append(KeyRecord(id: "0000000000000002", household: household, createdAt: Self.now))
    records[1].isReadOnly = true
    let made = records
    key = try ring.text(of: made[0])
    readOnlyKey = try ring.text(of: made[1])
    try ring.change { $0 = made }
    let server = SyncServer(HouseholdRules(places) { Self.now }, ring, workers: 2) { print($0.text) }
    self.server = server
    var limits = HTTPServer.Limits()
    change(&limits)
    let listener = try HTTPListener(host: "127.0.0.1", port: 0)
    port = listener.port
    http = try HTTPServer(listener, limits) {
      server.admit($0)
    } work: {
      server.work($0)
    } log: {
      server.count($0, $1)
    }
    Worker.start { [weak self] in
      while let self, !self.hasEnded.load(ordering: .relaxed) {
        let now = SystemClock.monotonic()
        self.server.tend(at: now)
        _ = self.http.tend(at: now)
        SystemClock.sleep(.milliseconds(20))
      }
    }
  }

  deinit { end() }

  func end() {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    server.stop()
    http.stop(until: SystemClock.monotonic() + .seconds(60))
    server.close()
  }

  func client(_ key: String? = nil) throws -> HTTPClient {
    var settings = HTTPClient.Settings(url: "http://127.0.0.1:\(port)", key: key ?? self.key)
    settings.patience = .seconds(60)
    return try HTTPClient(settings)
  }

  /// Without a key.
  func stranger() throws -> HTTPClient {
    var settings = HTTPClient.Settings(url: "http://127.0.0.1:\(port)", key: "")
    settings.patience = .seconds(60)
    return try HTTPClient(settings)
  }

  /// Waits for a change after a token, on a separate thread.
  func wait(_ since: String, key: String? = nil, store: String? = nil) -> BackgroundCall<HTTPClient.Answer> {
    let (port, key) = (port, key ?? self.key)
    let fields = store.map { [RequestHead.Field(ChangesHeader.store, $0)] } ?? []
    return BackgroundCall {
      var settings = HTTPClient.Settings(url: "http://127.0.0.1:\(port)", key: key)
      settings.patience = .seconds(60)
      return try HTTPClient(settings).send("GET", "/changes?wait=50&since=\(since)", fields, body: nil)
    }
  }

  /// Puts another file where the store is, while the server runs.
  func replaceStore(with bytes: [UInt8]) throws {
    let home = home
    guard case .database = places else {
      return try server.alone(with: household) { try Self.replace(home, with: bytes) }
    }
    try server.alone(with: household) { [places, household] in
      let copy = try ChangeStore(restoring: bytes, random: SystemRandomNumberGenerator())
      try Households(places, wait: .seconds(10)).open(household).replace(with: copy)
    }
  }

  private static func replace(_ home: String, with bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: home + ".new"))
    for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: home + end) }
    try FileManager.default.removeItem(atPath: home)
    try FileManager.default.moveItem(atPath: home + ".new", toPath: home)
  }

  /// The change lines of the store.
  var storedLines: [String] {
    get throws {
      var lines: [String] = []
      _ = try store().changes(after: nil) { line in
        lines.append(String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self))
      }
      return lines
    }
  }

  func store() throws -> ChangeStore {
    try Households(places, wait: .seconds(10)).open(household)
  }
}
