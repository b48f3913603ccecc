import Foundation
import Store
import SystemIO
import Tables
import Testing

/// Commits to a database are noticed, whatever its journal.
@Suite struct DatabaseWatchTests {
  private let folder: String
  private var path: String { "\(folder)/app.db" }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  @Test(arguments: ["wal", "delete", "truncate", "persist", "memory"])
  func eachCommitIsNoticed(journal: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Database.create(path)
    let database = try Database(path, wait: .seconds(10))
    _ = try database.statement("PRAGMA journal_mode = \(journal)").first { $0.text(0) }
    try database.run("CREATE TABLE t (n)")
    var watch = DatabaseWatch(path)
    for number in 1...200 {
      try database.run("INSERT INTO t VALUES (\(number))")
      let isNoticed = watch.wait(until: SystemClock.monotonic() + .seconds(30))
      #expect(isNoticed, "commit \(number)")
    }
    // A late notice does not report a commit more than once.
    while watch.wait(until: SystemClock.monotonic() + .milliseconds(300)) {}
    let isToldAgain = watch.wait(until: SystemClock.monotonic() + .milliseconds(300))
    #expect(!isToldAgain)
  }

  @Test func aCommitIsSeenThroughALink() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Database.create(path)
    let database = try Database(path, wait: .zero)
    _ = try database.statement("PRAGMA journal_mode = wal").first { $0.text(0) }
    try database.run("CREATE TABLE t (n)")
    let link = "\(folder)/link.db"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "app.db")
    let before = DatabaseStamp(of: link)
    try database.run("INSERT INTO t VALUES (1)")
    #expect(before != nil && DatabaseStamp(of: link) != before)
  }

  @Test func aFileInItsPlaceIsNoticed() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Database.create(path)
    try Database(path, wait: .zero).run("CREATE TABLE t (n)")
    try Database.create(path + ".new")
    try Database(path + ".new", wait: .zero).run("CREATE TABLE u (n)")
    var watch = DatabaseWatch(path)
    try FileMode.rename(path + ".new", to: path)
    let isNoticed = watch.wait(until: SystemClock.monotonic() + .seconds(30))
    #expect(isNoticed)
  }
}
