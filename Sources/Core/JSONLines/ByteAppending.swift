/// Appending to the byte arrays that hold output.
extension [UInt8] {
  /// Appends a range of `text`.
  mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
    append(text.extracting(range))
  }

  /// Appends the UTF-8 form of a Unicode scalar value.
  mutating func append(scalar: UInt32) {
    var rest = EncodedScalar(scalar)
    while let byte = rest.next() { append(byte) }
  }
}
