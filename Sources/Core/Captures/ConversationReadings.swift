/// The ways in which a conversation can be read: one, until a message is at fault.
///
/// A fault can be read in several ways, and the next messages show which of them was right: a reading in which they are
/// out of order is dropped. So what only follows from a fault is not reported.
struct ConversationReadings: Sendable {
  typealias Said = ConversationReading.Said

  /// More readings than this are not followed; the first ones are kept.
  private static let limit = 8

  private var current = [ConversationReading()]
  /// The readings before the latest message, and the forms of that message.
  private var before: [ConversationReading] = []
  private var latest: [Said] = []

  /// What is out of order in the next message, which each of `forms` may be.
  ///
  /// `isFaulty` says that it is at fault for another reason, so that it may be misplaced without a finding here.
  mutating func take(_ forms: [Said], isFaulty: Bool) -> [ConversationFinding] {
    var next = Self.after(forms, current)
    var findings: [ConversationFinding] = []
    if next.isEmpty {
      let taken = Self.asSaid(forms, current)
      findings = taken[0].findings
      next = taken.map(\.reading)
    }
    if isFaulty || !findings.isEmpty { next += Self.corrections(of: forms, current) }
    // The fault may be that of the message before, which seemed right until now.
    if !findings.isEmpty { next += Self.after(forms, Self.corrections(of: latest, before)) }
    (before, latest, current) = (current, forms, Self.distinct(next))
    return findings
  }

  /// A message that could not be read may have been any that is waited for.
  mutating func excuse() {
    for index in current.indices { current[index].excuse() }
  }

  /// The readings in which the message is in order.
  private static func after(_ forms: [Said], _ readings: [ConversationReading]) -> [ConversationReading] {
    readings.flatMap { reading in forms.compactMap(reading.after) }
  }

  private static func asSaid(
    _ forms: [Said], _ readings: [ConversationReading]
  ) -> [(reading: ConversationReading, findings: [ConversationFinding])] {
    readings.flatMap { reading in
      forms.map { said in
        var next = reading
        let findings = next.take(said)
        return (next, findings)
      }
    }
  }

  private static func corrections(
    of forms: [Said], _ readings: [ConversationReading]
  ) -> [ConversationReading] {
    readings.flatMap { reading in forms.flatMap(reading.corrections) }
  }

  private static func distinct(_ readings: [ConversationReading]) -> [ConversationReading] {
    var distinct: [ConversationReading] = []
    for reading in readings where distinct.count < limit && !distinct.contains(reading) {
      distinct.append(reading)
    }
    return distinct
  }
}
