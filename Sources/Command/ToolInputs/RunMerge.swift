import SyncCore
import SystemIO

/// Cuts several sorted runs into batches of whole keys, which can be sorted and visited apart from each other.
///
/// A batch is what comes before the first key that may go on beyond a window. Where to cut is all that is looked for
/// here, a few keys a window; the records are put in order by those who take the batches.
struct RunMerge {
  private var runs: [RunReader]
  private var changes: ChangeReader
  private let window: Int

  init(_ files: [SpillFile], _ shape: RecordShape, window: Int) {
    runs = files.map(RunReader.init)
    changes = ChangeReader(shape)
    self.window = window
  }

  /// Of each run what belongs to the batch, in the order of the runs; nil at the end.
  mutating func next() throws(SystemError) -> [RunStretch]? {
    for place in runs.indices { try runs[place].fill(window, &changes) }
    runs.removeAll(where: \.isEmpty)
    while !runs.isEmpty {
      let (limit, narrowest) = limit()
      var batch: [RunStretch] = []
      for place in runs.indices {
        let part = runs[place].take(before: limit, &changes)
        if !part.isEmpty { batch.append(part) }
      }
      if !batch.isEmpty { return batch }
      try runs[narrowest].widen(&changes)
    }
    return nil
  }

  /// The smallest of the keys with which windows end, and whose it is; nil where all is in memory.
  private func limit() -> (key: [UInt8]?, place: Int) {
    var (limit, narrowest) = ([UInt8]?.none, 0)
    for place in runs.indices {
      guard let key = runs[place].lastKey else { continue }
      if limit.map({ key.precedes($0) }) ?? true { (limit, narrowest) = (key, place) }
    }
    return (limit, narrowest)
  }
}
