import Chores
import Store

/// The records of the household that a worker has planned last, in one state of its store.
final class KnownRecords {
  typealias Value = (household: Household, isDamaged: Bool)

  private weak var household: OpenHousehold?
  private var state: ChangeStore.State?
  private var value: Value?

  /// Returns the records, inside `read` or `write` of the store; the closure `read` reads them from the
  /// store.
  func records(of household: OpenHousehold, _ read: () throws -> Value) throws -> Value {
    let current = household.store.state
    if let value, self.household === household, state == current { return value }
    forget()
    let value = try read()
    (self.household, state, self.value) = (household, current, value)
    return value
  }

  /// Notes a commit; call it after a write, so that records read at its end get the mark of the new commit.
  func noteCommit(to household: OpenHousehold) {
    let current = household.store.state
    state?.mark = current.mark
    if self.household !== household || state != current { forget() }
  }

  /// Forgets the records; call it after a failed write, because its sequences will be assigned again.
  func forget() { value = nil }
}
