import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SynclogTool {
  struct RestoreSettings: StoreConfigurable {
    var store = StoreSettings()
    var file = ""
    var mayReplace = false
  }

  static let backup = Command(
    "backup", "copy the store into a file",
    discussion: [
      "The copy is a consistent snapshot, even if others write meanwhile. The types that peers sent over "
        + "protocol 1 are copied into FILE.types. Peers notice when a store was restored, and send the "
        + "missing records. A backup older than the last compact can bring back deleted records.",
      "An existing FILE is replaced only if it is empty or a store. It is not replaced if FILE-wal, "
        + "FILE-shm or FILE-journal exists, because it may then be an open database. restore replaces the "
        + "store with a backup.",
      "A killed run leaves an incomplete copy beside FILE, with a name that ends in .part. After a day, the "
        + "next backup to FILE removes that copy.",
    ],
    settings: NamedSettings(), options: Option.storePlace,
    operands: Operands("FILE", count: 1...1) { $1.name = $0[0] },
    statuses: stored, examples: [.init("Make a nightly backup:", "synclog backup tasks-backup.db")],
    run: runBackup)

  static let restore = Command(
    "restore", "replace the store with a backup",
    discussion: [
      "restore replaces the whole store in one transaction; if it fails, the store is unchanged. Changes "
        + "made here after the backup that have not reached a peer are lost. Tokens that the store issued "
        + "after the backup become invalid. Each peer notices this at the next sync, and both sides compare "
        + "all their records. Records that were deleted later stay deleted if a peer still has the deletion. "
        + "If all peers have compacted the deletion away, the records come back everywhere. The next sync "
        + "prints the number of such records. restore writes the counts as one object.",
      "A bound file or table may be newer than the backup. If its records differ from the backup and lack "
        + "clocks, the next run stores them as edits made now. Such edits replace newer edits of other "
        + "devices. restore prints how to avoid this. If the backup lacks a binding, restore removes that "
        + "binding, and prints the command that binds the file or table again.",
      "First stop all other programs that use the store, such as peersync serve and cron jobs.",
    ],
    settings: RestoreSettings(),
    options: [.flag("replace", "Replace a store that is not empty.") { $0.mayReplace = true }]
      + Option.storePlace,
    operands: Operands("FILE", count: 1...1) { $1.file = $0[0] }, statuses: stored,
    examples: [.init("Restore a backup onto a new disk:", "synclog restore tasks-backup.db")], run: runRestore
  )

  private static func runBackup(_ settings: NamedSettings, on console: Console) throws -> ExitStatus {
    let target = settings.name
    if FileMode.isSameFile(settings.store.path, target) {
      throw UsageError.conflict("'\(target)' is the store itself")
    }
    guard FileMode.isFile(target) else { throw UsageError.conflict("'\(target)' is not a regular file") }
    try ChangeStore.refuseDatabase(target)
    try refuseOtherFile(target)
    return try withStore(settings.store, console, onlyRead: true) { store in
      // A killed run may have left an incomplete copy; a younger one may belong to a run that is still active.
      AtomicFile.removeLeftovers(of: target, olderThan: .seconds(86_400))
      let file = try AtomicFile(creating: target, mode: 0o600, isNamed: true)
      guard let place = file.temporary else { preconditionFailure("name a new file or a regular one") }
      try store.backup(to: place)
      // Read the types after the records, so that the types of all copied records are among them.
      let types = try WireTypesFile.copy(besideStore: settings.store.path, to: target)
      try file.commit()
      try types?.commit()
      return .done
    }
  }

  /// Throws if a file has content and is not a store, because replacing such a file is probably a mistake.
  private static func refuseOtherFile(_ target: String) throws {
    guard FileMode.size(of: target) > 0, try !ChangeStore.isStore(target) else { return }
    throw Diagnostic(
      .cannotCreate, "not replaced: it is not a store", file: target, hint: "give another name")
  }

  /// A bound source without clocks was last read after the backup, so its content looks like new edits.
  private static func note(boundIn backup: ChangeStore, _ console: Console) throws {
    let count = try backup.bindings().count
    guard count > 0 else { return }
    console.note(
      "bound files and tables: \(count); if their records differ from the backup and lack clocks, they count as "
        + "edited now, and replace newer edits of other devices",
      hint:
        "to prevent that, for each FILE with such records: run 'peersync bind remove FILE' and 'peersync run'; copy "
        + "FILE, remove its records, bind FILE again, and run 'peersync run' again")
  }

  /// Names the bindings that have ended, because no later command reports that their sources are not synced.
  ///
  /// A binding of the backup is removed first if it has the same entity or the same source.
  private static func note(
    ended bindings: [Binding], restored: [Binding], store: String, _ console: Console
  ) {
    for binding in bindings {
      let others = restored.filter {
        $0.entity == binding.entity || $0.hasSameFile(as: binding) && $0.table == binding.table
      }
      let commands = others.map { $0.removeCommand(store: store) } + [binding.bindCommand(store: store)]
      console.note(
        "the binding of '\(binding.entity)' has ended, because the backup does not have it",
        hint: "to sync its file or table again: \(commands.joined(separator: "; "))")
    }
  }

  private static func runRestore(_ settings: RestoreSettings, on console: Console) throws -> ExitStatus {
    if FileMode.isSameFile(settings.store.path, settings.file) {
      throw UsageError.conflict("'\(settings.file)' is the store itself")
    }
    if FileMode.isFile(settings.file), FileMode.exists(settings.file), FileMode.size(of: settings.file) == 0 {
      throw Diagnostic(.notAStore, "empty, not a backup", file: settings.file)
    }
    let (backup, records) = try Diagnostic.naming(store: settings.file) {
      let backup = try ChangeStore(settings.file, creating: false, wait: settings.store.wait, onlyRead: true)
      var faults: [String] = []
      try backup.verify(backup.rules() ?? RecordShape()) { faults.append($0) }
      if let fault = faults.first {
        throw Diagnostic(.storeCorrupt, fault, file: settings.file, hint: "the store is unchanged")
      }
      return (backup, backup.live)
    }
    return try withStore(settings.store, console, creating: true, replacingLost: true) { store in
      let replaced = store.live
      let others = try [
        ("deletions", store.tombstones), ("changes in quarantine", store.quarantineCount()),
        ("lost changes", store.conflictCount().count),
      ].filter { $0.1 > 0 }
      if replaced > 0 || !others.isEmpty, !settings.mayReplace {
        let content = others.map { "\($0.0): \($0.1)" }.joined(separator: ", ")
        throw Diagnostic(
          .cannotCreate,
          replaced > 0
            ? "the store already has \(replaced) records" : "the store has no records, but \(content)",
          file: settings.store.path,
          hint: "'--replace' discards them; to keep a copy, run 'synclog backup' first")
      }
      // A damaged store may not have its bindings, and can still be replaced.
      let bindings = (try? store.bindings()) ?? []
      let types = try WireTypesFile.copy(
        besideStore: settings.file, to: settings.store.path, keepingOld: true)
      try backup.backup(to: settings.store.path, wait: settings.store.wait)
      try types?.commit()
      try Descriptor.standardOutput.write(
        line: ["records": .integer(records), "replaced": .integer(replaced)])
      try note(boundIn: backup, console)
      let restored = try backup.bindings()
      let ended = bindings.filter { binding in
        !restored.contains {
          $0.entity == binding.entity && $0.hasSameFile(as: binding) && $0.table == binding.table
        }
      }
      note(ended: ended, restored: restored, store: settings.store.path, console)
      return .done
    }
  }
}
