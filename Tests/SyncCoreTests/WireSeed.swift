@testable import SyncCore

/// A seeded generator (SplitMix64) and what the random deltas are made with.
struct WireSeed: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  mutating func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element {
    choices.randomElement(using: &self)!
  }

  /// Names and texts that are easily confused, or that need escapes.
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
