import Store

/// Answers of one moment: who asks the same as another is told the same, and the store is read once.
///
/// A change wakes all that wait in a household, and these have mostly read up to the same place.
struct SharedAnswers {
  let household: OpenHousehold
  /// What these are told may depend on what is known of them.
  private let known: Set<String>
  private var answers: [[String]: (HTTPResponse, waitsAfter: Int64?)] = [:]

  init(_ household: OpenHousehold) throws {
    self.household = household
    known = Set(try household.store.peers().map(\.id))
  }

  mutating func answer(
    to request: ChangesRequest, _ rules: HouseholdRules
  ) throws -> (HTTPResponse, waitsAfter: Int64?) {
    guard let question = request.question(known: known) else {
      return try request.give(from: household, rules)
    }
    if let answer = answers[question] { return answer }
    let answer = try request.give(from: household, rules)
    answers[question] = answer
    return answer
  }
}
