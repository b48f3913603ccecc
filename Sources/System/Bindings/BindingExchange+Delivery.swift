package import JSONLines
package import Store
import SyncCore

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
  }

  /// Writes changes of the store to the source; edits made since the source was last read are stored first.
  ///
  /// Such an edit without a clock gets the time in `bounds`, which are evaluated after the source has been
  /// read.
  package func deliver(from store: ChangeStore, _ bounds: @autoclosure () -> WriteBounds) throws -> Outcome {
    var outcome = Outcome()
    var last: Int64 = 0
    func arrivals() throws -> [ChangeStore.Arrival] {
      let found = try store.read { try store.arrivals(for: binding) }
      last = found.last
      return found.arrivals
    }
    guard try !arrivals().isEmpty else {
      // Note the last change, so that the next run does not read the same changes again.
      try store.noteNothingWritten(binding, upTo: last)
      return outcome
    }
    let (mark, now) = (try store.readMark(of: binding), bounds().now)
    // The records to skip: their edits could not be stored, and writing would overwrite them.
    var unstorable: Set<[UInt8]> = []
    var indistinct: [(arrival: ChangeStore.Arrival, error: Diagnostic)] = []
    var delivery = try naming {
      try source.write(since: mark, now: now, in: store) { loaded in
        if loaded == .records { try loadAll(unlessIn: store, mark, now: now) }
        if loaded != .nothing {
          let intake = try recordLoaded(in: store, bounds()).intake
          outcome.recorded += intake.counts.stored
          unstorable.formUnion(intake.unstored.filter { $0.code != .conflict }.map(\.key))
        }
        let divided = try divided(arrivals().filter { !unstorable.contains($0.key) }, in: store)
        let storable = divided.writable
        indistinct = divided.refused
        return source.columns == nil ? storable : try store.findingRemoved(storable)
      } settling: { delivery in
        try settle(delivery, in: store)
        try store.noteHidden(delivery.hidden, of: binding)
        let left = (delivery.refused + indistinct).map(\.arrival.key) + unstorable
        try store.noteWritten(binding, upTo: last, butFor: left)
      }
    }
    delivery.refused += indistinct
    if delivery.refused.isEmpty, unstorable.isEmpty { try noteColumns(hiding: delivery.hidden, in: store) }
    outcome.written = delivery.written
    outcome.hidden = delivery.hidden.subtracting(source.computedColumns)
    outcome.refused = delivery.refused.map(\.error)
    return outcome
  }

  /// Notes, inside a `write`, the records that the source has now.
  private func settle(_ delivery: Delivery, in store: ChangeStore) throws {
    var wrapping = RecordWrapping(binding)
    for (arrival, _, record) in delivery.settled {
      var line: [UInt8] = []
      if let record { try wrapping.append(record.span, to: &line) }
      try store.settle(arrival, as: record == nil ? nil : Array(line.dropLast()))
    }
    if source.isWrittenAsAWhole {
      let given = try delivery.settled.filter { try differsVisibly($0.before, $0.record) }
      try store.noteGiven(binding, given.map { ($0.arrival.key, $0.before) }, digest: source.digest)
    }
    if try store.readMark(of: binding) != nil { try store.noteRead(binding, source.mark) }
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
