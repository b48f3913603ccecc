package import SyncCore

/// One due date in the state.
package struct Occurrence: Sendable {
  package enum Status: Sendable { case pending, completed, skipped }

  package var id: RecordID
  package var template: RecordID
  package var due: Instant
  package var status: Status
  package var assigned: RecordID?
}
