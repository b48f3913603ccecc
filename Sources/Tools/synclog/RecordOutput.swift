import CommonInputs
import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

/// Settings of a command that writes records.
protocol RecordOutputConfigurable: StoreConfigurable {
  /// The entity of the records; nil for all.
  var only: String? { get set }
  var changes: Bool { get set }
}

extension Option where Settings: RecordOutputConfigurable {
  static var only: [Option] {
    [
      .value("only", named: "NAME", "Write only the records of this entity.", completion: .entities) {
        $0.only = $1
      }
    ]
  }
}

/// Writes the records of a store in their original form, or its change lines.
struct RecordOutput: ~Copyable {
  private var output = ByteOutput.standardOutput
  private var records: StoredRecords
  private let store: ChangeStore

  /// If an earlier version wrote the store, its lines are written unchanged.
  init(_ store: ChangeStore, _ settings: some RecordOutputConfigurable) throws {
    self.store = store
    let writesChanges = settings.changes || store.isOlder
    records = try writesChanges ? StoredRecords(nil) : StoredRecords(store, entity: settings.only)
  }

  mutating func write(_ line: Span<UInt8>, _ key: Span<UInt8>) throws {
    try output.write(line.extracting(range(of: line, key)))
    try output.write(10)
  }

  mutating func flush() throws { try output.flush() }

  /// Reports the records that were not written as requested.
  func tell(_ console: Console) {
    if store.isOlder {
      console.note("\(store.path): written by an earlier version; its lines are written unchanged")
    }
    if records.wrapped > 0 {
      console.note(
        "written as change lines, because record would not read the same records from their original form: "
          + "\(records.wrapped)")
    }
  }

  private mutating func range(of line: Span<UInt8>, _ key: Span<UInt8>) throws -> Range<Int> {
    do throws(ChangeError) {
      return try records.range(of: line, key)
    } catch {
      throw Diagnostic(
        .missingEntity, "the store has several entities, and records do not name theirs", file: store.path,
        hint: "--only NAME writes the records of one entity, and --changes writes change lines")
    }
  }
}
