import Chores
import Store

/// The records of the household that a worker has planned last, at one sequence of its store.
final class KnownRecords {
  typealias Value = (household: Household, isDamaged: Bool)

  private weak var household: OpenHousehold?
  private var sequence: Int64 = 0
  private var value: Value?

  /// Returns the records, inside `read` or `write` of the store; the closure `read` reads them from the
  /// store.
  func records(of household: OpenHousehold, _ read: () throws -> Value) throws -> Value {
    let current = household.store.sequence
    if let value, self.household === household, sequence == current { return value }
    forget()
    let value = try read()
    (self.household, sequence, self.value) = (household, current, value)
    return value
  }

  /// Called after a failed write, because its sequences will be assigned again.
  func forget() { value = nil }
}
