import CommandLine
import JSONLines
import Simulation
import StoreSimulation
import SyncCore
import SystemIO

/// The command line of `syncsim`.
enum SyncsimTool {
  struct Settings: Sendable {
    var devices = DeviceCount(value: 5)
    var steps = PositiveCount(60)
    var seed: PositiveCount?
    var seeds: SeedRange?
    var links: StoryLinks?
    var threads = ThreadCount.standard
    var plant: PlantedFault?
    var keepsGoing = false
    var dryRun = false
    var showsCounts = false
    var log: FilePath?
    var file = "-"

    /// All seeds of the run.
    var range: ClosedRange<Int> {
      let seed = seed?.value ?? 1
      return seeds?.range ?? seed...seed
    }
  }

  static let command = Command(
    "syncsim", "simulate devices with real stores that sync over a bad network",
    discussion: [
      "Each seed makes a story: edits, deletions, snapshots, sessions, crashes, restored backups, wrong "
        + "clocks, partitions, compactions, and devices that join late. The rules, the dialogue and the store "
        + "are those of the other tools, with the store in memory; time and network are simulated. At the "
        + "end the clocks are correct, and all devices sync until nothing changes. Then all devices must have "
        + "the records that lwwmerge makes from all writes.",
      "The same seed gives the same story and the same result on every machine.",
    ],
    examples: [
      .init("Run ten stories:", "syncsim run --seeds 1..10"),
      .init("Replay a story that failed:", "syncsim replay story.jsonl"),
    ],
    subcommands: [run, replay])

  private static let run = Command(
    "run", "make stories from seeds and run them",
    discussion: [
      "run stops at the first story that fails, with status 1. It writes the shortest story found that fails "
        + "in the same way, one object per line, for replay. Otherwise run writes one object with the number "
        + "of stories."
    ],
    settings: Settings(), options: storyOptions + runOptions + commonOptions,
    statuses: [.no, .inputOutput],
    examples: [
      .init("Run longer stories of two devices:", "syncsim run --devices 2 --steps 100 --seeds 1..5"),
      .init("Look at a story without running it:", "syncsim run --seed 7 --devices 2 --steps 3 --dry-run"),
    ],
    run: runSeeds)

  private static let replay = Command(
    "replay", "run a story from a file",
    discussion: ["replay writes the result as one object. The exit status is 1 if the story fails."],
    settings: Settings(), options: logOptions + commonOptions,
    operands: Operands("[FILE]", count: 0...1) { $1.file = $0.first ?? "-" },
    statuses: [.no, .badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("Replay a story, and log all its events:", "syncsim replay --log events.jsonl story.jsonl")
    ],
    run: runReplay)

  private static let storyOptions: [Option<Settings>] = [
    .value("devices", named: "N", "Simulate N devices (default: 5).") { $0.devices = $1 },
    .value("steps", named: "N", "Make stories of N steps (default: 60).") { $0.steps = $1 },
    .value("seed", named: "N", "Use this seed for the story, from 1 on (default: 1).") { $0.seed = $1 },
    .value("seeds", "Run one story for each of these seeds, instead of --seed.") { $0.seeds = $1 },
    .value(
      "links",
      "Connect the devices in this topology (default: chain, star or full, at random for each story)."
    ) { $0.links = $1 },
  ]

  private static let runOptions: [Option<Settings>] = [
    .flag("dry-run", "Write the stories without running them.") { $0.dryRun = true },
    .flag(
      "keep-going", "Run all seeds, and write one object instead of the story for each seed that fails."
    ) { $0.keepsGoing = true },
    .value("threads", "Use N threads, at most 64 (default: one per processor).") {
      $0.threads = $1
    },
  ]

  private static let commonOptions: [Option<Settings>] = [
    .flag("counts", "Also write the number of events.") { $0.showsCounts = true },
    .value(
      "plant", "Put a known bug between the dialogue and the store, to check that it is found."
    ) { $0.plant = $1 },
  ]

  private static let logOptions: [Option<Settings>] = [
    .value("log", "Write all events to FILE, one object per line.") { $0.log = $1 }
  ]

  static func summary(_ members: [JSONMember], _ counts: SimulationCounts, _ settings: Settings) -> String {
    JSONValue.object(members + (settings.showsCounts ? counts.members : [])).text + "\n"
  }
}

extension StoryLinks: OptionChoice {
  package static var valueName: String { "LINKS" }
}

extension PlantedFault: OptionChoice {
  package static var valueName: String { "NAME" }
}

/// `FROM..TO`, both included.
struct SeedRange: OptionValue {
  var range: ClosedRange<Int>
  static var valueName: String { "FROM..TO" }
  static var expectation: String { "a range of seeds such as 1..100" }

  init?(argument: String) {
    let ends = argument.split(separator: "..", omittingEmptySubsequences: false).map {
      PositiveCount(argument: String($0))
    }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first.value <= last.value else {
      return nil
    }
    range = first.value...last.value
  }
}

/// As many devices as a story can have.
struct DeviceCount: OptionValue {
  var value: Int
  static var valueName: String { "N" }
  static var expectation: String { "a number of devices from 1 to \(Story.deviceLimit)" }

  init(value: Int) { self.value = value }

  init?(argument: String) {
    guard let count = PositiveCount(argument: argument), count.value <= Story.deviceLimit else { return nil }
    value = count.value
  }
}
