extension [UInt8] {
  /// A copy of the bytes of a span.
  package init(copying bytes: Span<UInt8>) {
    self = []
    append(bytes)
  }

  /// Appends a copy of the bytes of a span.
  @inline(__always)
  package mutating func append(_ bytes: Span<UInt8>) {
    // This is one memcpy; the standard library does not offer this call for a span.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends a number as eight bytes, the highest first, as `orderedWord` reads it.
  @inline(__always)
  package mutating func append(orderedWord word: UInt64) {
    // Appends all bytes at once; each separate append would check the capacity.
    unsafe Swift.withUnsafeBytes(of: word.bigEndian) { unsafe append(contentsOf: $0) }
  }

  /// Appends a number as four bytes, the highest first.
  @inline(__always)
  package mutating func append(orderedWord word: UInt32) {
    unsafe Swift.withUnsafeBytes(of: word.bigEndian) { unsafe append(contentsOf: $0) }
  }
}

extension OutputSpan<UInt8> {
  /// Appends a copy of the bytes of a span; the free capacity must suffice.
  @inline(__always)
  package mutating func append(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= freeCapacity)
    // This is one memcpy into the capacity checked above.
    unsafe bytes.withUnsafeBytes { source in
      unsafe withUnsafeMutableBufferPointer { buffer, count in
        unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
          .copyMemory(from: source)
        count += source.count
      }
    }
  }
}

/// Appends to the byte arrays that hold output.
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

extension MutableSpan<UInt8> {
  /// Overwrites eight bytes with a number, the highest first.
  @inline(__always)
  package mutating func store(orderedWord word: UInt64, at place: Int) {
    // This is unsafe only for types with invalid bit patterns; integers do not have any.
    var bytes = unsafe mutableBytes
    bytes.storeBytes(of: word.bigEndian, toByteOffset: place, as: UInt64.self)
  }

  /// Overwrites four bytes with a number, the highest first.
  @inline(__always)
  package mutating func store(orderedWord word: UInt32, at place: Int) {
    var bytes = unsafe mutableBytes
    bytes.storeBytes(of: word.bigEndian, toByteOffset: place, as: UInt32.self)
  }
}
