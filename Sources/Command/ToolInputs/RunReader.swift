import SyncCore
import SystemIO

/// A sorted run that lies in a temporary file, read from its beginning through a window.
struct RunReader {
  private let file: SpillFile
  /// How much of the file has been read.
  private var offset = 0
  /// What has been read and not taken.
  private var window = RunStretch()
  /// The key of its last record; nil where no line comes after the window.
  private(set) var lastKey: [UInt8]?

  init(_ file: SpillFile) { self.file = file }

  /// Whether there is nothing left to take, once the window has been filled.
  var isEmpty: Bool { window.isEmpty }

  /// Sees to it that there are records in memory, `size` bytes of them or more where they are less than half of it.
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

  /// Reads on where the window has lines of one key only, however many these are.
  mutating func widen(_ changes: inout ChangeReader) throws(SystemError) {
    try fill(window.restSize * 3, &changes)
  }

  /// Takes the records whose keys are before `key`; all that are in memory if nil.
  mutating func take(before key: [UInt8]?, _ changes: inout ChangeReader) -> RunStretch {
    window.take(before: key, &changes)
  }
}
