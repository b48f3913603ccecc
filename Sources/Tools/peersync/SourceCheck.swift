import Bindings
import CommandLine
import JSONLines
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

/// Checks bound files and tables as the next run would, without changing them.
struct SourceCheck {
  private let bindings: [Binding]
  private let store: ChangeStore
  private let settings: PeersyncTool.Settings
  /// The bindings of each file or database, by `Binding.file`.
  private let groups: [[UInt8]: SourceGroup]

  /// Prepares the checks of all bindings of a store.
  init(_ bindings: [Binding], in store: ChangeStore, _ settings: PeersyncTool.Settings) {
    var trial = settings
    trial.isDryRun = true
    (self.bindings, self.store, self.settings) = (bindings, store, trial)
    groups = Dictionary(grouping: bindings, by: \.file)
      .mapValues { [trial] in SourceGroup($0, trial, isShared: false) }
  }

  /// Returns how many records a source has; throws the error that would prevent a run from syncing it.
  ///
  /// The result is nil if this error was thrown for another table of the database.
  func records(of binding: Binding) throws -> Int? {
    do {
      let wait = settings.store.wait
      let exchange = try BindingExchange(binding, besides: bindings, in: store.path, wait: wait)
      let recorded = try groups[binding.file]?.record(exchange, in: store, wait: wait)
      guard let recorded else { return nil }
      if let change = recorded.intake.unstored.first(where: { $0.code != .conflict }) {
        var fault = Self.fault(change, of: binding)
        fault.hint =
          fault.hint ?? "change or remove this record; until then it is not stored, and the others are synced"
        throw fault
      }
      let folder = FileMode.folder(of: FileMode.target(of: binding.source))
      guard FileMode.isWritable(binding.source), FileMode.isWritable(folder) else {
        throw Diagnostic(
          .cannotCreate, "it cannot be written to, so changes from other devices do not reach it",
          file: binding.source,
          hint: "check the permissions of the file and its folder")
      }
      let refusals = try Self.refusals(of: exchange, in: store)
      if let refused = Self.summary(refusals, of: binding) { throw refused }
      if let full = Diagnostic(nearlyFullDiskOf: binding, besides: store.path) { throw full }
      return try exchange.count(now: settings.store.present).records
    } catch {
      if Interruption.pending != nil { throw SystemError.interrupted }
      throw Self.diagnostic(error, of: binding, settings.store.path)
    }
  }

  /// The first refusal, with the number of the others; nil without a refusal.
  private static func summary(_ refusals: [Diagnostic], of binding: Binding) -> Diagnostic? {
    guard var refused = refusals.first else { return nil }
    let condition = binding.table == nil ? "the file can hold" : "the table accepts"
    refused.hint =
      refused.hint ?? "until \(condition) the record, it is only in the store; each run retries it"
    guard refusals.count > 1 else { return refused }
    refused.message += ", and \(refusals.count - 1) more"
    refused.hint? += "; 'peersync run' reports each reason"
    return refused
  }

  /// The reasons why the source refuses changes; empty if another process is using it.
  private static func refusals(of exchange: BindingExchange, in store: ChangeStore) throws -> [Diagnostic] {
    do {
      return try exchange.refusals(in: store)
    } catch let error as Diagnostic where !error.code.isRetryable {
      throw error
    } catch {
      return []
    }
  }

  /// The error of a source, as a run reports it.
  ///
  /// An error in the content names the source, not the store that refuses the content. The hint about a
  /// missing source has the commands for a source that was moved.
  static func diagnostic(_ error: any Error, of binding: Binding, _ store: String) -> Diagnostic {
    guard let error = error as? StoreError else {
      var diagnostic = SyncRun.diagnostic(error)
      if diagnostic.code == .fileNotFound, !FileMode.exists(binding.source) {
        diagnostic.hint = binding.moveHint(store: store)
      }
      if let error = error as? SystemError, error.isFull {
        let folder = ShellWord.path(FileMode.folder(of: error.path))
        diagnostic.hint = "free some space on the disk of \(folder); the next run tries again"
      }
      return diagnostic
    }
    var diagnostic = Diagnostic(error, store: store)
    guard [.clockRefused, .tooManyDeletions].contains(diagnostic.code) else { return diagnostic }
    diagnostic.file = binding.source
    if diagnostic.code == .clockRefused { diagnostic.hint = remedyOfClock }
    return diagnostic
  }

  /// The error of a record that was not stored; the other records of its source are stored.
  static func fault(_ change: UnstoredChange, of binding: Binding) -> Diagnostic {
    Diagnostic(
      change.code, "\(Key.shown(change.key.span)): \(change.reason)", file: binding.source,
      hint: change.code == .clockRefused ? remedyOfClock : nil)
  }

  private static let remedyOfClock =
    "correct the time in that file or table; with --max-drift off, other devices still refuse the record"
}
