import Bindings
import CommandLine
import JSONLines
import RecordInputs
import Store
import SyncCore

/// What a run says about the changes of a source.
extension BoundSources {
  func tell(_ binding: Binding, _ outcome: BindingExchange.Outcome) {
    tell(binding, "recorded", outcome.recorded)
    tell(binding, outdated: outcome.outdated)
    tell(binding, setBack: outcome.setBack)
    if outcome.recorded > 0, binding.table != nil { late.insert(binding.file) }
    tell(binding, "written", outcome.written)
    tell(binding, hidden: outcome.hidden)
  }

  func tell(_ binding: Binding, _ what: String, _ count: Int) {
    say { $0.step("\(binding.shownSource): changes \(what): \(count)") }
    guard count > 0 else { return }
    isChanged = true
    let changes = count == 1 ? "1 change" : "\(count) changes"
    let table = binding.table.map { [JSONMember("table", .string($0))] } ?? []
    let line = JSONValue.object(
      [JSONMember("source", .string(binding.source))] + table + [
        JSONMember("entityName", .string(binding.entity)), JSONMember(what, .integer(count)),
      ])
    let sentence = "\(binding.shownSource): \(changes) \(settings.isDryRun ? "would be " : "")\(what)"
    let output = output
    say { _ in output.write(line, saying: sentence) }
  }

  func tell(_ binding: Binding, outdated count: Int) {
    if count == 0 { return }
    let (row, source) = binding.table == nil ? ("record", "file") : ("row", "database")
    let rows = count == 1 ? "1 \(row) is" : "\(count) \(row)s are"
    let list = Diagnostic.command("synclog conflicts list", store: settings.store.path)
    let hint = keepsReplaced ? "'\(list)' lists the replaced \(row)s" : nil
    // Rows of the app change, so this is reported even with --quiet.
    say {
      $0.warn(
        "\(binding.shownSource): \(rows) older than at the last run, as in an older copy of the \(source), "
          + "or after a clock was set back; each \(row) gets its later version again",
        hint: hint)
    }
  }

  func tell(_ binding: Binding, setBack count: Int) {
    if count == 0 { return }
    let edits = count == 1 ? "1 edit has" : "\(count) edits have"
    let list = Diagnostic.command("synclog conflicts list", store: settings.store.path)
    let restore = Diagnostic.command("synclog conflicts restore NUMBER", store: settings.store.path)
    let advice =
      "if it is an older copy: '\(list)' lists the replaced versions, and '\(restore)' brings one back"
    let hint = keepsReplaced ? advice : nil
    say {
      $0.warn(
        "\(binding.shownSource): \(edits) an earlier clock than the replaced version, as in an older copy "
          + "of the file",
        hint: hint)
    }
  }

  /// Whether this run keeps the versions that edits replace.
  private var keepsReplaced: Bool { !settings.isDryRun && settings.store.keepConflicts.duration != nil }

  func tell(_ binding: Binding, unread count: Int, clock: JSONPointer?) {
    let records = count == 1 ? "1 record" : "\(count) records"
    var hint = "if that was meant, make the change again"
    if let clock, clock != Binding.noClock {
      // A record whose clock is older than that of the received change never counts as an edit.
      hint += "; a changed record also needs a later '\(clock.text.shown)'"
    }
    say { [hint] in
      $0.warn(
        "\(binding.shownSource): an app wrote back the old content of \(records), without received changes; "
          + "these are written again",
        hint: hint)
    }
  }

  func tell(_ binding: Binding, hidden: Set<String>) {
    if hidden.isSubset(of: toldHidden[binding.entity] ?? []) { return }
    toldHidden[binding.entity, default: []].formUnion(hidden)
    let names = hidden.sorted().map(\.shown).joined(separator: ", ")
    say {
      $0.note(
        "\(binding.shownSource): missing columns: \(names); their values are kept in the store, "
          + "and written once the columns exist")
    }
  }
}
