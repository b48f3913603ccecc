/// The digest SHA-1 (RFC 3174), for names only: nothing that has to be secure rests on it.
package struct SHA1: Sendable {
  private var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
  )
  /// What has not made a block yet; fewer than 64 bytes.
  private var rest: [UInt8] = []
  private var count = 0
  private var schedule = [UInt32](repeating: 0, count: 80)

  package init() { rest.reserveCapacity(128) }

  package mutating func update(_ bytes: Span<UInt8>) {
    count += bytes.count
    for index in bytes.indices {
      rest.append(bytes[index])
      if rest.count == 64 { takeBlock() }
    }
  }

  /// The digest of all that was given, as five big-endian words.
  package mutating func finish() -> (UInt32, UInt32, UInt32, UInt32, UInt32) {
    let bits = UInt64(count) &* 8
    rest.append(0x80)
    if rest.count > 56 {
      while rest.count < 64 { rest.append(0) }
      takeBlock()
    }
    while rest.count < 56 { rest.append(0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      rest.append(UInt8(truncatingIfNeeded: bits &>> shift))
    }
    takeBlock()
    return state
  }

  /// The digest of `bytes`, 20 bytes.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var digest = SHA1()
    digest.update(bytes.span)
    let words = digest.finish()
    return [words.0, words.1, words.2, words.3, words.4].flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word &>> $0) }
    }
  }

  private mutating func takeBlock() {
    for index in 0..<16 {
      let byte = index &* 4
      schedule[index] =
        UInt32(rest[byte]) &<< 24 | UInt32(rest[byte &+ 1]) &<< 16 | UInt32(rest[byte &+ 2]) &<< 8
        | UInt32(rest[byte &+ 3])
    }
    rest.removeAll(keepingCapacity: true)
    for index in 16..<80 {
      schedule[index] = Self.rotate(
        schedule[index &- 3] ^ schedule[index &- 8] ^ schedule[index &- 14] ^ schedule[index &- 16], 1)
    }
    var (a, b, c, d, e) = state
    for round in 0..<80 {
      let (mixed, constant) = Self.mix(round, b, c, d)
      let next = Self.rotate(a, 5) &+ mixed &+ e &+ constant &+ schedule[round]
      (a, b, c, d, e) = (next, a, Self.rotate(b, 30), c, d)
    }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
  }

  @inline(__always)
  private static func mix(_ round: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, UInt32) {
    switch round {
    case 0..<20: (b & c | ~b & d, 0x5A82_7999)
    case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
    case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
    default: (b ^ c ^ d, 0xCA62_C1D6)
    }
  }

  @inline(__always)
  private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word &<< bits | word &>> (32 &- bits)
  }
}
