import Foundation
import JSONLines
import Simulation
import StoreSimulation
import SyncCore
import TestSupport
import Testing

/// Stories over real stores; a failing one is run again with `syncsim run --steps 40 --seed SEED`.
@Suite struct SimulationTests {
  private static func story(_ seed: UInt64) -> Story {
    StoryGenerator.story(seed: seed, devices: 5, steps: 40)
  }

  /// As many as take a few seconds; `.ci/run` runs 100.
  private static let seeds = UInt64(1)...40

  /// And every possible fault has happened: untested faults prove nothing.
  @Test func devicesComeTogetherWhateverHappens() {
    let runner = StoryRunner()
    var counts = SimulationCounts()
    for seed in Self.seeds {
      let outcome = runner.run(Self.story(seed))
      #expect(outcome.failure == nil, "seed \(seed)")
      counts.add(outcome.counts)
    }
    for count in SimulationCounts.Count.allCases { #expect(counts[count] > 0, "\(count.rawValue)") }
    #expect(counts[.undecidedKeys] * 5 < counts[.keys], "most keys have one right end")
    #expect(counts[.prunedKeys] * 10 < counts[.keys], "little is said of these")
  }

  @Test func theSameStoryComesOutTheSame() {
    let (runner, story) = (StoryRunner(), Self.story(7))
    func told() -> (events: [String], outcome: StoryRunner.Outcome) {
      var events: [String] = []
      let outcome = runner.run(story) { events.append($0.text) }
      return (events, outcome)
    }
    let (first, second) = (told(), told())
    #expect(first.events == second.events)
    #expect(first.outcome.counts == second.outcome.counts)
    #expect(first.events.count > 100)
  }

  /// A server that receives single requests; requests or answers get lost, and the server is restored, too.
  @Test(arguments: Tries.seeds(30, soak: 1_000)) func devicesComeTogetherAtAServer(seed: UInt64) {
    let story = StoryGenerator.story(seed: seed, devices: 4, steps: 40, links: .hub)
    #expect(StoryRunner().run(story).failure == nil)
  }

  /// Mistakes that a server can make are found there too, within 150 stories.
  @Test(arguments: [
    PlantedFault.checkpointFirst, .echoWithheld, .echoLeftOutOfResync, .loserUnanswered, .unpushedRemoved,
    .ackedNotCompared, .tombstoneDroppedEarly,
  ])
  func aServersMistakeIsFound(fault: PlantedFault) throws {
    try expectFound(fault, in: 1...150) { StoryGenerator.story(seed: $0, devices: 4, steps: 60, links: .hub) }
  }

  /// The first story that fails because of a mistake holds without it.
  private func expectFound(
    _ fault: PlantedFault, in seeds: ClosedRange<UInt64>, _ story: (UInt64) -> Story
  ) throws {
    let runner = StoryRunner(plant: fault)
    let seed = try #require(seeds.first { runner.run(story($0)).failure != nil })
    #expect(StoryRunner().run(story(seed)).failure == nil, "seed \(seed) fails without the mistake too")
  }

  // MARK: Mistakes

  /// Each is found within 100 stories.
  @Test(arguments: Tries.some(PlantedFault.allCases))
  func aPlantedMistakeIsFound(fault: PlantedFault) throws {
    try expectFound(fault, in: 1...100) { StoryGenerator.story(seed: $0, devices: 5, steps: 60) }
  }

  /// The shortest story found fails in the same way, and because of the mistake.
  @Test func aPlantedMistakeIsShownInAFewSteps() throws {
    let runner = StoryRunner(plant: .asymmetricTie)
    let found = (UInt64(1)...100).lazy.compactMap { seed -> (Story, SimulationFailure)? in
      let story = StoryGenerator.story(seed: seed, devices: 3, steps: 20)
      return runner.run(story).failure.map { (story, $0) }
    }.first
    let (story, failure) = try #require(found)
    let shortest = StoryShrinker.shortest(story, failure) { runner.run($0).failure }
    #expect(shortest.steps.count < 8)
    #expect(runner.run(shortest).failure == shortest.failure)
    #expect(StoryRunner().run(shortest).failure == nil)
  }

  // MARK: What was found

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Vectors/stories")

  /// Stories that once failed; docs/decisions/0050-what-the-simulation-found.md gives the reasons.
  @Test func whatOnceFailedHolds() throws {
    let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
    #expect(files.count >= 3)
    for file in files {
      let text = try Array(Data(contentsOf: file))
      let story = try Story(text.split(separator: 10).map { Array($0) })
      #expect(StoryRunner().run(story).failure == nil, "\(file.lastPathComponent)")
    }
  }
}
