/// The digest SHA-1 (RFC 3174), for names only: security must not depend on it.
///
/// It does not contain an array, so copies, for names with a common beginning, are cheap.
package struct SHA1: Sendable {
  package typealias Digest = (UInt32, UInt32, UInt32, UInt32, UInt32)

  private var state: Digest = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0)
  /// The complete words since the last block; sixteen words are a block.
  private var block = SHA1Block()
  /// The bytes that do not fill a word yet, the last byte lowest.
  private var word: UInt32 = 0
  /// The number of bytes so far.
  private var count = 0

  package init() {}

  package mutating func update(_ bytes: Span<UInt8>) {
    for index in bytes.indices { append(bytes[index]) }
  }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    word = word &<< 8 | UInt32(byte)
    count &+= 1
    guard count & 3 == 0 else { return }
    block.append(word)
    if count & 63 == 0 { consumeBlock() }
  }

  /// Appends the lowest `count` bytes of a number, the highest of them first.
  @inline(__always)
  package mutating func append(_ letters: UInt64, count: UInt64) {
    var shift = count &* 8
    while shift > 0 {
      shift &-= 8
      append(UInt8(truncatingIfNeeded: letters &>> shift))
    }
  }

  /// The digest of all given bytes, as five big-endian words.
  package consuming func finish() -> Digest {
    let bits = UInt64(count) &* 8
    append(0x80)
    // The length is the last two words of a block.
    while count & 63 != 0 && count & 63 != 56 { append(0) }
    let length = (UInt32(truncatingIfNeeded: bits &>> 32), UInt32(truncatingIfNeeded: bits))
    if count & 63 == 0 { block = SHA1Block() }
    block.append(length.0)
    block.append(length.1)
    consumeBlock()
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

  private mutating func consumeBlock() {
    var rounds = SHA1Rounds(state)
    // The rounds are written out, so that a round need not check which part it belongs to.
    rounds.mix(block.words, from: 0)
    block.expand()
    rounds.mix(block.words, from: 16)
    block.expand()
    rounds.mix(block.words, from: 32)
    block.expand()
    rounds.mix(block.words, from: 48)
    block.expand()
    rounds.mix(block.words, from: 64)
    state = rounds.added(to: state)
  }
}

/// Sixteen words of a block's schedule (RFC 3174 §6.1).
///
/// A tuple does not need an allocation; with an array each digest took twice as long.
struct SHA1Block: Sendable {
  typealias Words = (
    UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32,
    UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32
  )

  private(set) var words: Words = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

  /// Appends a word; all others move up.
  @inline(__always)
  mutating func append(_ word: UInt32) {
    words = (
      words.1, words.2, words.3, words.4, words.5, words.6, words.7, words.8, words.9, words.10, words.11,
      words.12, words.13, words.14, words.15, word
    )
  }

  /// Continues to the next sixteen words: each is computed from the ones 3, 8, 14 and 16 before it.
  @inline(__always)
  mutating func expand() {
    words.0 = rotate(words.13 ^ words.8 ^ words.2 ^ words.0, 1)
    words.1 = rotate(words.14 ^ words.9 ^ words.3 ^ words.1, 1)
    words.2 = rotate(words.15 ^ words.10 ^ words.4 ^ words.2, 1)
    words.3 = rotate(words.0 ^ words.11 ^ words.5 ^ words.3, 1)
    words.4 = rotate(words.1 ^ words.12 ^ words.6 ^ words.4, 1)
    words.5 = rotate(words.2 ^ words.13 ^ words.7 ^ words.5, 1)
    words.6 = rotate(words.3 ^ words.14 ^ words.8 ^ words.6, 1)
    words.7 = rotate(words.4 ^ words.15 ^ words.9 ^ words.7, 1)
    words.8 = rotate(words.5 ^ words.0 ^ words.10 ^ words.8, 1)
    words.9 = rotate(words.6 ^ words.1 ^ words.11 ^ words.9, 1)
    words.10 = rotate(words.7 ^ words.2 ^ words.12 ^ words.10, 1)
    words.11 = rotate(words.8 ^ words.3 ^ words.13 ^ words.11, 1)
    words.12 = rotate(words.9 ^ words.4 ^ words.14 ^ words.12, 1)
    words.13 = rotate(words.10 ^ words.5 ^ words.15 ^ words.13, 1)
    words.14 = rotate(words.11 ^ words.6 ^ words.0 ^ words.14, 1)
    words.15 = rotate(words.12 ^ words.7 ^ words.1 ^ words.15, 1)
  }
}

/// The five words of the rounds.
struct SHA1Rounds {
  private var a, b, c, d, e: UInt32

  init(_ state: SHA1.Digest) { (a, b, c, d, e) = state }

  /// Sixteen of the eighty rounds.
  @inline(__always)
  mutating func mix(_ words: SHA1Block.Words, from first: Int) {
    step(words.0, first &+ 0)
    step(words.1, first &+ 1)
    step(words.2, first &+ 2)
    step(words.3, first &+ 3)
    step(words.4, first &+ 4)
    step(words.5, first &+ 5)
    step(words.6, first &+ 6)
    step(words.7, first &+ 7)
    step(words.8, first &+ 8)
    step(words.9, first &+ 9)
    step(words.10, first &+ 10)
    step(words.11, first &+ 11)
    step(words.12, first &+ 12)
    step(words.13, first &+ 13)
    step(words.14, first &+ 14)
    step(words.15, first &+ 15)
  }

  @inline(__always)
  private mutating func step(_ word: UInt32, _ round: Int) {
    let (mixed, constant): (UInt32, UInt32) =
      switch round {
      case 0..<20: (d ^ b & (c ^ d), 0x5A82_7999)
      case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
      case 40..<60: (b & c | d & (b | c), 0x8F1B_BCDC)
      default: (b ^ c ^ d, 0xCA62_C1D6)
      }
    let next = rotate(a, 5) &+ mixed &+ e &+ constant &+ word
    (a, b, c, d, e) = (next, a, rotate(b, 30), c, d)
  }

  func added(to state: SHA1.Digest) -> SHA1.Digest {
    (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
  }
}

@inline(__always)
private func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 { word &<< bits | word &>> (32 &- bits) }
