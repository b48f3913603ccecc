import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SynclogTool {
  struct RuleSettings: RecordConfigurable, StoreConfigurable {
    var records = RecordSettings()
    var store = StoreSettings()
  }

  static let initialize = Command(
    "init", "make a store, and set its rules",
    discussion: [
      "The rules define how records are read and merged. The store keeps them, so other commands do not need "
        + "the options. Without init, the first record, put or apply sets the rules. A store that receives "
        + "another device's records uses the rules of the first device that it syncs with.",
      "--entity-name is the entity of records that do not name one, as long as the store has only this "
        + "entity.",
    ],
    settings: RuleSettings(), options: Option.storePlace + Option.records, statuses: stored,
    examples: [
      .init(
        "Make a store for the rows of a table:",
        "synclog init --key /uuid --clock /updated_at --entity-name contact")
    ],
    run: runInit)

  static let rules = Command(
    "rules", "show and change how records are read and merged",
    discussion: ["The rules are one JSON object; see docs/formats/store.md."],
    subcommands: [
      Command(
        "show", "write the rules", discussion: ["The exit status is 1 if the rules are not set yet."],
        settings: PlainSettings(), options: Option.storePlace, statuses: asked,
        examples: [.init("Show how records are read:", "synclog rules show")], run: runShow),
      Command(
        "set", "change the rules",
        discussion: [
          "set replaces only the rules of the given options. If an entity gets another merge rule, all its "
            + "records are sent to every peer again. set refuses the change if records would get other keys."
        ],
        settings: RuleSettings(), options: Option.storePlace + Option.records, statuses: stored,
        examples: [.init("Merge with the profile chores:", "synclog rules set --profile chores")], run: runSet
      ),
    ])

  private static func runInit(_ settings: RuleSettings, on console: Console) throws -> ExitStatus {
    try withRules(settings.store, settings.records, console, replacingLost: true) { ruled in
      let store = try ruled.open()
      try store.write { try ruled.settle(store) }
      return .done
    }
  }

  private static func runShow(_ settings: PlainSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console, onlyRead: true) { store in
      guard let rules = try store.rules() else {
        console.note("no rules yet: the first 'record', 'put', 'apply' or peer sets them")
        return .no
      }
      try Descriptor.standardOutput.write(String(decoding: rules.rules, as: UTF8.self) + "\n")
      return .done
    }
  }

  private static func runSet(_ settings: RuleSettings, on console: Console) throws -> ExitStatus {
    let choice = try settings.records.choice()
    if choice.isEmpty { throw UsageError.conflict("rules set needs at least one option") }
    do {
      return try withStore(settings.store, console) { store in
        let sent = try store.write {
          try store.changeRules(choice.shape(replacing: store.rules() ?? RecordShape()))
        }
        if sent > 0 {
          console.note("records with a changed merge rule, which will be sent to every peer again: \(sent)")
        }
        return .done
      }
    } catch var error as Diagnostic where error.code == .fileNotFound {
      let profile = settings.records.profileName.map { " --profile \(ShellWord.path($0))" } ?? ""
      let command = Diagnostic.command("synclog init\(profile)", store: settings.store.path)
      error.hint = "init takes the same options, and makes a store: \(command)"
      throw error
    }
  }
}
