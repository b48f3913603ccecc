package import JSONLines
package import Store
import SyncCore
import Tables

/// Writes the changes of a store to the source of a binding.
extension BindingExchange {
  /// The outcome of a write-back.
  package struct Outcome: Sendable {
    /// The number of changes that the source did not already contain.
    package var written = 0
    /// The reasons why the source refuses changes.
    package var refused: [Diagnostic] = []
    /// Members that the source cannot contain; their values are in the store.
    package var hidden: Set<String> = []
    /// The number of edits that the app has made since the source was last read; they were stored before the
    /// changes were written.
    package var recorded = 0
    /// The number of records among them that are older than at the last reading; they are written again.
    package var outdated = 0
    /// The number of stored edits with an earlier clock than the version that they replace.
    package var setBack = 0
  }

  /// Writes changes of the store to the source; edits made since the source was last read are stored first.
  ///
  /// Such an edit without a clock gets the time in `bounds`, which are evaluated after the source has been
  /// read.
  package func deliver(from store: ChangeStore, _ bounds: @autoclosure () -> WriteBounds) throws -> Outcome {
    var course = DeliveryCourse(self, from: store)
    guard try course.hasChanges() else { return course.outcome }
    let (mark, now) = (try store.readMark(of: binding), bounds().now)
    let delivery = try naming {
      try source.write(since: mark, now: now, in: store) { loaded in
        if loaded == .records { try loadAll(unlessIn: store, mark, now: now) }
        return try course.changes(loaded, bounds())
      } settling: { delivery in
        try course.settle(delivery)
      }
    }
    try course.end(delivery)
    return course.outcome
  }

  /// The exchanges of those tables whose rows may refer to each other in a circle across the tables.
  ///
  /// `exchanges` are of tables of one database. Each table of the result refers to another one of the result,
  /// and another one refers to it.
  package static func inCircles(_ exchanges: [BindingExchange]) throws -> [BindingExchange] {
    var left = try exchanges.compactMap { exchange in
      try (exchange.source as? BoundTable).map {
        (exchange: exchange, name: $0.name, parents: try $0.parents())
      }
    }
    while true {
      let count = left.count
      left = left.filter { own in
        let others = left.filter { !TriggerWrite.isSame($0.name, own.name) }
        return others.contains { other in own.parents.contains { TriggerWrite.isSame($0, other.name) } }
          && others.contains { other in other.parents.contains { TriggerWrite.isSame($0, own.name) } }
      }
      if left.count == count { return left.map(\.exchange) }
    }
  }

  /// Writes changes to several tables in one transaction, because their rows may refer to each other in a
  /// circle.
  ///
  /// The exchanges share one connection. Call it after each of them has been delivered alone. An outcome does
  /// not contain all reasons why a table refuses rows.
  package static func deliver(
    together exchanges: [BindingExchange], from store: ChangeStore, _ bounds: @autoclosure () -> WriteBounds
  ) throws -> [Outcome] {
    let (now, tables) = (bounds().now, exchanges.compactMap { $0.source as? BoundTable })
    let marks = try exchanges.map { try store.readMark(of: $0.binding) }
    var courses = exchanges.map { DeliveryCourse($0, from: store) }
    let deliveries = try exchanges[0].naming {
      try BoundTable.write(tables, since: marks, now: now, in: store) { place, loaded in
        let exchange = exchanges[place]
        if loaded == .records {
          try exchange.naming { try exchange.loadAll(unlessIn: store, marks[place], now: now) }
        }
        return try courses[place].changes(loaded, bounds())
      } settling: { deliveries in
        for (place, delivery) in deliveries.enumerated() {
          try exchanges[place].naming { try courses[place].settle(delivery) }
        }
      }
    }
    for (place, delivery) in deliveries.enumerated() { try courses[place].end(delivery) }
    return courses.map(\.outcome)
  }

  /// Notes, inside a `write`, the records that the source has now.
  fileprivate func settle(_ delivery: Delivery, in store: ChangeStore) throws {
    try noteRecords(of: delivery, in: store)
    if source.isWrittenAsAWhole {
      let given = try delivery.settled.filter { try differsVisibly($0.before, $0.record) }
      try store.noteGiven(binding, given.map { ($0.arrival.key, $0.before) }, digest: source.digest)
    }
    if try store.readMark(of: binding) != nil { try store.noteRead(binding, source.mark) }
  }

  private func noteRecords(of delivery: Delivery, in store: ChangeStore) throws {
    var wrapping = RecordWrapping(binding)
    for (arrival, _, record) in delivery.settled {
      var line: [UInt8] = []
      if let record { try wrapping.append(record.span, to: &line) }
      try store.settle(arrival, as: record == nil ? nil : Array(line.dropLast()))
    }
  }

  /// Notes the changes that a loaded table already has although the store does not know this.
  ///
  /// Otherwise its own spelling of their values, and the lack of other members, would be edits of the app. A
  /// deletion needs nothing, because a missing row agrees with it.
  func settleHeld(in store: ChangeStore) throws {
    guard let table = source as? BoundTable, table.takesChanges else { return }
    let arrivals = try store.read {
      try store.findingRemoved(store.arrivals(for: binding).arrivals.filter { !$0.isTombstone })
    }
    if arrivals.isEmpty { return }
    let held = try table.held(arrivals, in: store)
    if held.settled.isEmpty { return }
    try store.write {
      try noteRecords(of: held, in: store)
      try store.noteHidden(held.hidden, of: binding)
    }
  }

  /// The reasons why the source refuses some of the next changes; only the first of many changes are tried.
  package func refusals(in store: ChangeStore) throws -> [Diagnostic] {
    let arrivals = try store.read { try store.arrivals(for: binding).arrivals }
    if arrivals.isEmpty { return [] }
    return try naming {
      let divided = try divided(Array(arrivals.prefix(1_000)), in: store)
      return try source.refusals(of: divided.writable, in: store) + divided.refused.map(\.error)
    }
  }

  /// Whether a record of the source differs from another version in members that the source has.
  ///
  /// Without such a difference, the app's next version cannot show which of the two records it has read.
  func differsVisibly(_ own: [UInt8]?, _ other: [UInt8]?) throws -> Bool {
    guard let own, let other else { return own != nil || other != nil }
    let typed = try source.isPartial ? SnapshotText.typed(own, like: JSONValue(parsing: other.span)) : own
    return ChangeLine.differInContent(typed.span, other.span)
  }
}

/// The course of a delivery to one source.
private struct DeliveryCourse {
  private let exchange: BindingExchange
  private let store: ChangeStore
  private(set) var outcome = BindingExchange.Outcome()
  /// The sequence of the last change in the store.
  private var last: Int64 = 0
  /// The records to skip: their edits could not be stored, and writing would overwrite them.
  private var unstorable: Set<[UInt8]> = []
  private var indistinct: [(arrival: ChangeStore.Arrival, error: Diagnostic)] = []

  init(_ exchange: BindingExchange, from store: ChangeStore) {
    (self.exchange, self.store) = (exchange, store)
  }

  private mutating func arrivals() throws -> [ChangeStore.Arrival] {
    let found = try store.read { try store.arrivals(for: exchange.binding) }
    last = found.last
    return found.arrivals
  }

  mutating func hasChanges() throws -> Bool {
    if try !arrivals().isEmpty { return true }
    // Note the last change, so that the next run does not read the same changes again.
    try store.noteNothingWritten(exchange.binding, upTo: last)
    return false
  }

  /// The changes to write, after the edits in the loaded content have been stored.
  mutating func changes(_ loaded: Loaded, _ bounds: @autoclosure () -> WriteBounds) throws
    -> [ChangeStore.Arrival]
  {
    if loaded != .nothing {
      let intake = try exchange.recordLoaded(in: store, bounds()).intake
      outcome.recorded += intake.counts.stored
      outcome.outdated += intake.outdated.count
      outcome.setBack += intake.setBack
      unstorable.formUnion(intake.unstored.filter { $0.code != .conflict }.map(\.key))
    }
    let found = try arrivals()
    let divided = try exchange.divided(found.filter { !unstorable.contains($0.key) }, in: store)
    indistinct = divided.refused
    let storable = divided.writable
    return exchange.source.columns == nil ? storable : try store.findingRemoved(storable)
  }

  /// Notes the outcome in the store, inside a `write`.
  func settle(_ delivery: Delivery) throws {
    try exchange.settle(delivery, in: store)
    try store.noteHidden(delivery.hidden, of: exchange.binding)
    let left = (delivery.refused + indistinct).map(\.arrival.key) + unstorable
    try store.noteWritten(exchange.binding, upTo: last, butFor: left)
  }

  mutating func end(_ delivery: Delivery) throws {
    let refused = delivery.refused + indistinct
    if refused.isEmpty, unstorable.isEmpty {
      try exchange.noteColumns(hiding: delivery.hidden, in: store)
    }
    outcome.written = delivery.written
    outcome.hidden = delivery.hidden.subtracting(exchange.source.computedColumns)
    outcome.refused = refused.map(\.error)
  }
}
