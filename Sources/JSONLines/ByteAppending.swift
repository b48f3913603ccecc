/// Appending to the byte arrays that hold output.
extension [UInt8] {
  /// Appends a range of `text`.
  mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
    // A block copy is many times faster than one append a byte, and Array has no append from a Span;
    // the pointer is used inside the closure only.
    unsafe text.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the UTF-8 form of a Unicode scalar value.
  mutating func append(scalar: UInt32) {
    var rest = EncodedScalar(scalar)
    while let byte = rest.next() { append(byte) }
  }
}
