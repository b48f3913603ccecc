/// The UTF-8 bytes of one Unicode scalar value, taken one by one without allocation.
struct EncodedScalar {
  /// The bytes not yet taken, next one lowest.
  private var bytes: UInt32 = 0
  private var count = 0

  /// No bytes.
  init() {}

  /// The bytes of `scalar`, which must be a scalar value (at most 0x10FFFF and no surrogate).
  init(_ scalar: UInt32) {
    switch scalar {
    case ..<0x80:
      push(scalar)
    case ..<0x800:
      push(0xC0 | scalar >> 6)
      push(0x80 | scalar & 0x3F)
    case ..<0x1_0000:
      push(0xE0 | scalar >> 12)
      push(0x80 | scalar >> 6 & 0x3F)
      push(0x80 | scalar & 0x3F)
    default:
      push(0xF0 | scalar >> 18)
      push(0x80 | scalar >> 12 & 0x3F)
      push(0x80 | scalar >> 6 & 0x3F)
      push(0x80 | scalar & 0x3F)
    }
  }

  /// The next byte, nil after the last one.
  mutating func next() -> UInt8? {
    guard count > 0 else { return nil }
    defer {
      bytes >>= 8
      count -= 1
    }
    return UInt8(truncatingIfNeeded: bytes)
  }

  private mutating func push(_ byte: UInt32) {
    bytes |= byte << (8 * UInt32(count))
    count += 1
  }
}
