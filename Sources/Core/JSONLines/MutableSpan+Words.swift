extension MutableSpan<UInt8> {
  /// Overwrites eight bytes with a number, the highest first.
  @inline(__always)
  package mutating func store(orderedWord word: UInt64, at place: Int) {
    // Unsafe where not all bytes are good ones; of these they are.
    var bytes = unsafe mutableBytes
    bytes.storeBytes(of: word.bigEndian, toByteOffset: place, as: UInt64.self)
  }

  /// The same with four bytes.
  @inline(__always)
  package mutating func store(orderedWord word: UInt32, at place: Int) {
    var bytes = unsafe mutableBytes
    bytes.storeBytes(of: word.bigEndian, toByteOffset: place, as: UInt32.self)
  }
}
