extension [UInt8] {
  /// Appends a copy of the bytes of a span.
  @inline(__always)
  package mutating func append(_ bytes: Span<UInt8>) {
    // One memcpy; the standard library has no such call for a span.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
