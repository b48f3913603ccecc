import Bindings
import CommandLine
import CommonInputs
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

extension PeersyncTool {
  struct BindSettings: StoreConfigurable, ListingConfigurable {
    var store = StoreSettings()
    var listing = ListingSettings()
    var source = ""
    var table: String?
    var entity: String?
    var keys: [JSONPointer] = []
    var clock: JSONPointer?
    var forms: [String: [String]] = [:]
  }

  static let bind = Command(
    "bind", "sync an app's file or table with the store",
    discussion: [
      "SOURCE is a file of JSON lines, a JSON array, a .csv file with a header, or a .txt file with one "
        + "record per line. With --table it is an SQLite database. From then on 'peersync run' first reads "
        + "edits from SOURCE into the store, and then writes received changes into SOURCE. Edits made "
        + "meanwhile are stored and merged, never overwritten.",
      "A run replaces a file as a whole, but not while another process has it open for writing. If a table "
        + "refuses a row, the run reports the row, and the next run retries it. The run does not record a "
        + "file that is empty or ends in an incomplete line.",
    ],
    settings: BindSettings(),
    options: [
      .value("table", named: "TABLE", "Bind this table or view of the database.") { $0.table = $1 },
      .value(
        "entity-name", named: "NAME",
        "Give the records this entity in the store (default: the name of the table, or of the file without its "
          + "extension)."
      ) { $0.entity = $1 },
      .repeated(
        "key",
        "Read the key of a record from this JSON Pointer (default: /id, /line for a .txt file, or the primary key of the "
          + "table). Repeat it for a key of several members."
      ) { $0.keys.append($1) },
      .value(
        "clock",
        "Read the time of a record's last edit from this JSON Pointer, or off (default: /modifiedAt, otherwise /modified_at, "
          + "/updatedAt, /updated_at, /timestamp). Without a clock, an edit gets the time at which it is "
          + "found."
      ) { $0.clock = ($1 as ClockPlace).pointer },
      form("column", "Use this column; repeat the option for more columns (default: all columns)."),
      form("base64", "Convert the bytes of this column to Base64 and back."),
      form("bool", "Convert 0 and 1 in this column to false and true, and back."),
      form("nested", "Convert the JSON text of this column to a value and back."),
    ] + Option.json + Option.storePlace,
    operands: Operands("SOURCE", count: 1...1) { $1.source = $0[0] },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .tryAgain, .refused, .configuration],
    examples: [
      .init("Bind a task list:", "peersync bind tasks.jsonl --entity-name Task > bound.json"),
      .init(
        "Bind an app's table with the time of each row's last edit:",
        "peersync bind app.db --table contacts --clock /updated_at > bound.json"),
    ],
    subcommands: [
      Command(
        "list", "print the bound files and tables",
        discussion: ["list prints one JSON line for each file and table."],
        settings: BindSettings(), options: Option.json + Option.storePlace,
        statuses: [.badData, .noInput, .inputOutput, .tryAgain],
        examples: [.init("List the bound files and tables:", "peersync bind list")], run: runBindList),
      Command(
        "remove", "stop syncing a file or table",
        discussion: ["The records stay in the store, and in the file or table."],
        settings: BindSettings(),
        options: [.value("table", named: "TABLE", "Remove only this table of a database.") { $0.table = $1 }]
          + Option.json + Option.storePlace,
        operands: Operands("SOURCE", count: 1...1, completion: .sources) { $1.source = $0[0] },
        statuses: [.no, .badData, .noInput, .inputOutput, .tryAgain],
        examples: [.init("Stop syncing a file of a removed app:", "peersync bind remove tasks.jsonl")],
        run: runBindRemove),
    ],
    run: runBind)

  private static func form(_ name: String, _ summary: String) -> Option<BindSettings> {
    .repeated(name, named: "COLUMN", summary) { (settings: inout BindSettings, column: String) in
      settings.forms[name, default: []].append(column)
    }
  }

  private static func runBind(_ settings: BindSettings, on console: Console) throws -> ExitStatus {
    let source = try FileMode.lasting(settings.source)
    var binding = Binding(
      entity: settings.entity ?? Binding.entity(of: source, table: settings.table), source: source,
      table: settings.table)
    (binding.keys, binding.clock, binding.forms) = (settings.keys, settings.clock, settings.forms)
    if settings.table == nil, !settings.forms.isEmpty {
      throw UsageError.conflict("columns require --table")
    }
    try requireOneForm(settings.forms)
    console.warn(openFolderOf: settings.store.path)
    return try Diagnostic.naming(store: settings.store.path) {
      if settings.table == nil, !FileMode.exists(source) {
        throw Diagnostic(
          .fileNotFound, "no such file or directory", file: source,
          hint: FileFormat.isTable(source)
            ? "make a file with a line that names the columns: echo id,title > \(ShellWord.path(source))"
            : "make an empty file: touch \(ShellWord.path(source))")
      }
      // The source is read before it is bound, so its errors are found now.
      let exchange = try BindingExchange(
        binding, in: settings.store.path, wait: settings.store.wait)
      let (count, areCounted) = try exchange.count(now: settings.store.present)
      let lacksClock = try exchange.lacksClock()
      let clock = try exchange.clock()
      let sharableKey = try exchange.sharableKey()
      let store = try ChangeStore(settings.store.path, creating: true, wait: settings.store.wait)
      try requireKey(of: exchange, in: store, settings.store)
      let triggers = try exchange.repeatedTriggers(besides: store.bindings(), ofOthers: true)
      let earlier = try store.bindings().first { $0.isSame(as: binding) }
      let dropped = earlier?.columnOptions.filter { !binding.columnOptions.contains($0) } ?? []
      let lock = try settings.store.bindLock(patience: settings.store.wait)
      try store.write {
        // Another process may bind at the same time, so the check and the binding are one transaction.
        try requireFree(binding, in: store)
        try store.bind(binding)
      }
      lock.release()
      try settings.listing.write(binding.json(clock: clock), saying: nil)
      console.note("records: \(count); 'peersync run' syncs them with the store")
      if !dropped.isEmpty {
        console.note(
          "options of the earlier binding that are no longer set: \(dropped.joined(separator: " "))",
          hint: "bind with the same options on all devices")
      }
      if FileMode.hasLink(settings.source) {
        console.note(
          "'\(settings.source)' leads through a link; the bound file stays '\(source)' even if the link is "
            + "changed",
          hint: "after a change of the link, run '\(binding.removeCommand(store: settings.store.path))', and "
            + "bind the file again")
      }
      if let clock, clock != Binding.noClock, !lacksClock {
        console.remark("the time of a record's last edit: '\(clock.text.shown)' (--clock)")
      }
      if lacksClock, let clock {
        console.note(
          "no record has '\(clock.text.shown)', which --clock names; an edit gets the time at which it is "
            + "found")
      }
      if areCounted {
        console.note(
          "the keys are numbers that count up: if two devices each add a record, both records get the same key and "
            + "become one", hint: "use random keys unless only one device adds records")
      }
      if !sharableKey.isEmpty {
        let columns = sharableKey.map(\.shown).joined(separator: ", ")
        console.note(
          "no PRIMARY KEY or UNIQUE index prevents two rows with the same key (\(columns)); such rows would "
            + "stop the sync of this table",
          hint: "repeat --key for each column that identifies a row, or add a UNIQUE index for the key")
      }
      if exchange.isView {
        console.note(
          "a view is read-only: changes of other devices are not written to it",
          hint: "to receive changes, bind the table that the view shows")
      }
      let bytes = exchange.columnsOfBytes
      if !bytes.isEmpty {
        console.note(
          "columns can have bytes, which need --base64: \(bytes.map(\.shown).joined(separator: ", "))",
          hint: binding.bindHint(with: "base64", of: bytes, store: settings.store.path))
      }
      for trigger in triggers { console.note(trigger, hint: BindingExchange.triggerRemedy) }
      if let remedy = exchange.remedy(for: count) {
        console.note("each run reads all rows", hint: remedy)
      }
      return .done
    }
  }

  /// Throws if a column would have two forms.
  private static func requireOneForm(_ forms: [String: [String]]) throws {
    var named: [String: String] = [:]
    for (form, columns) in forms.sorted(by: { $0.key < $1.key }) where form != "column" {
      for column in columns {
        guard let other = named.updateValue(form, forKey: column), other != form else { continue }
        throw UsageError.conflict("column '\(column)' cannot have both --\(other) and --\(form)")
      }
    }
  }

  /// Throws if the stored records have another key; other errors are those of the next run.
  private static func requireKey(
    of exchange: BindingExchange, in store: ChangeStore, _ settings: StoreSettings
  ) throws {
    guard try store.hasRecords(of: exchange.binding.entity) else { return }
    do {
      _ = try exchange.record(in: store, settings.bounds, isDryRun: true)
    } catch let error as Diagnostic where error.code == .identityDiffers {
      throw error
    } catch {}
  }

  /// Throws if the entity is bound to another source, or the source to another entity.
  ///
  /// Names that differ only in their Unicode form look the same, so only one of them can be bound.
  private static func requireFree(_ binding: Binding, in store: ChangeStore) throws {
    let bindings = try store.bindings()
    if let other = bindings.first(where: { $0.entity == binding.entity }),
      !other.hasSameSource(as: binding)
    {
      throw Diagnostic(
        .conflictingOptions, "'\(binding.entity)' is bound to another source", file: other.source,
        hint: FileMode.exists(other.source)
          ? "give this source another --entity-name"
          : "that file no longer exists; if it was renamed: "
            + other.removeCommand(store: store.path))
    }
    if let other = bindings.first(where: {
      !$0.entity.utf8.elementsEqual(binding.entity.utf8) && $0.hasSameSource(as: binding)
    }) {
      throw Diagnostic(
        .conflictingOptions, "already bound as '\(other.entity)'", file: binding.source,
        hint: "first run: \(other.removeCommand(store: store.path))")
    }
  }

  private static func runBindList(_ settings: BindSettings, on console: Console) throws -> ExitStatus {
    try settings.store.refuseBoundOutput()
    return try Diagnostic.naming(store: settings.store.path) {
      let store = try ChangeStore(
        settings.store.path, creating: false, wait: settings.store.wait, onlyRead: true)
      var listing = Listing(
        [
          .init("source", "source"), .init("table", "table"), .init("entity", "entityName"),
          .init("clock", "clock"),
        ], settings.listing)
      for binding in try store.bindings() {
        // A source that cannot be read now is listed without the clock that was found in it.
        let exchange = try? BindingExchange(binding, wait: .zero)
        try listing.add(binding.json(clock: try? exchange?.clock(loadingAt: settings.store.present)))
      }
      try listing.finish(none: "no bindings; 'peersync bind FILE' binds a file", on: console)
      return .done
    }
  }

  private static func runBindRemove(_ settings: BindSettings, on console: Console) throws -> ExitStatus {
    let source = try FileMode.lasting(settings.source)
    let named = Binding(entity: "", source: source, table: settings.table)
    return try Diagnostic.naming(store: settings.store.path) {
      let store = try ChangeStore(settings.store.path, creating: false, wait: settings.store.wait)
      let lock = try settings.store.bindLock(patience: settings.store.wait)
      let bound = try store.bindings().filter {
        settings.table == nil ? $0.hasSameFile(as: named) : $0.hasSameSource(as: named)
      }
      try store.write { for binding in bound { try store.unbind(binding.entity) } }
      lock.release()
      for binding in bound {
        try settings.listing.write(
          binding.json, saying: "no longer bound: \(binding.source.escapingControls)")
      }
      if bound.isEmpty {
        console.note("'\(source.escapingControls)' is not bound; 'peersync bind list' lists the bindings")
      }
      return bound.isEmpty ? .no : .done
    }
  }
}

/// The place of a record's clock, or `off`.
private struct ClockPlace: OptionValue {
  var pointer: JSONPointer
  static var valueName: String { JSONPointer.valueName }
  static var expectation: String { "\(JSONPointer.expectation), or off" }

  init?(argument: String) {
    guard let pointer = argument == "off" ? Binding.noClock : JSONPointer(argument: argument) else {
      return nil
    }
    self.pointer = pointer
  }
}

extension Binding {
  /// The binding with the clock that its source has.
  fileprivate func json(clock: JSONPointer?) -> JSONValue {
    var found = self
    found.clock = clock ?? self.clock
    return found.json
  }
}
