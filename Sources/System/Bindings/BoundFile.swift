import JSONLines
import Store
import SyncCore
import SystemIO

/// A file of records: lines, a JSON array, or separated values.
final class BoundFile: BoundSource {
  let binding: Binding
  let path: String
  private var text: RecordText?
  /// The stamp of the file when it was last read or written.
  var seen: FileStamp?
  private var wrapping: RecordWrapping
  /// The longest wait for another writer.
  let wait: Duration

  init(_ binding: Binding, wait: Duration) {
    self.binding = binding
    path = FileMode.resolved(binding.source)
    wrapping = RecordWrapping(binding)
    self.wait = wait
  }

  var isWrittenAsAWhole: Bool { true }

  var digest: Int64 {
    // With the stamp, an app that has saved the same records is noticed.
    let stamp = RecordDigest.of(Array((seen?.text ?? "").utf8).span)
    return (text?.pieces ?? []).reduce(stamp) { $0 &+ RecordDigest.of($1.record.span) }
  }

  var isPartial: Bool { text?.format.isPartial ?? false }
  var hasTexts: Bool { isPartial }

  var remedy: String? { nil }
  var isExcerpt: Bool { false }
  var mark: ReadMark? { nil }

  func load(since mark: ReadMark?, now: Instant) throws {
    let lease = try lease()
    let bytes = try contents(of: lease.file)
    guard !bytes.starts(with: "SQLite format 3\0".utf8) else {
      throw BindingError(
        .wrongType, "an SQLite database, not a file of records",
        hint: "use --table to name one of its tables; 'sqlite3 FILE .tables' lists them")
    }
    text = try RecordText(bytes, named: path)
    seen = lease.stamp
  }

  func forEachRecord(_ take: (Span<UInt8>, Int?) throws -> Void) throws {
    for piece in text?.pieces ?? [] { try take(piece.record.span, piece.line) }
  }

  // MARK: Writing

  func write(
    since mark: ReadMark?, now: Instant, in store: ChangeStore,
    _ course: (Loaded) throws -> [ChangeStore.Arrival], settling: (Delivery) throws -> Void
  ) throws -> Delivery {
    let delivery = try deliver(from: store, course)
    try store.write { try settling(delivery) }
    return delivery
  }

  private func deliver(
    from store: ChangeStore, _ course: (Loaded) throws -> [ChangeStore.Arrival]
  ) throws -> Delivery {
    let deadline = SystemClock.monotonic() + wait
    while true {
      let lease = try lease()
      let bytes = try contents(of: lease.file)
      let isChanged = text?.text != bytes
      if isChanged {
        text = try RecordText(bytes, named: path)
        seen = lease.stamp
      }
      let arrivals = try course(isChanged ? .records : .nothing)
      guard let text, !arrivals.isEmpty else { return Delivery() }
      let (delivery, new) = try edited(text, arrivals, store)
      let edited = try RecordText(new, named: path)
      if hasTexts, new != bytes { try checkKeys(of: edited) }
      if try new == bytes || replace(with: new, lease, in: store) {
        self.text = edited
        return delivery
      }
      try pause(until: deadline)
    }
  }

  func refusals(of arrivals: [ChangeStore.Arrival], in store: ChangeStore) throws -> [Diagnostic] {
    try text.map { try edited($0, arrivals, store).0.refused.map(\.error) } ?? []
  }

  private func edited(
    _ text: RecordText, _ arrivals: [ChangeStore.Arrival], _ store: ChangeStore
  ) throws -> (Delivery, [UInt8]) {
    let places = try places(in: text, of: Set(arrivals.map(\.key)), store)
    var delivery = Delivery()
    var changes: [Int: [UInt8]?] = [:]
    var added: [[UInt8]] = []
    for arrival in arrivals {
      let before = places[arrival.key].map { text.pieces[$0].record }
      guard !arrival.isTombstone else {
        if let place = places[arrival.key] {
          changes[place] = .some(nil)
          delivery.written += 1
        }
        delivery.settled.append((arrival, before, nil))
        continue
      }
      let fields = try wrapping.whole(arrival)
      guard let fields, let new = text.rendered(fields) else {
        let reason = fields.map { text.unfitness(of: $0) } ?? "its fields have another key"
        let message = "\(Key.shown(arrival.key.span)): cannot be written to this file: \(reason)"
        let hint = fields == nil ? wrapping.remedy(forKeyOf: arrival, store: store.path) : nil
        delivery.refused.append((arrival, Diagnostic(.unfitValue, message, file: path, hint: hint)))
        continue
      }
      let (shown, hidden) = text.divided(fields)
      if hasTexts, let fault = wrapping.fault(asTexts: shown) {
        delivery.refused.append((arrival, unreadable(arrival, fault)))
        continue
      }
      for member in hidden where member.value != .null { delivery.hidden.insert(member.name) }
      var record: [UInt8] = []
      shown.append(to: &record)
      if let place = places[arrival.key] {
        changes[place] = new
        if new != Array(text.text[text.pieces[place].range]) { delivery.written += 1 }
      } else {
        added.append(new)
        delivery.written += 1
      }
      delivery.settled.append((arrival, before, record))
    }
    return (delivery, text.replacing(changes, adding: added))
  }

  /// The index of each piece by the key of its record; if that key is one of `keys`, its form in the store is used.
  private func places(
    in text: RecordText, of keys: Set<[UInt8]>, _ store: ChangeStore
  ) throws -> [[UInt8]: Int] {
    var places: [[UInt8]: Int] = [:]
    for (index, piece) in text.pieces.enumerated() {
      var key = try wrapping.key(of: piece.record.span)
      if hasTexts, let number = wrapping.numbered(piece.record.span)?.key,
        keys.contains(key) || keys.contains(number)
      {
        key = try SnapshotText.known(piece.record.span, piece.line, self, store, &wrapping).key
      }
      places[key] = index
    }
    return places
  }

  private func unreadable(_ arrival: ChangeStore.Arrival, _ fault: BindingError) -> Diagnostic {
    Diagnostic(
      .unfitValue,
      "\(Key.shown(arrival.key.span)): cannot be written to this file: as text, \(fault.message)",
      file: path,
      hint: fault.code == .invalidClock
        ? "remove this column from the file, or use times such as 2025-05-02T08:00:00Z" : fault.hint)
  }

  /// Throws for two lines with the same key, because they would later count as a deleted record.
  private func checkKeys(of text: RecordText) throws {
    var keys: Set<[UInt8]> = []
    for piece in text.pieces where try !keys.insert(wrapping.key(of: piece.record.span)).inserted {
      throw BindingError(
        .duplicateKey, "not written: line \(piece.line) would have the key of an earlier line")
    }
  }
}
