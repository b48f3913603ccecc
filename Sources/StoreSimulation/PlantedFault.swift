/// Mistakes that can be put between the dialogue and the store, to see that the simulation finds them.
package enum PlantedFault: String, CaseIterable, Sendable {
  /// Of two lines that tie, the one that comes in wins.
  case asymmetricTie = "asymmetric-tie"
  /// The checkpoint moves in a transaction of its own before the page is applied.
  case checkpointFirst = "checkpoint-first"
  /// Compaction waits for no peer, and tells none.
  case tombstoneDroppedEarly = "tombstone-dropped-early"
  /// What came from a peer is not sent to it again after it was restored.
  case echoWithheld = "echo-withheld"
  /// The complete answer that replaces is given without what came from the asker.
  case echoLeftOutOfResync = "echo-left-out-of-resync"
  /// A change that loses is not answered with the one that it lost against.
  case loserUnanswered = "loser-unanswered"
  /// A resync removes what is missing there, even if it was never there.
  case unpushedRemoved = "unpushed-removed"
  /// The first device merges by other rules than the rest, and nobody notices.
  case twoProfiles = "two-profiles"
}
