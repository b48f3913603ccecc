/// A violation that a simulation has found.
package struct SimulationFailure: Error, Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// A record is missing.
    case lost
    /// A deleted record is present.
    case resurrected
    /// A record is present, but not with the winning line.
    case wrongWinner
    /// Devices have different records.
    case diverged
    /// Rounds of sessions, or one session, do not end.
    case endless
    /// Something is sent although all devices have everything.
    case echo
    /// A change is still in quarantine though all clocks are right.
    case quarantined
    /// Stores that merge by different rules exchange changes, or do not refuse a session for that reason.
    case rulesIgnored
    /// An answer has ended, and its asker, which was restored or asked for everything, lacks records of the
    /// other side.
    case incomplete
    /// Recording a store's own dump is a change.
    case baseline
    /// A session between two correct sides ends in an unexpected way.
    case protocolBroken
    /// A store is damaged.
    case damaged
    /// A store refuses a valid operation.
    case storeFailed
  }

  package var kind: Kind
  package var message: String

  package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }
}
