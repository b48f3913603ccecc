/// The bytes that have been read and not yet consumed, in one contiguous region.
///
/// Room is made as bytes arrive: a length that a peer merely announces costs nothing.
package struct ByteWindow: ~Copyable {
  /// All storage; only `range` of it holds data.
  package private(set) var storage: [UInt8]
  /// Where the unconsumed bytes lie in `storage`.
  package private(set) var range: Range<Int> = 0..<0
  /// How many bytes came before `range`: the stream offset of its first byte.
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

  /// One read(2) into the free room; 0 is the end of the stream.
  package mutating func fill(from source: borrowing Descriptor) throws(SystemError) -> Int {
    try unsafe fill { bytes throws(SystemError) in try unsafe source.read(into: bytes) }
  }

  /// Hands the free room to `read`, which returns how many bytes it has put at its front.
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

  /// Moves the data to the front when the end is reached, and doubles the region when that is not enough.
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

  /// In place: a slice of `storage` would be a second owner, and make every write to it a copy of the whole.
  private mutating func moveToFront() {
    let kept = range
    var region = storage.mutableSpan
    unsafe region.withUnsafeMutableBytes { bytes in
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[kept]))
    }
  }

  /// Pages that are not written stay out of resident memory, which a zero-filled array would not.
  private static func untouched(_ capacity: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: capacity) { _, count in count = capacity }
  }
}
