@testable import SystemIO
import TestSupport
import Testing

#if os(Linux)
  /// Notices about a file that is written to.
  @Suite struct FileWatchTests {
    @Test func aWriteIsToldOnce() throws {
      let folder = try TemporaryFolder()
      let path = try folder.write("", to: "file")
      let file = try Descriptor.appending(to: path)
      let watch = try #require(FileWatch(path))
      #expect(!watch.takeChange())
      try file.write("x")
      #expect(watch.takeChange())
      #expect(!watch.takeChange())
    }

    @Test func whatIsNotThereCannotBeWatched() { #expect(FileWatch("/nonexistent/file") == nil) }
  }
#endif
