/// The digest SHA-1 (RFC 3174), for names only: nothing that has to be secure rests on it.
///
/// It holds no array, so that a copy, taken for names that begin alike, costs nothing.
package struct SHA1: Sendable {
  package typealias Digest = (UInt32, UInt32, UInt32, UInt32, UInt32)

  private var state: Digest = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0)
  /// The last words that are complete; after sixteen of them, a block.
  private var block = SHA1Block()
  /// The bytes that do not fill a word yet, the last of them lowest.
  private var word: UInt32 = 0
  /// Bytes so far.
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
    if count & 63 == 0 { takeBlock() }
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

  /// The digest of all that was given, as five big-endian words.
  package consuming func finish() -> Digest {
    let bits = UInt64(count) &* 8
    append(0x80)
    // The length is the last two words of a block.
    while count & 63 != 0 && count & 63 != 56 { append(0) }
    let length = (UInt32(truncatingIfNeeded: bits &>> 32), UInt32(truncatingIfNeeded: bits))
    if count & 63 == 0 { block = SHA1Block() }
    block.append(length.0)
    block.append(length.1)
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
    var rounds = SHA1Rounds(state)
    // Written out, so that no round has to ask which part it is in.
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
