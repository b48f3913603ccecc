import Bindings
import JSONLines
import RecordInputs
import Store
import SyncCore

/// Reads all bound tables of a database in one state, because an app may change several in one transaction.
///
/// Deletions count for all of them together. A file is a group of its own.
final class SourceGroup {
  private let bindings: [Binding]
  private let settings: PeersyncTool.Settings
  /// Whether all tables are read through one connection.
  private let isShared: Bool
  /// An exchange that is not used to read rows; all others use its connection.
  private var connection: BindingExchange?
  private var deletions: Deletions

  private enum Deletions {
    case unknown, allowed, held
  }

  init(_ bindings: [Binding], _ settings: PeersyncTool.Settings, isShared: Bool) {
    (self.bindings, self.settings, self.isShared) = (bindings, settings, isShared)
    deletions = bindings.count == 1 || settings.store.maxDelete == .off ? .allowed : .unknown
  }

  /// Stores the edits of one source, with an exchange of this group.
  ///
  /// The result is nil if they are not stored because of an error that was thrown for another table: the
  /// tables lack too many records.
  func record(
    _ exchange: BindingExchange, in store: ChangeStore, wait: Duration
  ) throws -> BindingExchange.Recorded? {
    if deletions != .allowed {
      do {
        return try exchange.record(
          in: store, bounds(within: .off), isDryRun: settings.isDryRun, keepsAll: true)
      } catch is BindingExchange.FoundDeletions {
        if deletions == .held { return nil }
        deletions = .held
        try checkDeletions(in: store, wait)
        deletions = .allowed
      }
    }
    return try exchange.record(in: store, settings.store.bounds, isDryRun: settings.isDryRun)
  }

  /// Throws an error if several tables lack records, and together more than a run may delete.
  private func checkDeletions(in store: ChangeStore, _ wait: Duration) throws {
    var (count, isEmptied, losing) = (0, false, [Binding]())
    for binding in try store.bindings() where bindings.contains(where: { $0.isSame(as: binding) }) {
      // A table that cannot be read has its own error, and its deletions are not stored.
      guard let found = try? missing(in: binding, within: .off, store, wait), found > 0 else { continue }
      count += found
      losing.append(binding)
      // A table without its earlier records is refused by all other limits.
      if (try? missing(in: binding, within: .count(.max), store, wait)) == nil { isEmptied = true }
    }
    // The limit applies to one table without this check.
    guard losing.count > 1 else { return }
    let live = try store.read { store.live }
    if !isEmptied, settings.store.maxDelete.allows(count, of: live) { return }
    let path = settings.store.path
    let again = losing.flatMap { [$0.removeCommand(store: path), $0.bindCommand(store: path)] }
    let limit = isEmptied ? "off" : String(count)
    throw Diagnostic(
      .tooManyDeletions,
      "\(count) of \(live) records in \(losing.count) tables would be deleted; all were kept",
      file: losing[0].source,
      hint: "to get them back: \(again.joined(separator: "; ")); to delete them: "
        + Diagnostic.command("peersync run --max-delete \(limit)", store: path))
  }

  /// The number of records that the store has and the source lacks; throws an error if the limit forbids to
  /// delete them.
  private func missing(
    in binding: Binding, within limit: DeleteLimit, _ store: ChangeStore, _ wait: Duration
  ) throws -> Int {
    try exchange(binding, wait).record(in: store, bounds(within: limit), isDryRun: true).intake.counts
      .deletions
  }

  /// Opens one source.
  func exchange(_ binding: Binding, _ wait: Duration) throws -> BindingExchange {
    if isShared, connection == nil {
      let exchange = try BindingExchange(binding, in: settings.store.path, wait: wait)
      try exchange.holdState()
      connection = exchange
    }
    return try BindingExchange(binding, sharing: connection, in: settings.store.path, wait: wait)
  }

  private func bounds(within limit: DeleteLimit) -> WriteBounds {
    var store = settings.store
    store.maxDelete = limit
    return store.bounds
  }
}
