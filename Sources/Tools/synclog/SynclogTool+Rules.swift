import CommandLine
import Store
import SyncCore
import SystemIO
import ToolInputs

extension SynclogTool {
  struct RuleSettings: RecordConfigurable, StoreConfigurable {
    var records = RecordSettings()
    var store = StoreSettings()
  }

  static let initialize = Command(
    "init", "make a store, and settle its rules",
    discussion: [
      "The rules say how records are read and merged; the store keeps them, so that no other command needs the "
        + "options. Without init the first record, put or apply settles them. A store that another device's records "
        + "go to needs no rules: it takes those of the first device that it meets.",
      "--entity-name is the entity of records that do not name theirs, as long as the store has no other.",
    ],
    settings: RuleSettings(), options: Option.storePlace + Option.records, statuses: stored,
    examples: [
      .init(
        "A store for the rows of a table:",
        "synclog init --key /uuid --clock /updated_at --entity-name contact")
    ],
    run: runInit)

  static let rules = Command(
    "rules", "how the store's records are read and merged",
    discussion: ["The rules are one JSON object, see docs/formats/store.md."],
    subcommands: [
      Command(
        "show", "write the rules", discussion: ["Status 1 if none are settled yet."],
        settings: PlainSettings(), options: Option.storePlace, statuses: asked,
        examples: [.init("See how records are read:", "synclog rules show")], run: runShow),
      Command(
        "set", "change the rules",
        discussion: [
          "What the options say takes the place of what the rules say; the rest stays. If records of an entity merge "
            + "by another rule from now on, all of them go to every peer again. Refused if records would have other keys."
        ],
        settings: RuleSettings(), options: Option.storePlace + Option.records, statuses: stored,
        examples: [.init("Merge as chores do:", "synclog rules set --profile chores")], run: runSet),
    ])

  private static func runInit(_ settings: RuleSettings, on console: Console) throws -> ExitStatus {
    try withRules(settings.store, settings.records, console) { ruled in
      let store = try ruled.open()
      try store.write { try ruled.settle(store) }
      return .done
    }
  }

  private static func runShow(_ settings: PlainSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console) { store in
      guard let rules = try store.rules() else {
        console.note("the store has no rules yet; it takes those of the first record, put, apply or peer")
        return .no
      }
      try Descriptor.standardOutput.write(String(decoding: rules.rules, as: UTF8.self) + "\n")
      return .done
    }
  }

  private static func runSet(_ settings: RuleSettings, on console: Console) throws -> ExitStatus {
    let choice = try settings.records.choice()
    if choice.isEmpty { throw UsageError.conflict("rules set needs an option that says a rule") }
    return try withStore(settings.store, console) { store in
      let sent = try store.write {
        try store.changeRules(choice.shape(replacing: store.rules() ?? RecordShape()))
      }
      if sent > 0 { console.note("records that merge by another rule and go to every peer again: \(sent)") }
      return .done
    }
  }
}
