import Chores
import CommandLine
import JSONLines
import SyncCore
import RecordInputs
import SystemIO

/// When members may be notified.
struct HoldingChoices {
  var quiet: QuietHours?
  var action = HoldingRules.Action.defer
  var zone = "UTC"
  var busy: [BusyFile] = []
  /// A `--busy-member` that does not follow a `--busy` file.
  var strayMember: String?

  /// The files of busy times.
  var files: [String] { busy.map(\.path) }

  mutating func name(member: String) {
    if let last = busy.indices.last, busy[last].member == nil {
      busy[last].member = member
    } else {
      strayMember = member
    }
  }

  /// The rules; nil if the member of a calendar is unknown or ambiguous, after a note about that.
  func rules(
    _ household: Household, now: Instant, _ badLines: inout BadLines, _ console: Console
  ) throws -> HoldingRules? {
    var rules = HoldingRules()
    (rules.quiet, rules.action) = (quiet, action)
    let zones = SystemZones()
    guard let found = zones.zone(zone) else {
      throw Diagnostic(
        .unknownZone, "unknown time zone '\(zone)'",
        hint: ZoneDatabase.hint)
    }
    rules.zone = found
    if let strayMember {
      throw UsageError.conflict("'--busy-member \(strayMember)' must directly follow its '--busy'")
    }
    var intervals: [BusyInterval] = []
    for file in busy {
      guard let name = file.member else {
        try file.addLines(to: &intervals, &badLines)
        continue
      }
      let members = household.members(named: name).map { household.members[$0] }
      guard members.count == 1 else {
        console.note(members.count, of: "member", named: name)
        return nil
      }
      let calendar = BusyCalendar(
        now: now, floating: household.zone(of: members[0]) ?? rules.zone, zones: zones.zone)
      let own = try file.intervals(of: calendar, &badLines)
      intervals += own.map { BusyInterval(of: members[0].id, $0) }
    }
    rules.busy = BusyTimes(intervals)
    return rules
  }
}

/// Settings of a command that reads a household and decides whom to notify.
protocol HoldingConfigurable: BadLineConfigurable, RecordConfigurable, ReadingConfigurable,
  PresentConfigurable
{
  var holding: HoldingChoices { get set }
}

extension Option where Settings: HoldingConfigurable {
  static var household: [Option] { present + records + badLines + reading }

  static var holding: [Option] {
    [
      .value("quiet-hours", "Use these quiet hours for members without quietHours.") {
        $0.holding.quiet = $1
      },
      .value(
        "in-quiet-hours",
        "In quiet hours, defer notifications to the end, collapse them into one at the end, or drop them "
          + "(default: defer)."
      ) { $0.holding.action = $1 },
      .value("zone", "Use this time zone for members without one, such as Europe/Paris (default: UTC).") {
        $0.holding.zone = $1
      },
      .repeated(
        "busy",
        "Also wait while a member is busy: FILE has lines with memberID, start and end, or is an iCalendar file."
      ) { (settings: inout Settings, file: FilePath) in
        settings.holding.busy.append(BusyFile(path: file.path))
      },
      .repeated(
        "busy-member", named: "MEMBER",
        "Use the preceding --busy file as the iCalendar file of MEMBER, an id or a name."
      ) { (settings: inout Settings, member: String) in settings.holding.name(member: member) },
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
