/// A violation that a simulation found.
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
    /// Changes are sent although all devices have all changes.
    case echo
    /// A change is still in quarantine although all clocks are right.
    case quarantined
    /// Stores with different merge rules exchange changes, or do not refuse a session.
    case rulesIgnored
    /// After a complete answer, or an answer to a restored device, the receiver lacks records.
    case incomplete
    /// A store changes when it records its own dump.
    case baseline
    /// A session between two correct sides ends in an unexpected way.
    case protocolBroken
    /// An edit of the device's app is neither stored nor reported as refused.
    case unwritten
    /// A store is damaged.
    case damaged
    /// A store refuses a valid operation.
    case storeFailed
  }

  package var kind: Kind
  package var message: String

  package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }
}
