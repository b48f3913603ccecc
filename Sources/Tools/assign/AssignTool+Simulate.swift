import Chores
import CommandLine
import Drawings
import JSONLines
import SyncCore
import SystemIO
import ToolInputs

/// `simulate`: the weeks to come.
extension AssignTool {
  static let simulate = Command(
    "simulate", "show who does what when, and how fair that is",
    discussion: [
      "Shows the weeks from now on as they come if everybody does what is given to them: a line a turn, then for "
        + "each member the turns and the dates on which there could have been one, then for each template the largest "
        + "difference between members who are there on the same dates. Nothing is written to the records."
    ],
    settings: Settings(),
    options: [
      .value("weeks", named: "N", "How many weeks, at most 520; the default is 12.") { $0.weeks = $1 },
      .value("now", "The present, in place of the clock.") { $0.now = $1 },
      .value("svg", "Draw a calendar into FILE too.") { $0.svg = $1 },
      .flag("json", "Write objects, one a turn, a member and a template, in place of text.") {
        $0.json = true
      },
    ] + Option.records + Option.badLines + Option.reading,
    operands: files, statuses: statuses,
    examples: [
      .init("A calendar for the kitchen door:", "assign simulate --weeks 6 --svg rota.svg home.jsonl")
    ],
    run: runSimulate)

  private static func runSimulate(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard settings.weeks.value <= 520 else { throw UsageError.conflict("'--weeks' is more than 520") }
    let shape = try settings.records.load()
    return try BadLines.collecting(
      settings, inputs: settings.files, outputs: (settings.svg, nil), on: console
    ) { badLines in
      let state = try HouseholdState(reading: settings, shape, &badLines)
      console.note(passedOver: state.checkpoints)
      let rota = Rota(state.household, now: settings.now ?? .wallClock, weeks: settings.weeks.value)
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
