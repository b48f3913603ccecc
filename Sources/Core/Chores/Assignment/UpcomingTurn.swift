package import SyncCore

/// A turn to be done, for people to read.
package struct UpcomingTurn: Equatable, Sendable {
  package let due: Instant
  package let chore: String
  /// The member's label; nil for a turn without a member.
  package let member: String?
}

extension Household {
  /// The first turns that must still be done, by their due times.
  package func upcomingTurns(_ count: Int) -> [UpcomingTurn] {
    let pending = distinctOccurrences.map(\.record).filter { isPending($0) }
    return pending.sorted { ($0.due, $0.id) < ($1.due, $1.id) }.prefix(count).map { occurrence in
      UpcomingTurn(
        due: occurrence.due, chore: template(occurrence.template)?.record.label ?? "",
        member: index(of: occurrence.assigned).map { members[$0].label })
    }
  }
}
