import SyncCore
import SystemIO

/// Cuts several sorted runs into batches of complete keys, which can be processed independently.
///
/// A batch consists of the records before the first key that may continue beyond a window. This type only
/// searches for the place to cut, for which it reads a few keys per window. The threads that receive the
/// batches sort the records.
struct RunMerge {
  private var runs: [RunReader]
  private var changes: ChangeReader
  private let window: Int

  init(_ files: [SpillFile], _ shape: RecordShape, window: Int) {
    runs = files.map(RunReader.init)
    changes = ChangeReader(shape)
    self.window = window
  }

  /// The part of each run that belongs to the batch, in the order of the runs; nil at the end.
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

  /// The smallest of the last keys of all windows, and its run; nil if all records are in memory.
  private func limit() -> (key: [UInt8]?, place: Int) {
    var (limit, narrowest) = ([UInt8]?.none, 0)
    for place in runs.indices {
      guard let key = runs[place].lastKey else { continue }
      if limit.map({ key.precedes($0) }) ?? true { (limit, narrowest) = (key, place) }
    }
    return (limit, narrowest)
  }
}

/// A sorted run in a temporary file, read from its beginning through a window.
struct RunReader {
  private let file: SpillFile
  /// The number of bytes of the file read so far.
  private var offset = 0
  /// The part that has been read but not consumed.
  private var window = RunStretch()
  /// The key of the last record in the window; nil if the window is the end of the file.
  private(set) var lastKey: [UInt8]?

  init(_ file: SpillFile) { self.file = file }

  /// Whether the run is at its end; call it after filling the window.
  var isEmpty: Bool { window.isEmpty }

  /// Ensures that records are in memory: `size` bytes, or more for a long record.
  mutating func fill(_ size: Int, _ changes: inout ChangeReader) throws(SystemError) {
    var size = size
    while offset < file.size, window.isEmpty || window.restSize < size / 2 {
      var buffer = try TextBuffer(capacity: size, startingWith: window.rest)
      let before = buffer.count
      try file.read(at: offset, into: &buffer)
      offset += buffer.count - before
      window = RunStretch(buffer.region(), after: window)
      lastKey = offset < file.size ? window.lastKey(&changes) : nil
      size *= 2
    }
  }

  /// Reads more if all lines of the window have the same key.
  mutating func widen(_ changes: inout ChangeReader) throws(SystemError) {
    try fill(window.restSize * 3, &changes)
  }

  /// Removes and returns the records with keys before `key`; all records in memory if nil.
  mutating func take(before key: [UInt8]?, _ changes: inout ChangeReader) -> RunStretch {
    window.take(before: key, &changes)
  }
}
