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
    let lines = try lines(before: arrivals, in: store)
    var wrapping = RecordWrapping(binding)
    // The texts of new lines; two new lines must not have the same text.
    var claimed: Set<[UInt8]> = []
    var writable: [ChangeStore.Arrival] = []
    var refused: [(arrival: ChangeStore.Arrival, error: Diagnostic)] = []
    for arrival in arrivals {
      if lines.owners.contains(arrival.key) {
        writable.append(arrival)
      } else if lines.strangers.contains(arrival.key) {
        if !arrival.isTombstone { refused.append((arrival, indistinct(arrival))) }
      } else if arrival.isTombstone {
        writable.append(arrival)
      } else if let record = try wrapping.whole(arrival) {
        // The record gets a new line.
        if let text = wrapping.textKey(of: record, readAs: arrival.key), !lines.texts.contains(text),
          claimed.insert(text).inserted
        {
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

  /// The lines of a source that stay when changes are written to it.
  private struct Lines {
    /// The keys of the lines' records in the store.
    var owners: Set<[UInt8]> = []
    /// The keys of the lines as texts.
    var texts: Set<[UInt8]> = []
    /// The keys of changes whose text belongs to another record.
    var strangers: Set<[UInt8]> = []
  }

  private func lines(before arrivals: [ChangeStore.Arrival], in store: ChangeStore) throws -> Lines {
    let keys = Set(arrivals.map(\.key))
    let deleted = Set(arrivals.lazy.filter(\.isTombstone).map(\.key))
    var lines = Lines()
    var wrapping = RecordWrapping(binding)
    try source.forEachRecord { record, line in
      let text = try wrapping.key(of: record, line: line)
      var (owner, stranger) = (text, [UInt8]?.none)
      if let number = wrapping.numbered(record)?.key, keys.contains(text) || keys.contains(number) {
        owner = try SnapshotText.known(record, line, source, store, &wrapping).key
        stranger = owner == text ? number : text
      }
      // Another record may get the text of a line that is removed.
      if deleted.contains(owner) { return }
      lines.owners.insert(owner)
      lines.texts.insert(text)
      if let stranger { lines.strangers.insert(stranger) }
    }
    return lines
  }

  private func indistinct(_ arrival: ChangeStore.Arrival) -> Diagnostic {
    Diagnostic(
      .unfitValue,
      "\(Key.shown(arrival.key.span)): cannot be written to this file: as text, its key is empty, or "
        + "equal to another key", file: binding.source,
      hint: "if both keys belong to one record, remove that record from this file, and run again")
  }
}
