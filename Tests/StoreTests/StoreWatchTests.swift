import Foundation
import Store
import TestSupport
import Testing

/// Checking from outside whether a store has news.
@Suite struct StoreWatchTests {
  @Test func aChangeIsToldMoreThanOnce() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var watch = StoreWatch()
    func look(_ time: Int) -> Bool { watch.mayHaveNews(path, at: .milliseconds(time)) }
    #expect(!look(0))
    try Data("a".utf8).write(to: URL(filePath: path))
    // Entries in the log may become readable only after the check, without a change in the files.
    let told = (0...400).map { look(1_000 + $0 * 100) }
    #expect(told.indices.filter { told[$0] } == [0, 2, 5, 10, 20, 40, 80])
    try Data("ab".utf8).write(to: URL(filePath: path))
    let again = [look(60_000), look(60_000)]
    #expect(again == [true, false])
  }

  @Test func theLogIsBesideTheFileThatALinkLeadsTo() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", to: "store.db")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.db"), withDestinationPath: "store.db")
    var watch = StoreWatch()
    let first = watch.mayHaveNews(folder.path("link.db"), at: .zero)
    try folder.write("b", to: "store.db-wal")
    let second = watch.mayHaveNews(folder.path("link.db"), at: .zero)
    #expect(first && second)
  }
}
