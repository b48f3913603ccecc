@testable import SyncCore
import TestSupport

/// A seeded generator, and the parts of random deltas.
struct WireSeed: RandomNumberGenerator {
  private var random: SplitMix64

  init(_ seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// Names and texts that are easily confused, or need escapes.
  mutating func text() -> String {
    pick([
      "", "a", "b", "a/b", "~1", "\"", "\\", "é", "e\u{301}", "\n", "\u{0}", "😀", "sys", "id", "1", "type",
    ])
  }

  /// A time in whole seconds and UTC.
  mutating func date() -> String {
    let seconds = pick([0, -1, 951_782_400, 253_402_300_799, -62_167_219_200, below(2_000_000_000)])
    return String(Instant(seconds: Int64(seconds))!.description.prefix(19)) + "Z"
  }
}
