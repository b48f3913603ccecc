import JSONLines
package import SyncCore

/// A change from a device with a wrong clock: its clock is in the future, so it could win for years.
package struct AheadChange: Equatable, Sendable {
  package var key: [UInt8]
  package var clock: Instant
  /// The peers that have the change: its sender, or otherwise the peers that have acknowledged it.
  package var holders: [StorePeer]

  /// The name of the key in messages.
  package var name: String { Key.shown(key.span) }

  /// Whether a peer has the change, so that `reclock` changes it only with `--sent`.
  package var isSent: Bool { !holders.isEmpty }
}

extension Diagnostic {
  /// The diagnostic about changes with clocks ahead; nil without such changes.
  package init?(ahead changes: [AheadChange], store: String) {
    guard let first = changes.first else { return nil }
    // A peer that has accepted such a change would send the old clock back.
    let isSent = changes.contains(where: \.isSent)
    let others = isSent ? "; do this on each device that reports them" : ""
    self.init(
      .clockAhead,
      "clocks further ahead of now than --max-drift allows: \(changes.count), the first \(first.clock) of "
        + "\(first.name)", file: store,
      hint: "if 'date' prints the correct time, \(Self.reclockCommand(isSent: isSent, store: store)) sets "
        + "them back to now\(others)")
  }

  /// The command that sets the clocks of changes back.
  static func reclockCommand(isSent: Bool, store: String) -> String {
    command("synclog reclock --ahead\(isSent ? " --sent" : "")", store: store)
  }
}

extension ChangeStore {
  /// The changes with clocks later than `latest`, in the order of their sequences.
  ///
  /// Call it inside a `read` or a `write`.
  ///
  /// It searches only commits that may have such changes.
  package func changes(ahead latest: Instant) throws -> [AheadChange] {
    var reader = try ChangeReader(rules() ?? RecordShape())
    let peers = try peers().map { (peer: $0, acknowledged: try acknowledged(by: $0)) }
    var found: [AheadChange] = []
    try database.statement(
      // CROSS makes SQLite read the few commits with late clocks first. Otherwise it would search all commits
      // for each change.
      "SELECT c.key, c.line, c.checksum, c.sequence, c.origin FROM commits m CROSS JOIN changes c "
        + "WHERE m.latest >= ?1 AND c.sequence <= m.sequence AND c.sequence > "
        + "coalesce((SELECT max(p.sequence) FROM commits p WHERE p.sequence < m.sequence), 0) "
        + "ORDER BY c.sequence", isLong: true
    ).bind(1, latest.seconds).forEachRow { row in
      try RowChecksum.require(row.integer(2), row.span(0), row.span(1))
      guard let clock = reader.change(row.span(1)).clock, clock > latest else { return }
      let (sequence, origin) = (row.integer(3), row.integer(4))
      let holders = peers.filter { $0.peer.number == origin || $0.acknowledged >= sequence }
      found.append(AheadChange(key: row.bytes(0), clock: clock, holders: holders.map(\.peer)))
    }
    return found
  }

  /// The stored change that has this clock, or the clock just before it; nil without one.
  ///
  /// `assign` takes the clocks of its lines from the records that it reads.
  func source(ofClock clock: Instant) -> AheadChange? {
    // This only adds to a refusal, so a damaged line must not replace it.
    let later = try? changes(ahead: clock.advanced(by: .milliseconds(-2)))
    return later?.first { $0.clock <= clock }
  }

  /// Gives changes another clock, inside a `write`, so that they are sent to every peer.
  ///
  /// It rewrites the record's own clock member too; the record that was read by the last `record` stays the
  /// baseline. A bound file or table gets the new clock when changes are written to it.
  package func reclock(_ changes: [AheadChange], to clock: Instant) throws {
    let clocks = try RecordClocks(self)
    var reader = LineReader(RecordShape())
    for change in changes {
      let key = change.key
      guard let stored = try row(of: key.span) else { continue }
      var line: [UInt8] = []
      try reader.appendChange(stored.line.span, clock: clock, to: &line)
      clocks.set(clock, in: &line, of: key.span)
      var row = NewRow(
        isTombstone: stored.isTombstone, clock: clock, origin: stored.place.disowned, base: stored.base)
      if SnapshotContent.hasOtherFields(line.span, stored.line.span) {
        if clocks.binding(of: key.span) != nil, !stored.isTombstone {
          row.base = .newer
        } else if stored.base == .same {
          row.base = .respelled
          try setBaseline(key.span, stored.line.span, clock: clock)
        }
      }
      try put(stored, key.span, line.span, row)
      if row.base == .same { continue }
      // The app has not read the stored version, so its deletion of the version before must lose. That
      // deletion is one millisecond later than the baseline.
      let isUnread = stored.base == .newer
      if isUnread, try baselineClock(of: key) ?? .epoch <= clock { continue }
      let known = isUnread ? clock.advanced(by: .milliseconds(-2)) : clock
      try database.statement("UPDATE baseline SET clock = ?2 WHERE key = ?1").bind(1, key)
        .bind(2, known.description).run()
    }
  }

  /// The clock of a baseline that is not the stored row; nil without one.
  private func baselineClock(of key: [UInt8]) throws(StoreError) -> Instant? {
    let found = try database.statement("SELECT line, clock FROM baseline WHERE key = ?1").bind(1, key)
      .first { ($0.bytes(0), $0.text(1)) }
    return found.flatMap { line, clock in Instant(clock) ?? self.clock(of: line) }
  }
}

extension Binding {
  /// The shape for reading a record of the source; `line` is the change line of the record.
  ///
  /// A binding may lack the key of its table, so the members of the identity name that key.
  fileprivate func recordShape(of line: Span<UInt8>) -> RecordShape {
    var shape = RecordShape()
    let identity = (try? JSONValue(parsing: line))?["identity"]?.objectValue ?? []
    shape.keys = table == nil ? keys : identity.map { JSONPointer(tokens: [$0.name]) }
    shape.clock = clock
    // Use a pointer that cannot match, so that members do not name the entity.
    shape.entity = JSONPointer(tokens: ["\u{0}"])
    return shape
  }
}

/// Rewrites the clock members of the records in a store's change lines.
package struct RecordClocks {
  private let shape: RecordShape
  private let bindings: [Binding]

  /// Reads the rules and the bindings of a store, inside a `read` or a `write`.
  package init(_ store: ChangeStore) throws {
    shape = try store.rules() ?? RecordShape()
    bindings = try store.bindings()
  }

  /// The file or table to which the entity of a key is bound.
  func binding(of key: Span<UInt8>) -> Binding? {
    let entity = Key.entity(of: key)
    return bindings.first { $0.entity == entity }
  }

  /// Rewrites the clock member of the record in a change line.
  ///
  /// Fields that are not a complete record do not have a clock.
  func set(_ clock: Instant, in line: inout [UInt8], of key: Span<UInt8>) {
    guard let fields = SnapshotContent.fields(of: line.span) else { return }
    var shape = binding(of: key)?.recordShape(of: line.span) ?? shape
    (shape.entityName, shape.requiresEntity) = (Key.entity(of: key), false)
    var reader = LineReader(shape)
    var record: [UInt8] = []
    let isOwn = try? reader.appendRecord(line.span.extracting(fields), of: key, clock: clock, to: &record)
    if isOwn == true { line.replaceSubrange(fields, with: record) }
  }
}

/// The lowest clock of a new record, so that a tombstone that a peer still has does not win over it.
///
/// A device whose clock was ahead may have deleted a record "later" than now. While the store has the
/// tombstone, a new record of that key gets a later clock. After the removal of the tombstone, only the floor
/// of the entity ensures that. Older writes keep their clocks: a record from last year loses against the
/// deletion anyway.
struct ClockFloors {
  private var floors: [String: (after: Instant, clock: Instant)] = [:]

  /// The clock for a change whose key the store does not have.
  func lifted(_ clock: Instant, _ key: Span<UInt8>) -> Instant {
    guard !floors.isEmpty, let floor = floors[Key.entity(of: key)], clock > floor.after,
      clock <= floor.clock
    else { return clock }
    return floor.clock.advanced(by: .milliseconds(1))
  }

  /// Whether a removed deletion of a key may have been later than `clock`; call it only for a key that the
  /// store lacks.
  func isBelow(_ clock: Instant, _ key: Span<UInt8>) -> Bool {
    guard !floors.isEmpty, let floor = floors[Key.entity(of: key)] else { return false }
    return clock <= floor.clock
  }

  fileprivate func clock(of entity: String) -> Instant? { floors[entity]?.clock }

  fileprivate mutating func set(_ entity: String, after: Instant, clock: Instant) {
    floors[entity] = (after, clock)
  }
}

extension ChangeStore {
  func clockFloors() throws(StoreError) -> ClockFloors {
    var floors = ClockFloors()
    let rows = try database.statement("SELECT entity, after, clock FROM floors")
    while try rows.step() {
      if let after = Instant(rows.text(1)), let clock = Instant(rows.text(2)) {
        floors.set(rows.text(0), after: after, clock: clock)
      }
    }
    return floors
  }

  /// Raises the floors of entities to the latest clocks among the deletions that are being removed.
  func raiseFloors(to clocks: [String: Instant], after: Instant) throws(StoreError) {
    let floors = try clockFloors()
    for (entity, clock) in clocks {
      if let floor = floors.clock(of: entity), floor >= clock { continue }
      try database.statement(
        "INSERT INTO floors (entity, after, clock) VALUES (?1, ?2, ?3) "
          + "ON CONFLICT (entity) DO UPDATE SET after = excluded.after, clock = excluded.clock"
      ).bind(1, entity).bind(2, after.description).bind(3, clock.description).run()
    }
  }
}
