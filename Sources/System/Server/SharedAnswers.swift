/// Answers of one moment: who asks the same as another is told the same, and the store is read once.
///
/// A change wakes all that wait in a household, and these have mostly read up to the same place.
struct SharedAnswers {
  private var answers: [[String]: (HTTPResponse, waitsAfter: Int64?)] = [:]

  mutating func answer(
    to request: ChangesRequest, from household: OpenHousehold, _ rules: HouseholdRules
  ) throws -> (HTTPResponse, waitsAfter: Int64?) {
    guard let question = try request.question(to: household) else {
      return try request.give(from: household, rules)
    }
    if let answer = answers[question] { return answer }
    let answer = try request.give(from: household, rules)
    answers[question] = answer
    return answer
  }
}
