import Bindings
import CommandLine
import JSONLines
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

/// Checks a bound file or table as the next run would, without changing it.
enum SourceCheck {
  /// Returns how many records it has; throws the error that would prevent a run from syncing it.
  static func records(
    of binding: Binding, in store: ChangeStore, _ settings: PeersyncTool.Settings
  ) throws -> Int {
    do {
      let exchange = try BindingExchange(
        binding, besides: store.bindings(), in: store.path, wait: settings.store.wait)
      let intake = try exchange.record(in: store, settings.store.bounds, isDryRun: true).intake
      if let change = intake.unstored.first(where: { $0.code != .conflict }) {
        throw fault(change, of: binding)
      }
      let folder = FileMode.folder(of: FileMode.target(of: binding.source))
      guard FileMode.isWritable(binding.source), FileMode.isWritable(folder) else {
        throw Diagnostic(
          .cannotCreate, "it cannot be written to, so changes from other devices do not reach it",
          file: binding.source,
          hint: "check the permissions of the file and its folder")
      }
      if var refused = try refusals(of: exchange, in: store).first {
        refused.hint =
          refused.hint ?? "until the table accepts the record, it is only in the store; each "
          + "run retries it"
        throw refused
      }
      return try exchange.count(now: settings.store.present).records
    } catch {
      if Interruption.pending != nil { throw SystemError.interrupted }
      throw diagnostic(error, of: binding, settings.store.path)
    }
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

  /// An error in the content of a source names the source, not the store that refuses the content.
  static func diagnostic(_ error: any Error, of binding: Binding, _ store: String) -> Diagnostic {
    guard let error = error as? StoreError else { return SyncRun.diagnostic(error) }
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
