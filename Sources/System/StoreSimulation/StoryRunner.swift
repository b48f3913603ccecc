package import JSONLines
package import Simulation
import SyncCore

/// Runs stories over the stores of module History.
package struct StoryRunner: Sendable {
  private let plant: PlantedFault?

  /// What comes of a story.
  package struct Outcome: Sendable {
    package var failure: SimulationFailure?
    package var counts = SimulationCounts()
  }

  /// `plant` is a mistake that is to be found.
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
