import Chores
import CommandLine
import CommonInputs
import Drawings
import JSONLines
import SyncCore
import SystemIO
import RecordInputs

/// The commands `explain` and `reassign`, which are about one occurrence.
extension AssignTool {
  static let explain = Command(
    "explain", "explain why a member has a turn",
    discussion: [
      "OCCURRENCE is an id (at least its first 4 characters), or TEMPLATE@DATE with a template's id or "
        + "title. explain prints a table of the members who take part. Its columns are each member's number "
        + "of turns before this one, and the level by which the rule compares members."
    ],
    settings: Settings(),
    options: horizonOptions + [.flag("json", "Write one object instead of text.") { $0.json = true }]
      + Option.records + Option.badLines + Option.reading,
    operands: Operands("OCCURRENCE [FILE...]", count: 1...Int.max) {
      ($1.occurrence, $1.files) = ($0[0], Array($0.dropFirst()))
    },
    statuses: [.no] + statuses,
    examples: [.init("Find out why it is your turn again:", "assign explain dishes@2026-01-12 home.jsonl")],
    run: runExplain)

  static let reassign = Command(
    "reassign", "give a turn to another member",
    discussion: [
      "reassign writes an override, a change line to merge into the records. The next assign applies the "
        + "override, and the rotation resumes after it. MEMBER is a name, or an id (at least its first 4 "
        + "characters). A done or skipped occurrence cannot be reassigned."
    ],
    settings: Settings(), options: horizonOptions + Option.records + Option.badLines + Option.reading,
    operands: Operands("OCCURRENCE MEMBER [FILE...]", count: 2...Int.max, canReceiveOutput: true) {
      ($1.occurrence, $1.member) = ($0[0], $0[1])
      $1.files = Array($0.dropFirst(2))
    },
    statuses: [.no] + statuses,
    examples: [
      .init(
        "Give one turn to Ben:",
        "assign reassign --now 2026-01-11T09:00:00Z dishes@2026-01-12 Ben home.jsonl |"
          + " lwwmerge --profile chores home.jsonl -")
    ],
    run: runReassign)

  private static func runExplain(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try requireOperand("OCCURRENCE", settings.occurrence, settings)
    return try withOccurrence(settings, console) { found, household, _ in
      let explanation = TurnExplanation(found, in: household)
      let text = settings.json ? explanation.value.text + "\n" : explanation.text
      try Descriptor.standardOutput.write(text)
      return .done
    }
  }

  private static func runReassign(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try requireOperand("MEMBER", settings.member, settings)
    return try withOccurrence(settings, console) { found, household, finder in
      let members = finder.members(settings.member)
      guard members.count == 1 else {
        console.note(members.count, of: "member", named: settings.member)
        return .no
      }
      guard let turn = found.turn, turn.reason == .given || turn.reason == .overridden else {
        console.note("'\(settings.occurrence)' is \(found.turn == nil ? "not planned" : "done or skipped")")
        return .no
      }
      let line = Override.line(
        of: found, for: household.members[members[0]], now: settings.now ?? .wallClock, in: household)
      try Descriptor.standardOutput.write(line.text + "\n")
      return .done
    }
  }

  /// Throws if the last operand before the files is a file, and no file follows: the operand was forgotten.
  ///
  /// Otherwise the run would read standard input.
  private static func requireOperand(
    _ name: String, _ word: String, _ settings: Settings
  ) throws(UsageError) {
    guard settings.files.isEmpty, FileMode.exists(word), FileMode.isFile(word) else { return }
    throw .missingOperand("\(name) before '\(word)'")
  }

  /// The hint for an unknown occurrence of a known template.
  private static func hint(_ dates: (days: [Int], areLater: Bool)) -> String {
    let days = dates.days.map { CivilText.date($0) }.joined(separator: ", ")
    return dates.areLater
      ? "the next dates of this chore: \(days)"
      : "the last planned dates of this chore: \(days); --until plans further"
  }

  /// Reads the state and finds the named occurrence.
  private static func withOccurrence(
    _ settings: Settings, _ console: Console,
    _ body: (OccurrenceFinder.Found, Household, OccurrenceFinder) throws -> ExitStatus
  ) throws -> ExitStatus {
    let horizon = try settings.until.horizon(from: settings.now ?? .wallClock)
    let shape = try settings.records.load()
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      let state = try HouseholdState(reading: settings, shape, &badLines)
      console.note(state)
      let finder = OccurrenceFinder(state.household, horizon)
      let found = finder.occurrences(settings.occurrence)
      guard found.count == 1 else {
        let dates = found.isEmpty ? finder.dates(near: settings.occurrence) : nil
        console.note(
          found.count, of: "occurrence", named: settings.occurrence, hint: dates.map { hint($0) })
        return .no
      }
      return try body(found[0], state.household, finder)
    }
  }
}

/// The command `simulate`, which plans the coming weeks.
extension AssignTool {
  static let simulate = Command(
    "simulate", "show the turns of the coming weeks, and how evenly they are shared",
    discussion: [
      "simulate assumes that members do all their turns. It prints one line per turn. Then it prints for "
        + "each member the number of turns, and of dates on which a turn was possible. Last, it prints for "
        + "each template the largest difference in turns between members who are present on the same dates. "
        + "It does not write records."
    ],
    settings: Settings(),
    options: [
      .value("weeks", named: "N", "Show N weeks, at most 520 (default: 12).") { $0.weeks = $1 },
      .value("now", "Use TIME as the current time.") { $0.now = $1 },
      .value("svg", "Also draw a calendar into FILE.") { $0.svg = $1 },
      .flag("json", "Write one object per turn, member and template instead of text.") {
        $0.json = true
      },
    ] + Option.records + Option.badLines + Option.reading,
    operands: files, statuses: statuses,
    examples: [
      .init("Draw a calendar for the kitchen door:", "assign simulate --weeks 6 --svg rota.svg home.jsonl")
    ],
    run: runSimulate)

  private static func runSimulate(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard settings.weeks.value <= 520 else { throw UsageError.conflict("'--weeks' is more than 520") }
    let shape = try settings.records.load()
    return try BadLines.collecting(
      settings, inputs: settings.files, outputs: (settings.svg, nil), on: console
    ) { badLines in
      let state = try HouseholdState(reading: settings, shape, &badLines)
      console.note(state)
      let rota = Rota(state.household, now: settings.now ?? .wallClock, weeks: settings.weeks.value)
      try badLines.save()
      if let file = settings.svg {
        let picture = try AtomicFile(creating: file.path)
        try picture.write(Array(CalendarSVG(rota).text().utf8).span)
        try picture.commit()
      }
      let text = settings.json ? rota.values.map { $0.text + "\n" }.joined() : rota.text
      try Descriptor.standardOutput.write(text)
      return .done
    }
  }
}
