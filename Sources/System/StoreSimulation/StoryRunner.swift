package import JSONLines
package import Simulation
import SyncCore

/// Runs stories over the stores of module History.
package struct StoryRunner: Sendable {
  private let plant: PlantedFault?

  /// The outcome of a story.
  package struct Outcome: Sendable {
    package var failure: SimulationFailure?
    package var counts = SimulationCounts()
  }

  /// `plant` is a mistake that the simulation must find.
  package init(plant: PlantedFault? = nil) { self.plant = plant }

  package func run(_ story: Story, log: ((JSONValue) -> Void)? = nil) -> Outcome {
    guard let plant else {
      return run(story, log) { device throws(SimulationFailure) in try store(of: device, story) }
    }
    return run(story, log) { device throws(SimulationFailure) in
      PlantedStore(try store(of: device, story), plant)
    }
  }

  private func run<Store: SimulatedStore>(
    _ story: Story, _ log: ((JSONValue) -> Void)?, _ store: (Int) throws(SimulationFailure) -> Store
  ) -> Outcome {
    var outcome = Outcome()
    do throws(SimulationFailure) {
      var simulation = try Simulation(story, .chores, store: store)
      simulation.log = log
      defer { outcome.counts = simulation.counts }
      try simulation.run()
    } catch {
      outcome.failure = error
    }
    return outcome
  }

  private func store(of device: Int, _ story: Story) throws(SimulationFailure) -> HistoryStore {
    do {
      return try HistoryStore(
        seed: story.seed &* 1_000 &+ UInt64(device), story.rules(of: device)?.choice)
    } catch {
      throw SimulationFailure(.storeFailed, "\(error)")
    }
  }
}

/// Mistakes between the dialogue and the store, to check that the simulation finds them.
package enum PlantedFault: String, CaseIterable, Sendable {
  /// If two lines tie, the incoming one wins.
  case asymmetricTie = "asymmetric-tie"
  /// The checkpoint moves in a separate transaction before the page is applied.
  case checkpointFirst = "checkpoint-first"
  /// Compaction does not wait for peers, and does not inform them.
  case tombstoneDroppedEarly = "tombstone-dropped-early"
  /// A restored peer is not sent the changes that came from it.
  case echoWithheld = "echo-withheld"
  /// The complete answer for a replacement lacks the changes that came from the requester.
  case echoLeftOutOfResync = "echo-left-out-of-resync"
  /// A change that loses is not answered with the winner.
  case loserUnanswered = "loser-unanswered"
  /// A resync removes records that the peer lacks, even if the peer never had them.
  case unpushedRemoved = "unpushed-removed"
  /// Stores with different rules report the same digest.
  case rulesDifferSilently = "rules-differ-silently"
  /// A device sends changes without their entity.
  case entityLost = "entity-lost"
  /// A record counts as changed if its own clock differs from the clock that the store gave it.
  case baselineSeesStamp = "baseline-sees-stamp"
  /// Changes that came from a requester are left out if the requester sends any acknowledgement.
  case ackedNotCompared = "acked-not-compared"
  /// An edit of a record that was sent to a peer is not stored, and not reported.
  case editIgnored = "edit-ignored"
}
