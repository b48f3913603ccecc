import Bindings
import CommandLine
import CommonInputs
import RecordInputs
import Store
import SyncCore
import SystemIO
import Tables

extension StoreSettings {
  /// The lock for the sources of a store, and for its bindings.
  ///
  /// Two processes must not read the same source at the same time, and a source must stay bound while it is
  /// read or written.
  func bindLock(patience: Duration) throws(SystemError) -> FileLock {
    try FileLock(ChangeStore.bindLockFile(of: path), patience: patience)
  }

  var bounds: WriteBounds {
    WriteBounds(
      now: present, isGiven: now != nil, drift: drift, maxDelete: maxDelete,
      conflictAge: keepConflicts.duration)
  }
}

/// A stamp that changes when a source may have changed, or is bound again.
struct SourceStamp: Equatable {
  private var file: FileStamp?
  private var database: DatabaseStamp?
  /// The stamp of the binding.
  private let binding: String

  init(_ binding: Binding) {
    self.binding = binding.stamp
    if binding.table != nil {
      database = DatabaseStamp(of: binding.source)
    } else {
      file = FileStamp(of: binding.source)
    }
  }
}

extension Binding {
  /// Whether this is the same binding, perhaps bound again with other options.
  func isSame(as other: Binding) -> Bool { entity == other.entity && hasSameSource(as: other) }

  /// Whether both bindings are of one file, or of one table in any spelling of its name.
  func hasSameSource(as other: Binding) -> Bool {
    guard hasSameFile(as: other) else { return false }
    guard let table, let otherTable = other.table else { return table == other.table }
    return TriggerWrite.isSame(table, otherTable)
  }

  /// The source as people read it: its path, and the table of a database.
  var shownSource: String { (source + (table.map { ", \($0)" } ?? "")).escapingControls }
}

extension StoreSettings {
  /// Throws if standard output is a bound file, because the next run would read its lines as records.
  func refuseBoundOutput() throws {
    guard Descriptor.standardOutput.kind == .regular, FileMode.exists(path),
      let bindings = try? ChangeStore(path, creating: false, wait: wait, onlyRead: true).bindings()
    else { return }
    try Command.refuseOutput(among: bindings.map(\.source))
  }
}
