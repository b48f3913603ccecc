import CommandLine
import Devices
import JSONLines
import SyncCore
import SystemIO

extension MesheventsTool {
  static func runEvents(_ settings: EventSettings, on console: Console) throws -> ExitStatus {
    return try BadLines.collecting(
      settings, inputs: settings.files, outputs: (settings.registry, nil), on: console
    ) { badLines in
      var registry = settings.registry.map { RegistryFile($0, console) }
      var filter = MeshEventFilter(idName: settings.idKey, registry: try registry?.read() ?? MeshRegistry())
      let status: ExitStatus
      do {
        status = try filter.run(settings.files, &registry, &badLines)
      } catch {
        // Keeps the new entries of a run that a signal ended.
        try registry?.add(filter.takeNews())
        throw error
      }
      try registry?.add(filter.takeNews())
      return status
    }
  }
}

extension MeshEventFilter {
  fileprivate mutating func run(
    _ files: [String], _ registry: inout RegistryFile?, _ badLines: inout BadLines
  ) throws -> ExitStatus {
    var output = ByteOutput.standardOutput
    var last = "-"
    try InputLines.forEach(
      ofAll: files, flushing: &output,
      // New ids are saved before the events are written, so an id that readers have seen stays the same
      // in the next run. A busy run saves once in an interval, because each save writes the whole file.
      pause: { input in
        guard hasNews, let file = registry, file.isRested || input.mayWait else { return }
        try registry?.add(takeNews())
      }
    ) { file, line, number, output in
      // Changing the owner of the name for each line would cost more than this comparison.
      if last != file { last = file }
      do throws(MeshError) {
        try handle(line, into: &output.buffer)
      } catch {
        try output.flush()
        try badLines.report(error, in: line, file, number)
      }
      try output.flushIfFull()
    }
    let left = finish()
    for error in left { badLines.report(Diagnostic(error, in: last, line: nil)) }
    return left.isEmpty ? .done : .badData
  }
}

extension BadLines {
  /// An error of a peer never ends the run; an error in the input may.
  mutating func report(_ error: MeshError, in line: Span<UInt8>, _ file: String, _ number: Int) throws {
    let diagnostic = Diagnostic(error, in: file, line: number)
    if error.isOfPeers {
      try passOver(line, because: diagnostic)
    } else {
      try leaveOut(line, because: diagnostic)
    }
  }
}

extension Diagnostic {
  init(_ error: MeshError, in file: String, line: Int?) {
    self.init(error.code, error.message, file: file, line: line)
  }
}

/// The file of `--registry`, which several runs may share: each adds its new entries.
struct RegistryFile {
  private let path: String
  /// The time on the monotonic clock until which a busy run collects new entries before it writes them.
  private var rest = Duration.zero

  private let console: Console
  private var isFull = false

  private static let interval = Duration.seconds(1)
  /// The maximum size of the file in bytes, for reading and for writing.
  private static let limit = 64 << 20

  init(_ file: FilePath, _ console: Console) { (path, self.console) = (file.path, console) }

  /// Whether the last write is at least `interval` ago.
  var isRested: Bool { SystemClock.monotonic() >= rest }

  /// The entries of the file; empty if the file does not exist.
  func read() throws -> MeshRegistry {
    guard FileMode.exists(path) else { return MeshRegistry() }
    // A run that ends by a signal must still save its registry.
    let text = try ByteInput.contents(of: path, limit: Self.limit, heedingSignals: false)
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

  /// Adds entries to the file; after a crash it has either the old or the new lines.
  mutating func add(_ news: [MeshRegistry.News]) throws {
    guard !news.isEmpty else { return }
    let lock = try FileLock(on: path)
    let result = Result { try replace(adding: news) }
    lock.release()
    rest = SystemClock.monotonic() + Self.interval
    try result.get()
  }

  private mutating func replace(adding news: [MeshRegistry.News]) throws {
    AtomicFile.removeLeftovers(of: path)
    var registry = try read()
    guard registry.add(news) else { return }
    let output = try AtomicFile(creating: path)
    var size = 0
    var leftOut = 0
    for entry in registry.entries {
      let line = Array(entry.line.utf8)
      if size + line.count > Self.limit {
        leftOut += 1
      } else {
        size += line.count
        try output.write(line.span)
      }
    }
    try output.commit()
    if leftOut > 0, !isFull {
      console.warn(
        "\(path) is full: new handles are not added",
        hint: "remove the lines of devices that you no longer use")
    }
    isFull = leftOut > 0
  }
}
