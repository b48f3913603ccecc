/// The digest SHA-1 (RFC 3174), for names only: nothing that has to be secure rests on it.
///
/// It holds no array, so that a copy, taken for names that begin alike, costs nothing.
package struct SHA1: Sendable {
  private var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
  )
  /// The block under way, as big-endian words.
  private var block = SIMD16<UInt32>()
  /// Bytes so far.
  private var count = 0

  package init() {}

  package mutating func update(_ bytes: Span<UInt8>) {
    for index in bytes.indices { append(bytes[index]) }
  }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    put(byte)
    count &+= 1
    if count & 63 == 0 { takeBlock() }
  }

  /// The digest of all that was given, as five big-endian words.
  package consuming func finish() -> (UInt32, UInt32, UInt32, UInt32, UInt32) {
    put(0x80)
    if count & 63 >= 56 { takeBlock() }
    let bits = UInt64(count) &* 8
    block[14] = UInt32(truncatingIfNeeded: bits &>> 32)
    block[15] = UInt32(truncatingIfNeeded: bits)
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

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    let index = count & 63
    block[index &>> 2] |= UInt32(byte) &<< UInt32(truncatingIfNeeded: 24 &- (index & 3) &* 8)
  }

  private mutating func takeBlock() {
    var words = Array(repeating: UInt32(0), count: 80)
    for index in 0..<16 { words[index] = block[index] }
    for index in 16..<80 {
      words[index] = Self.rotate(
        words[index &- 3] ^ words[index &- 8] ^ words[index &- 14] ^ words[index &- 16], 1)
    }
    var rounds = Rounds(state)
    // Four loops, so that no round has to ask which part it is in.
    for round in 0..<20 {
      rounds.step(rounds.b & rounds.c | ~rounds.b & rounds.d, 0x5A82_7999, words[round])
    }
    for round in 20..<40 {
      rounds.step(rounds.b ^ rounds.c ^ rounds.d, 0x6ED9_EBA1, words[round])
    }
    for round in 40..<60 {
      let majority = rounds.b & rounds.c | rounds.b & rounds.d | rounds.c & rounds.d
      rounds.step(majority, 0x8F1B_BCDC, words[round])
    }
    for round in 60..<80 {
      rounds.step(rounds.b ^ rounds.c ^ rounds.d, 0xCA62_C1D6, words[round])
    }
    state = rounds.added(to: state)
    block = SIMD16()
  }

  @inline(__always)
  fileprivate static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word &<< bits | word &>> (32 &- bits)
  }
}

/// The five words that go round.
private struct Rounds {
  var a, b, c, d, e: UInt32

  init(_ state: (UInt32, UInt32, UInt32, UInt32, UInt32)) { (a, b, c, d, e) = state }

  @inline(__always)
  mutating func step(_ mixed: UInt32, _ constant: UInt32, _ word: UInt32) {
    let next = SHA1.rotate(a, 5) &+ mixed &+ e &+ constant &+ word
    (a, b, c, d, e) = (next, a, SHA1.rotate(b, 30), c, d)
  }

  func added(to state: (UInt32, UInt32, UInt32, UInt32, UInt32)) -> (UInt32, UInt32, UInt32, UInt32, UInt32) {
    (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
  }
}
