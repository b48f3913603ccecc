import CommandLine
import CommonInputs
import SyncCore
import RecordInputs

/// The command line of `lwwmerge`.
enum LwwmergeTool {
  struct Settings: BadLineConfigurable, RecordConfigurable, ReadingConfigurable {
    var records = RecordSettings()
    var badLines = BadLineSettings()
    var reading = ReadingSettings()
    var files: [String] = []
    // Settings for the merge.
    var dropTombstones = false
    var maxDrift = OptionalDuration(DriftGuard.default)
    var now: Instant?
    var conflicts: FilePath?
    var summary: FilePath?
    // Settings for explain.
    var identity: String?
    var only: String?
    var json = false
    // Settings for keys and shard.
    var parts: PositiveCount?
    var folder: FilePath?
    // Settings for check-laws.
    var seeds = PositiveCount(20)
    var seed = 1

    var drift: DriftGuard { DriftGuard(now: now ?? .wallClock, maximum: maxDrift.duration) }
  }

  static let command = Command(
    "lwwmerge", "merge change lines: the last write of each key wins",
    discussion: [
      "For each key, lwwmerge writes one line, byte for byte: the line with the latest clock. At equal "
        + "clocks, a tombstone wins over an upsert, then the higher version, then the larger canonical "
        + "content, then the larger bytes. The output is in key order, so any order of inputs gives the same "
        + "bytes. A profile gives other rules to some entities: terminal keeps the earliest terminal state, "
        + "append-only the first write.",
      "A line is a change line, with entityName and identity, or a plain record with an id. lwwmerge skips "
        + "checkpoint lines. It leaves out a line with a clock further ahead than --max-drift, which would "
        + "always win. To read the output, other tools need the same --key, --clock, --tombstone, --entity "
        + "and --entity-name.",
    ],
    settings: Settings(),
    options: mergeOptions + driftOptions + Option.records + Option.badLines + Option.reading,
    operands: files,
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init("Merge the records of two devices:", "lwwmerge phone.jsonl laptop.jsonl"),
      .init(
        "Bring a copy up to date with changes from elsewhere:",
        "deltadiff phone.jsonl laptop.jsonl | lwwmerge --drop-tombstones phone.jsonl -"),
    ],
    subcommands: [explain, keys, shard, checkLaws], run: runMerge)

  private static let files = Operands<Settings>.files { $1.files = $0 }

  private static let driftOptions: [Option<Settings>] = [
    .value(
      "max-drift", "Reject clocks further ahead than this (default: 5m; off accepts any)."
    ) { $0.maxDrift = $1 },
    .value("now", "Use TIME as the current time.") { $0.now = $1 },
  ]

  private static let mergeOptions: [Option<Settings>] = [
    .flag(
      "drop-tombstones", "Leave deletions out of the output. Such output is for reading, not for syncing."
    ) { $0.dropTombstones = true },
    .value(
      "conflicts",
      "Write one line per contested key to FILE: the winner, the losers, and the step that decided."
    ) { $0.conflicts = $1 },
    .value("summary", "Write the counts of the merge to FILE as one object.") { $0.summary = $1 },
  ]

  private static let explain = Command(
    "explain", "explain why a record won, step by step",
    discussion: [
      "explain writes all lines of one identity, the winner first. Each line has its place, its clock and "
        + "the step that distinguished it from the winner. ID is the text of the id, a number, or a whole "
        + "identity object. Use the same options as for the merge."
    ],
    settings: Settings(),
    options: [
      .value("identity", named: "ID", "Explain this record.") { $0.identity = $1 },
      .value("only", named: "NAME", "Explain only the record of this entity.") { $0.only = $1 },
      .flag("json", "Write one object per key, as --conflicts does, instead of text.") { $0.json = true },
    ] + driftOptions + Option.records + Option.badLines + Option.reading,
    operands: files, statuses: [.no, .badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init(
        "Find out why task 42 has lost its new title:",
        "lwwmerge explain --identity 42 phone.jsonl laptop.jsonl")
    ],
    run: runExplain)

  private static let keys = Command(
    "keys", "print each line after its key, for an engine that distributes work over machines",
    discussion: [
      "For each line, keys prints the key in canonical JSON, a tab and the line. With --parts, the number of "
        + "the part and a tab precede the key. Lines of one key have the same number, so the parts can be "
        + "merged independently.",
      "Lines keep the order of the input. keys writes them after each block of up to 4 MiB, so lines from a "
        + "slow pipe appear late. It leaves out checkpoint lines.",
    ],
    settings: Settings(), options: [parts] + Option.records + Option.badLines + Option.reading,
    operands: files, statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init(
        "Count the lines in each of 4 parts:",
        "lwwmerge keys --parts 4 phone.jsonl laptop.jsonl | cut -f 1 | sort | uniq -c")
    ],
    run: runKeys)

  private static let shard = Command(
    "shard", "cut files into parts that can be merged independently",
    discussion: [
      "shard makes the folder DIR with one file per part: part-000.jsonl and so on. Each part has a range of "
        + "keys, and the parts have about the same size. The merged parts, one after the other, equal the "
        + "output of one merge of all files.",
      "shard reads the files twice, so they cannot be standard input. DIR appears when it is complete. A "
        + "killed run leaves a folder beside DIR, whose name ends in .temporary; you can remove that folder. "
        + "shard leaves out checkpoint lines.",
    ],
    settings: Settings(),
    options: [
      parts,
      .value("into", named: "DIR", "Write the parts into the folder DIR, which must be new or empty.") {
        $0.folder = $1
      },
    ] + Option.records + Option.badLines + Option.reading,
    operands: Operands("FILE...", count: 1...Int.max) { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init(
        "Merge four parts, one after the other:",
        "lwwmerge shard --parts 4 --into parts phone.jsonl laptop.jsonl && for part in parts/*; do lwwmerge $part; done"
      )
    ],
    run: runShard)

  private static let parts = Option<Settings>.value(
    "parts", named: "N", "Cut the keys into N parts, at most 10,000."
  ) { $0.parts = $1 }

  private static let checkLaws = Command(
    "check-laws", "check that the order and grouping of your files do not matter",
    discussion: [
      "For each seed, check-laws shuffles the lines and merges them at once, in parts, and together with "
        + "earlier results. All results must have the same bytes. check-laws writes one object per law. With "
        + "status 1, the objects show the first record that differs.",
      "check-laws keeps all lines in memory, regardless of --memory.",
    ],
    settings: Settings(),
    options: [
      .value("seeds", named: "N", "Try N seeds (default: 20).") { $0.seeds = $1 },
      .value("seed", named: "N", "Start with seed N (default: 1).") { $0.seed = $1 },
    ] + Option.records + Option.badLines + Option.reading,
    operands: files, statuses: [.no, .badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init("Check a profile on your files:", "lwwmerge check-laws --profile chores phone.jsonl laptop.jsonl")
    ],
    run: runCheckLaws)
}
