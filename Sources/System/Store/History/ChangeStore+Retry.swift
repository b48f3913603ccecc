import JSONLines
package import SyncCore

/// Selects the lines of the quarantine to retry.
package enum QuarantineRetry: Sendable {
  /// Lines with a clock that is no longer ahead, and lines that were read under other rules.
  case due
  case all
  case number(Int64)
}

extension ChangeStore {
  /// Applies all lines that can be applied now, inside a `write`; returns the number of lines that left the
  /// quarantine.
  ///
  /// With `drift` nil all clocks are accepted. `taken` counts the lines that were stored, and `deletions` the
  /// live records that are deleted now.
  ///
  /// If the lines would delete more of the `live` records than `limit` allows in addition to `others`, their
  /// deletions stay in quarantine. So the deletions of one peer do not block the changes of the other peers.
  /// For that, call it once before the changes of a peer, without deletions, and once after them.
  package func retryQuarantine(
    _ shape: RecordShape, _ drift: DriftGuard?, _ scope: QuarantineRetry = .due,
    within limit: DeleteLimit = .off, besides others: Int = 0, of live: Int = 0
  ) throws(StoreError) -> (released: Int, taken: Int, deletions: Int) {
    var retry = RetriedLines(self, shape, drift, scope)
    for number in try retry.numbers() { try retry.apply(number) }
    if limit.allows(others + retry.deleted.count, of: live) {
      for number in retry.deleting { try retry.apply(number, mayDelete: true) }
    }
    return (retry.released, retry.counts.taken, retry.counts.deletions)
  }

  /// A mark that identifies the rules under which a line was read, also across versions of the program.
  static func rulesMark(_ shape: RecordShape) -> Int64 {
    var checksum = CRC32()
    let text = shape.rules + Array(version.utf8)
    checksum.add(text.span)
    return Int64(checksum.value)
  }
}

/// Retries lines of the quarantine, with one line in memory at a time.
private struct RetriedLines {
  private let store: ChangeStore
  private let shape: RecordShape
  private let drift: DriftGuard?
  private let scope: QuarantineRetry
  private let rules: Int64
  private var reader: LineReader
  private var intakes: [Origin: PeerIntake] = [:]
  private(set) var released = 0
  /// The numbers of the lines that would delete a live record.
  private(set) var deleting: [Int64] = []
  /// The keys of these records.
  private(set) var deleted: Set<[UInt8]> = []

  /// The peer that a line came from, and whether protocol version 1 has shortened the line's times.
  private struct Origin: Hashable {
    let peer: StorePeer
    let isCut: Bool
  }

  private struct Entry {
    let origin: Origin
    let reason: String
    let line: [UInt8]
    /// The sequence of the store's last change when the line arrived.
    let sequence: Int64?
  }

  init(_ store: ChangeStore, _ shape: RecordShape, _ drift: DriftGuard?, _ scope: QuarantineRetry) {
    (self.store, self.shape, self.drift, self.scope) = (store, shape, drift, scope)
    rules = ChangeStore.rulesMark(shape)
    reader = LineReader(shape)
  }

  var counts: PeerIntake.Counts { intakes.values.reduce(PeerIntake.Counts()) { $0 + $1.counts } }

  /// The numbers of the lines to retry, from an index without the lines, because most lines are not due.
  func numbers() throws(StoreError) -> [Int64] {
    var numbers: [Int64] = []
    let rows: Statement
    switch scope {
    case .number(let number): return [number]
    case .all: rows = try store.database.statement("SELECT number FROM quarantine ORDER BY number")
    case .due:
      rows = try store.database.statement(
        "SELECT number FROM quarantine INDEXED BY quarantineByPeer WHERE clock <= ?1 OR rules IS NOT ?2 "
          + "ORDER BY number")
      rows.bind(1, drift?.latest?.seconds ?? .max).bind(2, rules)
    }
    while try rows.step() { numbers.append(rows.integer(0)) }
    return numbers
  }

  /// Applies a line if possible; without `mayDelete`, only notes a line that would delete a live record.
  mutating func apply(_ number: Int64, mayDelete: Bool = false) throws(StoreError) {
    guard let entry = try entry(number) else { return }
    let line = entry.line
    var key: [UInt8] = []
    let change = try? reader.read(line.span, key: &key)
    guard let change, change.kind != .checkpoint, StorableLine.excess(line.span, change.kind) == nil,
      !change.isTombstone || change.clock != nil, change.kind != .record || mayBeRecord(entry)
    else {
      return try keep(number, until: nil)
    }
    guard drift?.admits(change) ?? true else { return try keep(number, until: change.clock) }
    var intake = try intake(of: entry.origin)
    if !mayDelete, try intake.deletes(key.span, line.span, change) {
      deleting.append(number)
      deleted.insert(key)
      return
    }
    intake.cameAfter = entry.sequence
    try intake.apply(key.span, line.span, change)
    intakes[entry.origin] = intake
    _ = try store.dropQuarantined(number)
    released += 1
  }

  /// The intake for lines of this origin; it sends their changes to the peer too.
  ///
  /// The peer may have been restored in the meantime, and may have lost the changes that it sent.
  private func intake(of origin: Origin) throws(StoreError) -> PeerIntake {
    if let known = intakes[origin] { return known }
    return try PeerIntake(
      store, from: origin.peer, shape, equality: origin.isCut ? .packed(nil) : .bytes, drift: drift,
      keepingOrigin: false)
  }

  /// Whether a line may be read as a plain record.
  ///
  /// A plain record from a peer, or one without an entity, is read under this store's rules only if a person
  /// retries that line.
  private func mayBeRecord(_ entry: Entry) -> Bool {
    if case .number = scope { return true }
    return entry.reason != PeerIntake.plainRecord && entry.reason != ErrorCode.missingEntity.rawValue
  }

  private func entry(_ number: Int64) throws(StoreError) -> Entry? {
    let rows = try store.database.statement(
      "SELECT p.number, p.id, q.line, q.checksum, q.cut, q.reason, q.sequence FROM quarantine q JOIN peers p ON p.number = q.peer "
        + "WHERE q.number = ?1"
    ).bind(1, number)
    guard try rows.step() else { return nil }
    defer { rows.reset() }
    if let fault = QuarantinedLine.fault(number, rows.span(2), rows.integer(3)) { throw .corrupt(fault) }
    let peer = StorePeer(number: rows.integer(0), id: rows.text(1))
    let origin = Origin(peer: peer, isCut: rows.integer(4) != 0)
    return Entry(
      origin: origin, reason: rows.text(5), line: rows.bytes(2),
      sequence: rows.isNull(6) ? nil : rows.integer(6))
  }

  /// Keeps a line that cannot be applied under these rules; it is retried after `clock`, or under other
  /// rules.
  private func keep(_ number: Int64, until clock: Instant?) throws(StoreError) {
    try store.database.statement(
      "UPDATE quarantine SET clock = ?2, rules = ?3 WHERE number = ?1 AND (clock IS NOT ?2 OR rules IS NOT ?3)"
    ).bind(1, number).bind(2, clock?.seconds).bind(3, rules).run()
  }
}
