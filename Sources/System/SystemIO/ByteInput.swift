import JSONLines

/// A descriptor that is read piece by piece; pending output is flushed before a read blocks.
package struct ByteInput: ~Copyable {
  private let source: Descriptor
  private let isStream: Bool
  package var name: String { source.name }

  package init(_ source: consuming Descriptor) {
    isStream = source.kind == .stream
    self.source = source
    Readiness.widenPipe(self.source.raw)
  }

  package init(opening path: String) throws(SystemError) {
    self.init(try Descriptor.reading(path))
  }

  /// Whether a read could block: neither data nor the end is available.
  package var mayWait: Bool { isStream && !Readiness.isReadable(source.raw) }

  /// Appends available bytes to `window`; 0 is the end.
  ///
  /// If the read would block, `output` is flushed first, so a live pipe stays current and large pieces are
  /// still written at once. SIGINT or SIGTERM ends the wait with an error for which `isInterruption` holds.
  package func read(into window: inout ByteWindow, flushing output: inout ByteOutput) throws(SystemError)
    -> Int
  {
    if mayWait {
      try output.flush()
      Readiness.waitUntilReadable(source.raw)
    }
    if Interruption.pending != nil { throw SystemError(.read, name, code: EINTR) }
    return try window.fill(from: source)
  }

  /// The same as ``read(into:flushing:)``, with a deadline on the monotonic clock; nil if it passes before
  /// the first byte.
  package func read(
    into window: inout ByteWindow, flushing output: inout ByteOutput, until deadline: Duration
  ) throws(SystemError) -> Int? {
    try output.flush()
    let left = max(.zero, deadline - SystemClock.monotonic()).wholeMilliseconds
    guard !isStream || Readiness.waitUntilReadable(source.raw, for: CInt(clamping: left)) else {
      return nil
    }
    return try read(into: &window, flushing: &output)
  }

  /// Waits until standard input has data or has ended.
  package static func awaitStandardInput() { Readiness.waitUntilReadable(STDIN_FILENO) }

  /// The complete input as one array; without `heedingSignals` a signal does not end the read.
  ///
  /// An input of more than `limit` bytes fails as `EFBIG`, because an endless input would take all memory.
  package static func contents(
    of path: String, limit: Int = 64 << 20, heedingSignals: Bool = true
  ) throws(SystemError) -> [UInt8] {
    try contents(of: Descriptor.reading(path), limit: limit, heedingSignals: heedingSignals)
  }

  /// The same as ``contents(of:limit:heedingSignals:)`` for a file that others may have replaced by a pipe or a
  /// device; nil if it is not a regular file.
  package static func contents(ofFile path: String, limit: Int) throws(SystemError) -> [UInt8]? {
    guard let source = try Descriptor.readingFile(path) else { return nil }
    return try contents(of: source, limit: limit, heedingSignals: true)
  }

  private static func contents(
    of source: consuming Descriptor, limit: Int, heedingSignals: Bool
  ) throws(SystemError) -> [UInt8] {
    if source.size > limit { throw SystemError(.read, source.name, code: EFBIG) }
    // Read one byte more than the file has: if that byte stays free, the end has been reached.
    var contents = try piece(of: source, capacity: max(source.size + 1, 64 << 10), heedingSignals)
    var isWhole = contents.count < max(source.size + 1, 64 << 10)
    while !isWhole {
      let capacity = contents.count
      let more = try piece(of: source, capacity: capacity, heedingSignals)
      contents.append(contentsOf: more)
      if contents.count > limit { throw SystemError(.read, source.name, code: EFBIG) }
      isWhole = more.count < capacity
    }
    return contents
  }

  /// The first `limit` bytes of an input, or all of it.
  package static func beginning(of path: String, limit: Int) throws(SystemError) -> [UInt8] {
    try piece(of: try Descriptor.reading(path), capacity: limit)
  }

  /// The next `limit` bytes of an open file, or the rest of it; a signal does not end the read.
  package static func bytes(of source: borrowing Descriptor, limit: Int) throws(SystemError) -> [UInt8] {
    try piece(of: source, capacity: limit, false)
  }

  /// The bytes of a file in a range; fewer if the file is shorter, and none if it is not a regular file.
  package static func bytes(of path: String, in range: Range<Int>) throws(SystemError) -> [UInt8] {
    guard let file = try Descriptor.readingFile(path) else { return [] }
    return try bytes(of: file, in: range)
  }

  /// The same as ``bytes(of:in:)``, for an open file.
  package static func bytes(
    of source: borrowing Descriptor, in range: Range<Int>
  ) throws(SystemError) -> [UInt8] {
    var buffer = try TextBuffer(capacity: range.count, startingWith: Span())
    while !buffer.isFull, try buffer.fill(from: source, at: range.lowerBound + buffer.count) > 0 {}
    var bytes: [UInt8] = []
    bytes.append(buffer.text)
    return bytes
  }

  /// Reads up to `capacity` bytes or to the end of the input; unneeded memory is never touched.
  private static func piece(
    of source: borrowing Descriptor, capacity: Int, _ heedingSignals: Bool = true
  ) throws(SystemError) -> [UInt8] {
    let isStream = source.kind == .stream
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      do throws(SystemError) {
        while count < capacity {
          if isStream { Readiness.waitUntilReadable(source.raw) }
          if heedingSignals, Interruption.pending != nil {
            throw SystemError(.read, source.name, code: EINTR)
          }
          let free = unsafe UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
          let read = try unsafe source.read(into: free)
          if read == 0 { return }
          count += read
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// The bytes that have been read and not yet consumed, in one contiguous region.
///
/// Memory grows as bytes arrive, so a length that a peer only announces does not cost memory.
package struct ByteWindow: ~Copyable {
  /// All storage; only `range` of it holds data.
  package private(set) var storage: [UInt8]
  /// The range of the unconsumed bytes in `storage`.
  package private(set) var range: Range<Int> = 0..<0
  /// The number of bytes before `range`: the stream offset of its first byte.
  package private(set) var consumed = 0

  package init(capacity: Int = 256 << 10) {
    storage = Self.untouched(capacity)
  }

  package var count: Int { range.count }
  package var isEmpty: Bool { range.isEmpty }

  package mutating func consume(_ count: Int) {
    consumed += count
    range = range.lowerBound + count..<range.upperBound
    if range.isEmpty { range = 0..<0 }
  }

  package mutating func append(_ bytes: some Collection<UInt8>) {
    makeRoom(for: bytes.count)
    storage.replaceSubrange(range.upperBound..<range.upperBound + bytes.count, with: bytes)
    range = range.lowerBound..<range.upperBound + bytes.count
  }

  /// Reads into the free room by one read(2); 0 is the end of the stream.
  package mutating func fill(from source: borrowing Descriptor) throws(SystemError) -> Int {
    try unsafe fill { bytes throws(SystemError) in try unsafe source.read(into: bytes) }
  }

  /// Passes the free room to `read`, which returns how many bytes it has written at the front.
  package mutating func fill<Failure: Error>(
    by read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    makeRoom(for: 1)
    let free = range.upperBound..<storage.count
    var region = storage.mutableSpan
    let count = try unsafe region.withUnsafeMutableBytes {
      (bytes: UnsafeMutableRawBufferPointer) throws(Failure) in
      try unsafe read(UnsafeMutableRawBufferPointer(rebasing: bytes[free]))
    }
    range = range.lowerBound..<range.upperBound + count
    return count
  }

  /// Makes room for further bytes: moves the data to the front if it fills at most half of the storage,
  /// otherwise enlarges the storage.
  private mutating func makeRoom(for extra: Int) {
    guard storage.count - range.upperBound < extra else { return }
    let kept = range.count
    if kept + extra > storage.count / 2 {
      var larger = Self.untouched(max(storage.count * 2, kept + extra))
      larger.replaceSubrange(0..<kept, with: storage[range])
      storage = larger
    } else {
      moveToFront()
    }
    range = 0..<kept
  }

  /// Moves the data in place: a slice of `storage` would be a second owner, and every write would copy the
  /// whole array.
  private mutating func moveToFront() {
    let kept = range
    var region = storage.mutableSpan
    unsafe region.withUnsafeMutableBytes { bytes in
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[kept]))
    }
  }

  /// An array that is not filled with zeros: pages that are not written do not use memory.
  private static func untouched(_ capacity: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: capacity) { _, count in count = capacity }
  }
}
