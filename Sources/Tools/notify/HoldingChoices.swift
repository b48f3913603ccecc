import Chores
import CommandLine
import JSONLines
import SyncCore
import ToolInputs

/// When members may be told.
struct HoldingChoices {
  var quiet: QuietHours?
  var action = HoldingRules.Action.defer
  var zone = "UTC"
  var busy: FilePath?

  /// The files that are read for it.
  var files: [String] { busy.map { [$0.path] } ?? [] }

  func rules(_ badLines: inout BadLines) throws -> HoldingRules {
    var rules = HoldingRules()
    (rules.quiet, rules.action) = (quiet, action)
    guard let found = SystemZones().zone(zone) else {
      throw Diagnostic(
        .unknownZone, "no time zone '\(zone)' is known",
        hint: "zones are looked for in the folder that TZDIR names")
    }
    rules.zone = found
    if let busy {
      try NotifyTool.forEachObject(of: [busy.path], &badLines) { line, _ in try rules.busy.add(line) }
    }
    return rules
  }
}

/// Settings of a command that reads a household and says who is to be told.
protocol HoldingConfigurable: BadLineConfigurable, RecordConfigurable, ReadingConfigurable,
  PresentConfigurable
{
  var holding: HoldingChoices { get set }
}

extension Option where Settings: HoldingConfigurable {
  static var household: [Option] { present + records + badLines + reading }

  static var holding: [Option] {
    [
      .value("quiet-hours", "When members without quietHours of their own are not to be disturbed.") {
        $0.holding.quiet = $1
      },
      .value(
        "in-quiet-hours",
        "What happens then: defer waits until the end (the default), collapse does too and tells all in one, drop leaves "
          + "out what came up in quiet hours."
      ) { $0.holding.action = $1 },
      .value("zone", "The time zone of members who have none, such as Europe/Paris; the default is UTC.") {
        $0.holding.zone = $1
      },
      .value("busy", "Wait too while a member is busy: FILE has lines with memberID, start and end.") {
        $0.holding.busy = $1
      },
    ]
  }
}

extension QuietHours: OptionValue {
  package static var valueName: String { "HOURS" }
  package init?(argument: String) { self.init(argument) }
}

extension HoldingRules.Action: OptionChoice {
  package static var valueName: String { "ACTION" }
}
