import CommandLine
import JSONLines
import Simulation
import StoreSimulation
import SyncCore
import Synchronization
import SystemIO

extension SyncsimTool {
  static func runSeeds(_ settings: Settings, on console: Console) throws -> ExitStatus {
    if settings.seed != nil, settings.seeds != nil {
      throw UsageError.conflict("'--seed' and '--seeds' cannot be used together")
    }
    if settings.dryRun { return try writeStories(settings) }
    let runner = StoryRunner(plant: settings.plant)
    var counts = SimulationCounts()
    var (seeds, failures) = (0, 0)
    var output = ByteOutput.standardOutput
    var first: (Story, SimulationFailure)?
    try forEachSeed(settings, runner) { story, outcome in
      seeds += 1
      counts.add(outcome.counts)
      guard let failure = outcome.failure else { return true }
      failures += 1
      if first == nil { first = (story, failure) }
      if settings.keepsGoing {
        let found: JSONValue = ["seed": .integer(story.seed), "failure": failure.value]
        try output.write(Array("\(found.text)\n".utf8))
        try output.flush()
      }
      return settings.keepsGoing
    }
    if let (story, failure) = first, !settings.keepsGoing {
      console.note(
        "seed \(story.seed): \(failure.kind.rawValue); searching for the shortest story that fails in this "
          + "way")
      let shortest = StoryShrinker.shortest(story, failure) { runner.run($0).failure }
      for line in shortest.lines { try output.write(Array("\(line.text)\n".utf8)) }
    } else {
      let members = [JSONMember("seeds", .integer(seeds)), JSONMember("failures", .integer(failures))]
      try output.write(Array(summary(members, counts, settings).utf8))
    }
    try output.flush()
    return failures == 0 ? .done : .no
  }

  /// Passes the outcomes in the order of the seeds, until `take` returns false.
  private static func forEachSeed(
    _ settings: Settings, _ runner: StoryRunner, _ take: (Story, StoryRunner.Outcome) throws -> Bool
  ) throws {
    struct Enough: Error {}
    let seeds = Mutex(settings.range.makeIterator())
    let work = OrderedWork<Int, (Story, StoryRunner.Outcome), Void>(
      threads: settings.threads.value, next: { seeds.withLock { $0.next() } }, scratch: {}
    ) { seed, _ in
      let story = story(settings, seed)
      return (story, runner.run(story))
    }
    do {
      try work.run { if try !take($0.0, $0.1) { throw Enough() } }
    } catch is Enough {}
  }

  static func story(_ settings: Settings, _ seed: Int) -> Story {
    StoryGenerator.story(
      seed: UInt64(bitPattern: Int64(seed)), devices: settings.devices.value, steps: settings.steps.value,
      links: settings.links)
  }

  private static func writeStories(_ settings: Settings) throws -> ExitStatus {
    var output = ByteOutput.standardOutput
    for seed in settings.range {
      for line in story(settings, seed).lines { try output.write(Array("\(line.text)\n".utf8)) }
    }
    try output.flush()
    return .done
  }

  static func runReplay(_ settings: Settings, on console: Console) throws -> ExitStatus {
    var sideFiles = SideFiles(inputs: [settings.file])
    try sideFiles.add(settings.log)
    let text = try ByteInput.contents(of: settings.file)
    let story: Story
    do throws(DamagedLine) {
      story = try Story(text.split(separator: 10, omittingEmptySubsequences: false).map { Array($0) })
    } catch {
      throw Diagnostic(.invalidStory, error.message, file: settings.file, line: error.line)
        .hinting(at: text.span)
    }
    let log = try settings.log.map { file in try AtomicFile(creating: file.path) }
    var events: [UInt8] = []
    let outcome = StoryRunner(plant: settings.plant).run(
      story,
      log: log == nil
        ? nil
        : { event in
          event.append(to: &events)
          events.append(10)
        })
    try log?.write(events.span)
    try log?.commit()
    var members: [JSONMember] = [.init("holds", .bool(outcome.failure == nil))]
    if let failure = outcome.failure { members.append(.init("failure", failure.value)) }
    try Descriptor.standardOutput.write(summary(members, outcome.counts, settings))
    return outcome.failure == nil ? .done : .no
  }
}
