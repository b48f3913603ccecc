import Chores
import Store

/// The records of the household that a worker has planned last, as they are at a sequence of its store.
final class KnownRecords {
  typealias Value = (household: Household, isDamaged: Bool)

  private weak var household: OpenHousehold?
  private var sequence: Int64 = 0
  private var value: Value?

  /// Inside `read` or `write` of the store; `read` gives them as they are there now.
  func records(of household: OpenHousehold, _ read: () throws -> Value) throws -> Value {
    let current = household.store.sequence
    if let value, self.household === household, sequence == current { return value }
    forget()
    let value = try read()
    (self.household, sequence, self.value) = (household, current, value)
    return value
  }

  /// After a write that was not stored, whose sequences are given anew.
  func forget() { value = nil }
}
