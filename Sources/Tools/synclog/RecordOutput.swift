import CommandLineTool
import History
import JSONLines
import StoreFiles
import SyncCore
import SystemIO

/// Writes the records of a store as they were put in, or the change lines that the store has.
struct RecordOutput: ~Copyable {
  private var output = ByteOutput.standardOutput
  /// Nil writes change lines.
  private var unwrapper: RecordUnwrapper?
  private let store: ChangeStore
  /// Records that would not be the same without what their change lines say.
  private var wrapped = 0

  /// Lines of an earlier version are written as they are.
  init(_ store: ChangeStore, _ settings: SynclogTool.Settings) throws {
    self.store = store
    guard !settings.changes, !store.isOlder else { return }
    let choice = RuleChoice(RecordShape(), hasProfile: false, entityName: settings.only)
    let shape = try choice.shape(
      under: store.rules() ?? RecordShape(), entities: settings.only == nil ? store.entities(upTo: 2) : [])
    unwrapper = RecordUnwrapper(shape)
  }

  mutating func write(_ line: Span<UInt8>, _ key: Span<UInt8>) throws {
    if let record = try record(in: line, key) {
      try output.write(line.extracting(record))
    } else {
      if unwrapper != nil { wrapped += 1 }
      try output.write(line)
    }
    try output.write(10)
  }

  mutating func flush() throws { try output.flush() }

  /// Says what was written in another way than was asked for.
  func tell(_ console: Console) {
    if store.isOlder {
      console.note("\(store.path): written by an earlier version; the lines are as it has them")
    }
    if wrapped > 0 {
      console.note("written as change lines, as they would not be the same records without: \(wrapped)")
    }
  }

  private mutating func record(in line: Span<UInt8>, _ key: Span<UInt8>) throws -> Range<Int>? {
    if unwrapper == nil { return nil }
    do throws(ChangeError) {
      return try unwrapper?.record(in: line, key)
    } catch {
      throw Diagnostic(
        .missingEntity, "records of several entities do not name theirs", file: store.path,
        hint: "--only NAME writes those of one, and --changes writes change lines")
    }
  }
}
