import CommandLine
package import Store
import SystemIO

/// The store of a process that may live for long: opened again where another file has taken its place.
package final class OpenStore {
  private let rules: SyncRules
  private var store: ChangeStore
  /// Nil for a store in memory.
  private var identity: FileStamp.Identity?

  /// Makes the file where there is none.
  package init(_ rules: SyncRules) throws {
    self.rules = rules
    store = try rules.openStore(creating: true, wait: rules.store.wait)
    identity = standing
  }

  /// The store as it is; where there is none, one in memory that goes away.
  package init(forTrial rules: SyncRules) throws {
    self.rules = rules
    guard FileMode.exists(rules.store.path) else {
      store = try ChangeStore(inMemory: SystemRandomNumberGenerator())
      return
    }
    store = try rules.openStore(creating: false, wait: rules.store.wait)
    identity = standing
  }

  /// For what begins now; throws `storeBusy` at once where another process locks a file that has taken its place.
  package func current() throws -> ChangeStore {
    if isInPlace { return store }
    store = try rules.openStore(creating: true, wait: .zero)
    identity = standing
    return store
  }

  /// For what is under way: what is written to a file that has no name any more is lost.
  func check() throws(StoreError) { if !isInPlace { throw .replaced } }

  private var isInPlace: Bool { identity == nil || identity == standing }

  /// The file that is at the path now.
  private var standing: FileStamp.Identity? { FileStamp(of: rules.store.path)?.identity }
}
