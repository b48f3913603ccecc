extension [UInt8] {
  /// Appends a copy of the bytes of a span.
  @inline(__always)
  package mutating func append(_ bytes: Span<UInt8>) {
    // One memcpy; the standard library has no such call for a span.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends a number as eight bytes, the highest first: what `orderedWord` reads.
  @inline(__always)
  package mutating func append(orderedWord word: UInt64) {
    // The bytes of an integer; byte by byte each would be checked for room.
    unsafe Swift.withUnsafeBytes(of: word.bigEndian) { unsafe append(contentsOf: $0) }
  }

  /// The same with four bytes.
  @inline(__always)
  package mutating func append(orderedWord word: UInt32) {
    unsafe Swift.withUnsafeBytes(of: word.bigEndian) { unsafe append(contentsOf: $0) }
  }
}
