package import JSONLines
package import Store
package import SyncCore
import SystemIO
import Tables

/// Syncs the source of a binding with a store.
package struct BindingExchange {
  package let binding: Binding
  /// The binding as it was made, before the table's own key was added.
  private let given: Binding
  let source: any BoundSource

  /// Opens the source; `wait` is the longest wait for another writer.
  ///
  /// `others` are all bindings of the store: deleting a row of this table must not delete rows of their
  /// tables. `other` has a table of the same database, whose connection is used for this table too. `store`
  /// is the path of the store, for the commands of hints.
  package init(
    _ binding: Binding, besides others: [Binding] = [], sharing other: BindingExchange? = nil,
    in store: String? = nil, wait: Duration
  ) throws {
    given = binding
    guard let name = binding.table else {
      var binding = binding
      if binding.keys.isEmpty, FileFormat.isText(binding.source) {
        binding.keys = [JSONPointer(tokens: [RecordText.lineMember])]
      }
      self.binding = binding
      source = BoundFile(binding, wait: wait)
      return
    }
    let table = try BoundTable(
      binding, table: name, besides: others, sharing: other?.source as? BoundTable,
      in: store ?? Places.store, wait: wait)
    self.binding = table.binding
    source = table
  }

  /// Lets this exchange, and all that share its connection, read one state of the database from now on.
  ///
  /// In rollback-journal mode, this blocks the commits of apps until the connection is closed.
  package func holdState() throws { try (source as? BoundTable)?.holdState() }

  /// Advice for the user: a change to the source with which runs read only new rows; nil for a small or fast
  /// source.
  package func remedy(for count: Int) -> String? { count < 10_000 ? nil : source.remedy }

  /// The number of records in the source, and whether their keys look like the numbers of a counter.
  package func count(now: Instant) throws -> (records: Int, areCounted: Bool) {
    try naming {
      try source.load(since: nil, now: now)
      let found = try keys.found()
      return (found.count, found.areCounted && (found.count > 0 || source.countsKeys == true))
    }
  }

  /// The member with the time of a record's last edit; nil without one.
  ///
  /// It is the named member, otherwise the first of the default names that the table, or a record of the
  /// file, has. With `now`, a file is loaded first.
  package func clock(loadingAt now: Instant? = nil) throws -> JSONPointer? {
    if let clock = given.clock { return clock }
    func first(where isFound: (String) -> Bool) -> JSONPointer? {
      let name = MemberName.liveClocks.map(\.spelling.description).first(where: isFound)
      return name.map { JSONPointer(tokens: [$0]) }
    }
    if let columns = source.columns { return first { columns.contains($0) } }
    return try naming {
      if let now { try source.load(since: nil, now: now) }
      var found: JSONPointer?
      try source.forEachRecord { record, _ in
        guard found == nil, let value = try? JSONValue(parsing: record) else { return }
        found = first { (value[$0] ?? .null) != .null }
      }
      return found
    }
  }

  /// Whether the source is a view, which is read-only.
  package var isView: Bool { source.isView }

  /// The columns of a table that are declared for bytes, and that are not converted to Base64.
  package var columnsOfBytes: [String] { source.columnsOfBytes }

  /// The columns of a table's key if two of its rows may have the same key; otherwise empty.
  package func sharableKey() throws -> [String] { try source.sharableKey() }

  /// Whether all records of a loaded file lack the member that `--clock` names.
  ///
  /// The result is false without records. Throws an error if a table lacks the column.
  package func lacksClock() throws -> Bool {
    guard let clock = given.clock, clock != Binding.noClock else { return false }
    if let columns = source.columns {
      if let name = clock.tokens.first, !columns.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
        let error = TableError.noColumn(name, table: binding.table ?? "", others: columns)
        throw Diagnostic(error, file: binding.source)
      }
      return false
    }
    var (isAny, isFound) = (false, false)
    try source.forEachRecord { record, _ in
      isAny = true
      if isFound { return }
      let value = try? JSONValue(parsing: record)
      isFound = clock.tokens.reduce(value) { $0?[$1] } != nil
    }
    return isAny && !isFound
  }

  private var keys: SourceKeys { SourceKeys(source: source, binding: binding) }

  /// The source lacks records of the store.
  package struct FoundDeletions: Error {}

  /// The edits of a source that were stored.
  package struct Recorded {
    package var intake: SnapshotIntake
    /// The number of records that the app has overwritten without reading a change; their changes are written again.
    package var unread: Int
  }

  /// Stores the edits of the source since the last run; with `isDryRun` it only returns the result.
  ///
  /// An edit without a clock gets the time in `bounds`, which are evaluated after the source has been read.
  /// With `keepsAll` it throws ``FoundDeletions``, and stores no edit, if records would be deleted.
  package func record(
    in store: ChangeStore, _ bounds: @autoclosure () -> WriteBounds, isDryRun: Bool = false,
    keepsAll: Bool = false
  ) throws -> Recorded {
    let (mark, now) = (try store.readMark(of: binding), bounds().now)
    try naming {
      try source.load(since: mark, now: now)
      try loadAll(unlessIn: store, mark, now: now)
      if !isDryRun { try settleHeld(in: store) }
    }
    return try recordLoaded(in: store, bounds(), isDryRun: isDryRun, keepsAll: keepsAll)
  }

  /// Loads all rows if the number of rows does not agree with the new rows, because then some were deleted.
  func loadAll(unlessIn store: ChangeStore, _ mark: ReadMark?, now: Instant) throws {
    guard source.isExcerpt, let mark else { return }
    var wrapping = RecordWrapping(binding)
    var count = mark.rows
    try source.forEachRecord { record, line in
      let key = try wrapping.key(of: record, line: line)
      if try !store.isInSource(key.span) { count += 1 }
    }
    if count != source.mark?.rows { try source.load(since: nil, now: now) }
  }

  func recordLoaded(
    in store: ChangeStore, _ bounds: WriteBounds, isDryRun: Bool = false, keepsAll: Bool = false
  ) throws -> Recorded {
    let delivered = try isDryRun ? [] : naming { try deliveredBefore(in: store) }
    let lines = try naming { try SnapshotText(of: source, binding, in: store) }
    let ruled = try RuledStore(store, RuleChoice(RecordShape(), hasProfile: false, entityName: nil))
    let sorted = try naming {
      let sorted = try SortedLines([lines.text], ruled.shape) { error, _, line in
        throw BindingError(error.code, error.message, hint: error.remedy)
      }
      if sorted.firstDuplicate(in: 0) != nil {
        throw try keys.duplicate() ?? BindingError(.duplicateKey, "two records have the same key")
      }
      return sorted
    }
    let taken = lines.reading.takenAway + lines.displaced
    if !isDryRun, !taken.isEmpty {
      try store.write { for taken in taken { try store.keepTakenAway(taken.key, taken.line) } }
    }
    let intake = try naming {
      try recorded(sorted, ruled, bounds, isBlank: lines.isBlank, isDryRun) {
        // For a new version of the source, the digest is noted later, together with its lost changes.
        if !delivered.isEmpty {
          try store.noteGiven(binding, delivered, digest: lines.isNew ? nil : source.digest)
        }
      } settling: { intake in
        if keepsAll, intake.counts.deletions > 0 { throw FoundDeletions() }
        try settle(intake, lines, in: store)
      }
    }
    // A new column remains new until it has the stored values; only all rows can show that.
    if !isDryRun, !source.isExcerpt, !lines.spellings.contains(where: \.lacksValues) {
      try noteColumns(hiding: lines.hidden, in: store)
    }
    // Without a mark, the next run reads again the records that were not stored.
    let isRead = intake.unstored.allSatisfy { $0.outcome == .conflict }
    if !isDryRun { try note(isRead ? source.mark : nil, in: store) }
    return Recorded(intake: intake, unread: lines.lost.count)
  }

  /// Notes the changes that must be written to the source again, and the source's own forms of records.
  ///
  /// Call it inside the `write` that stores the edits, because a killed run would not note it later.
  private func settle(_ intake: SnapshotIntake, _ lines: SnapshotText, in store: ChangeStore) throws {
    let outdated = intake.outdated
    if lines.isNew || !outdated.isEmpty {
      try store.giveAgain(
        binding, lines.lost + outdated, after: lines.reading, digest: source.digest)
    }
    for case (let key, let line?) in outdated { try store.keepTakenAway(key, line) }
    for spelling in lines.spellings {
      try store.noteSpelling(
        spelling.key, of: spelling.stored, as: spelling.own, lacksValues: spelling.lacksValues)
    }
    let lost = intake.unstored.filter { $0.code == .conflict }.map(\.key)
    let lacking = lines.spellings.filter(\.lacksValues).map(\.key)
    try store.giveAgain(binding, lost + lacking + intake.converted)
  }

  /// The records that an interrupted run wrote to the source but did not note, with their previous versions.
  private func deliveredBefore(in store: ChangeStore) throws -> [(key: [UInt8], before: [UInt8]?)] {
    guard source.isWrittenAsAWhole else { return [] }
    let arrivals = try store.read { try store.arrivals(for: binding).arrivals }
    if arrivals.isEmpty { return [] }
    var left = Dictionary(uniqueKeysWithValues: arrivals.map { ($0.key, $0) })
    var delivered: [(key: [UInt8], before: [UInt8]?)] = []
    var wrapping = RecordWrapping(binding)
    try source.forEachRecord { record, line in
      let (own, key) = try SnapshotText.known(record, line, source, store, &wrapping)
      guard let arrival = left.removeValue(forKey: key), !arrival.isTombstone else { return }
      let content = try source.isPartial ? SnapshotText.typed(own, key, store) : own
      guard SnapshotContent.isSame(content.span, .record, arrival.line.span) else { return }
      let before = try store.lastRead(key.span)
      if try differsVisibly(own, before) { delivered.append((key, before)) }
    }
    for arrival in left.values where arrival.isTombstone {
      if let before = try store.lastRead(arrival.key.span) { delivered.append((arrival.key, before)) }
    }
    return delivered
  }

  func noteColumns(hiding more: Set<String> = [], in store: ChangeStore) throws {
    guard let columns = source.columns else { return }
    // Members may have been noted since this exchange was made.
    let noted = try store.bindings().first { $0.entity == binding.entity }?.hidden ?? []
    let hidden = more.union(binding.hidden).union(noted).subtracting(columns)
    try store.noteColumns(columns, hidden: hidden.sorted(), of: binding)
  }

  private func note(_ mark: ReadMark?, in store: ChangeStore) throws {
    guard try store.readMark(of: binding) != mark else { return }
    try store.write { try store.noteRead(binding, mark) }
  }

  /// Detects an older copy of the source: it has records with earlier clocks than before, and an edit never
  /// sets an earlier clock.
  private var restoration: Restoration {
    let source = source
    var wrapping = RecordWrapping(binding)
    return Restoration(isOfFile: source.columns == nil) { line in
      SnapshotContent.fields(of: line).flatMap { wrapping.clock(of: line.extracting($0)) }
    } liveClock: { line in
      SnapshotContent.fields(of: line).flatMap { wrapping.liveClock(of: line.extracting($0)) }
    } latest: {
      var latest: Instant?
      var reader = wrapping
      try? source.forEachRecord { record, _ in
        guard let clock = reader.clock(of: record) else { return }
        latest = max(latest ?? clock, clock)
      }
      return latest
    }
  }

  private func recorded(
    _ sorted: SortedLines, _ ruled: RuledStore, _ bounds: WriteBounds, isBlank: Bool, _ isDryRun: Bool,
    noting: () throws -> Void, settling: (SnapshotIntake) throws -> Void
  ) throws -> SnapshotIntake {
    // Several tables of a database may be bound.
    let place = binding.table.map { KeyedRow(table: $0, members: []).place + ": " } ?? ""
    do {
      return try ruled.record(
        bounds, entity: binding.entity, withholdingDeletions: false, isBlank: isBlank,
        isExcerpt: source.isExcerpt, isOfApp: true, restoration: restoration, isDryRun: isDryRun
      ) { take in
        try noting()
        try sorted.forEachKey { lines, reader in
          var key: [UInt8] = []
          let change = reader.change(lines.text(0), key: &key)
          try take(key.span, lines.text(0), change)
        }
      } settling: { intake in
        try settling(intake)
      }
    } catch StoreError.emptySnapshot {
      let message = isBlank ? "no longer has records" : "does not have any of its earlier records"
      throw BindingError(
        .tooManyDeletions, "\(place)\(message); the store keeps all of them",
        hint: remedy(allowing: "off", store: ruled.path))
    } catch StoreError.tooManyDeletions(let count, let live) {
      throw BindingError(
        .tooManyDeletions, "\(place)\(count) of \(live) records would be deleted; all were kept",
        hint: remedy(allowing: String(count), store: ruled.path))
    } catch StoreError.otherIdentity(let entity, let given, let stored) {
      throw BindingError(
        .identityDiffers,
        "\(place)its key is \(given), but \(stored) in the stored or deleted records of entity "
          + "'\(entity.shown)'",
        hint: remedy(naming: stored, store: ruled.path))
    }
  }

  private func remedy(naming key: String, store: String) -> String {
    var renamed = given
    renamed.entity = "NEW"
    return
      "name the key \(key) again; or rename it on all devices, and bind it there as another entity: "
      + "\(given.removeCommand(store: store)); \(renamed.bindCommand(store: store))"
  }

  private func remedy(allowing limit: String, store: String) -> String {
    let run = Diagnostic.command("peersync run --max-delete \(limit)", store: store)
    return
      "to get them back: \(given.removeCommand(store: store)); \(given.bindCommand(store: store)); to delete "
      + "them: \(run)"
  }

  func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as BindingError {
      throw Diagnostic(error, source: binding.source)
    }
  }
}
