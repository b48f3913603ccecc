import JSONLines
import Store
import SyncCore

/// Records that a file of texts cannot distinguish: the keys 1 and "1" are one text.
extension BindingExchange {
  /// Divides changes into those that the source can contain and those that it refuses.
  ///
  /// A text belongs to one record of the store. Deletions of other records with that text are left out.
  func divided(
    _ arrivals: [ChangeStore.Arrival], in store: ChangeStore
  ) throws -> (writable: [ChangeStore.Arrival], refused: [(arrival: ChangeStore.Arrival, error: Diagnostic)])
  {
    guard source.hasTexts else { return (arrivals, []) }
    var texts = try texts(of: Set(arrivals.map(\.key)), in: store)
    var wrapping = RecordWrapping(binding)
    var writable: [ChangeStore.Arrival] = []
    var refused: [(arrival: ChangeStore.Arrival, error: Diagnostic)] = []
    for arrival in arrivals {
      if texts.strangers.contains(arrival.key) {
        if !arrival.isTombstone { refused.append((arrival, indistinct(arrival))) }
      } else if arrival.isTombstone || texts.known.contains(arrival.key) {
        writable.append(arrival)
      } else if let record = try wrapping.whole(arrival) {
        // The record gets a new line.
        if let text = wrapping.textKey(of: record, readAs: arrival.key), texts.known.insert(text).inserted {
          writable.append(arrival)
        } else {
          refused.append((arrival, indistinct(arrival)))
        }
      } else {
        writable.append(arrival)
      }
    }
    return (writable, refused)
  }

  /// The keys of the source's records, and those of `keys` that have the text of another record.
  private func texts(
    of keys: Set<[UInt8]>, in store: ChangeStore
  ) throws -> (known: Set<[UInt8]>, strangers: Set<[UInt8]>) {
    var (known, strangers): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
    var wrapping = RecordWrapping(binding)
    try source.forEachRecord { record, line in
      let text = try wrapping.key(of: record, line: line)
      known.insert(text)
      guard let number = wrapping.numbered(record)?.key, keys.contains(text) || keys.contains(number) else {
        return
      }
      let owner = try SnapshotText.known(record, line, source, store, &wrapping).key
      known.insert(owner)
      strangers.insert(owner == text ? number : text)
    }
    return (known, strangers)
  }

  private func indistinct(_ arrival: ChangeStore.Arrival) -> Diagnostic {
    Diagnostic(
      .unfitValue,
      "\(Key.shown(arrival.key.span)): cannot be written to this file: as text, its key is empty, or not "
        + "different from another key", file: binding.source,
      hint: "if both are one record, remove it from this file, and run again")
  }
}
