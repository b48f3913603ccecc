import Foundation
import JSONLines
@testable import Postgres
@testable import Store
import SyncCore
import Synchronization
import SystemIO
import TestSupport
import Testing

/// Many households at once, in a soak compared with pgbench with the same statements; prints the measurements.
@Suite(.enabled(if: PostgresCluster.isTried, "PostgreSQL is not installed"), .serialized) struct LoadTests {
  private static let seconds = Tries.isSoak ? 60 : 1
  /// A commit waits 10 ms for the disk, as on a magnetic disk, and commits wait together.
  ///
  /// What the transactions compute is then a small part, and other programs on this machine hardly count.
  private static let slowDisk = ["commit_delay=10000", "commit_siblings=0"]

  /// Opens a household for the calling thread.
  private typealias Opening = @Sendable (_ household: Int) throws -> ChangeStore

  private struct Outcome {
    var commits = 0
    var missed = 0
  }

  /// Writers store records in random households, and followers read the changes after their tokens.
  private func load(
    households: Int, writers: Int, followers: Int, open: @escaping @Sendable () throws -> Opening
  ) throws -> Outcome {
    let isOver = Atomic(false)
    let isWritten = Atomic(false)
    let written = Mutex([Int: Set<Int>]())
    let seen = Mutex([Int: Set<Int>]())
    let work = (0..<writers).map { writer in
      BackgroundCall {
        let opening = try open()
        var (stores, count) = ([Int: ChangeStore](), writer * 10_000_000)
        // At least once, however long it has taken to open.
        repeat {
          let household = Int.random(in: 0..<households)
          let store = try stores[household] ?? opening(household)
          stores[household] = store
          count += 1
          do {
            try store.put([TestDatabase.line(count)])
          } catch StoreError.busy {
            continue
          }
          let id = count
          written.withLock { _ = $0[household, default: []].insert(id) }
        } while !isOver.load(ordering: .relaxed)
      }
    }
    let reading = (0..<followers).map { follower in
      BackgroundCall {
        let opening = try open()
        var (stores, tokens) = ([Int: ChangeStore](), [Int: StoreToken]())
        while true {
          // Every change written before this load is in the following reads.
          let ends = isWritten.load(ordering: .acquiring)
          for household in stride(from: follower, to: households, by: followers) {
            let store = try stores[household] ?? opening(household)
            stores[household] = store
            let (lines, token) = try store.told(after: tokens[household])
            tokens[household] = token
            let ids = lines.compactMap { Int($0.split(separator: "\"")[9]) }
            seen.withLock { $0[household, default: []].formUnion(ids) }
          }
          if ends { return }
          SystemClock.sleep(.milliseconds(20))
        }
      }
    }
    SystemClock.sleep(.seconds(Self.seconds))
    isOver.store(true, ordering: .relaxed)
    for call in work + reading {
      // The writers come first.
      if call === reading.first { isWritten.store(true, ordering: .releasing) }
      while call.outcome == nil { SystemClock.sleep(.milliseconds(5)) }
      try call.outcome?.get()
    }
    let (all, told) = (written.withLock { $0 }, seen.withLock { $0 })
    var outcome = Outcome()
    for (household, ids) in all {
      outcome.commits += ids.count
      if followers > 0 { outcome.missed += ids.subtracting(told[household] ?? []).count }
    }
    return outcome
  }

  private func inDatabase(_ database: TestDatabase) -> @Sendable () throws -> Opening {
    return {
      nonisolated(unsafe) let households = try database.households()
      return { unsafe try households.store("h\($0)") }
    }
  }

  /// Runs the same statements with pgbench on as many connections; returns the transactions per second.
  private func pgbench(_ cluster: PostgresCluster, _ database: TestDatabase, households: Int, clients: Int)
    throws -> Double
  {
    let script = """
      \\set h random(1, \(households))
      \\set k random(1, 1000000000000)
      BEGIN ISOLATION LEVEL READ COMMITTED;
      SELECT set_config('search_path', 'peersync', true), set_config('peersync.store', :h::text, true), set_config('lock_timeout', '10000', true);
      SELECT 1 FROM store FOR UPDATE;
      SELECT sequence + 1 AS next, compacted, live, tombstones, coalesce((SELECT mark FROM commits ORDER BY sequence DESC LIMIT 1), 0) AS mark FROM store \\gset
      SELECT entity, after, clock FROM floors;
      SELECT entity, before FROM prunes;
      SELECT line, tombstone, base, checksum, sequence, origin FROM changes WHERE key = ('k' || :k)::bytea;
      INSERT INTO changes (key, sequence, origin, tombstone, base, checksum, line) VALUES (('k' || :k)::bytea, :next, 0, false, 0, 1, ('{"entityName":"Task","identity":{"id":"' || :k || '"},"modifiedAt":"2025-05-01T00:00:00Z","fields":{"title":"x"}}')::bytea) ON CONFLICT (store, key) DO NOTHING;
      UPDATE store SET sequence = :next, compacted = 0, live = live + 1, tombstones = 0;
      INSERT INTO commits (sequence, mark, latest, at) VALUES (:next, 1, 2, 3);
      COMMIT;
      """
    let file = FileManager.default.temporaryDirectory.appending(path: "pgbench-\(UUID().uuidString).sql")
    try script.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let text = cluster.pgbench(
      "-n -M extended -c \(clients) -j 2 -T \(Self.seconds) -f \(file.path) \(database.url)")
    let line = text.split(separator: "\n").first { $0.hasPrefix("tps = ") }
    return Double(line?.dropFirst(6).prefix { $0 != " " } ?? "") ?? 0
  }

  @Test(arguments: Tries.isSoak ? [[], slowDisk] : [[]]) func nothingIsMissedInADatabase(disk: [String])
    throws
  {
    let cluster = try PostgresCluster(["fsync=on"] + disk)
    let database = try TestDatabase(in: cluster)
    let households = try database.households()
    for number in 0..<64 {
      _ = try households.add("h\(number)", id: (0..<16).map { _ in .random(in: 0...255) })
    }
    let loaded = try load(households: 64, writers: 8, followers: 8, open: inDatabase(database))
    #expect(loaded.missed == 0 && loaded.commits > 0)
    print(
      "64 households, 8 writers, 8 followers: \(loaded.commits / Self.seconds) commits/s, missed \(loaded.missed)"
    )
    guard Tries.isSoak else { return }
    let alone = try load(households: 64, writers: 8, followers: 0, open: inDatabase(database))
    let bench = try pgbench(cluster, database, households: 64, clients: 8)
    let rate = Double(alone.commits) / Double(Self.seconds)
    print("\(disk) without followers: \(rate) commits/s; pgbench: \(bench)/s; ratio \(rate / bench)")
    if !disk.isEmpty { #expect(rate >= 0.6 * bench) }
  }

  @Test func nothingIsMissedInFiles() throws {
    let folder = try TemporaryFolder()
    for number in 0..<64 {
      _ = try ChangeStore(folder.path("\(number).db"), creating: true, wait: .seconds(10))
    }
    let path = folder.url.path
    let loaded = try load(households: 64, writers: 8, followers: 8) {
      { try ChangeStore("\(path)/\($0).db", creating: false, wait: .seconds(10)) }
    }
    withExtendedLifetime(folder) {}
    #expect(loaded.missed == 0 && loaded.commits > 0)
    print("in files: \(loaded.commits / Self.seconds) commits/s, missed \(loaded.missed)")
  }

  /// No household waits for the commit of another.
  @Test(.enabled(if: Tries.isSoak, "SOAK=1 runs it")) func manyHouseholdsAreFasterThanOne() throws {
    let cluster = try PostgresCluster(["fsync=on"] + Self.slowDisk)
    let database = try TestDatabase(in: cluster)
    let households = try database.households()
    for number in 0..<10_000 {
      _ = try households.add("h\(number)", id: (0..<16).map { _ in .random(in: 0...255) })
    }
    let many = try load(households: 10_000, writers: 8, followers: 0, open: inDatabase(database)).commits
    let one = try load(households: 1, writers: 8, followers: 0, open: inDatabase(database)).commits
    print(
      "10,000 households over 8 connections: \(many / Self.seconds) commits/s; one: \(one / Self.seconds)/s; ratio \(Double(many) / Double(one))"
    )
    #expect(many >= 4 * one)
  }
}
