import CommandLine
import Devices
import JSONLines
import SyncCore
import SystemIO

/// The file of `--registry`, which several runs may have at once: each adds what it has learned to what is there.
struct RegistryFile {
  private let path: String
  /// Until this time of the monotonic clock a busy run gathers what it learns.
  private var rest = Duration.zero

  private static let interval = Duration.seconds(1)

  init(_ file: FilePath) { path = file.path }

  /// The last writing is some time ago.
  var isRested: Bool { SystemClock.monotonic() >= rest }

  /// The entries of the file; none where there is none.
  func read() throws -> MeshRegistry {
    guard FileMode.exists(path) else { return MeshRegistry() }
    // Who drains after a signal writes down what he has learned.
    let text = try ByteInput.contents(of: path, heedingSignals: false)
    var entries: [RegisteredPeer] = []
    var lines = LineCursor()
    while let line = lines.next(in: text.span) {
      let content = text.span.extracting(line.content)
      guard !content.isBlankLine else { continue }
      do throws(MeshError) {
        entries.append(try RegisteredPeer(parsing: content))
      } catch {
        throw Diagnostic(error, in: path, line: line.number)
      }
    }
    return MeshRegistry(entries)
  }

  /// Adds to the file, of which after a crash at any moment the old lines or the new ones are there.
  mutating func add(_ news: [MeshRegistry.News]) throws {
    guard !news.isEmpty else { return }
    let lock = try FileLock("\(FileMode.resolved(path)).lock")
    let result = Result { try replace(adding: news) }
    lock.release()
    rest = SystemClock.monotonic() + Self.interval
    try result.get()
  }

  private func replace(adding news: [MeshRegistry.News]) throws {
    AtomicFile.removeLeftovers(of: path)
    var registry = try read()
    guard registry.add(news) else { return }
    let output = try AtomicFile(creating: path)
    for entry in registry.entries { try output.write(Array(entry.line.utf8).span) }
    try output.commit()
  }
}
