import SyncCore
import TestSupport

/// Texts of lines under a profile that compares identities in forms: UUIDs in both cases and near-UUIDs, or dates.
struct RandomIdentities {
  enum Kind: String, CaseIterable { case uuid, date }

  private var random: SplitMix64
  private let kind: Kind
  private let ids: Int
  /// With how many letters all UUIDs begin alike.
  private let shared: Int

  init(seed: UInt64, _ kind: Kind, ids: Int) {
    random = SplitMix64(seed: seed)
    (self.kind, self.ids) = (kind, ids)
    shared = random.pick([0, 0, 1, 5, 9, 14, 20, 33])
  }

  var shape: RecordShape {
    var shape = RecordShape()
    shape.profile = try! Profile(
      parsing: Array(#"{"entities":{"T":{"identity":"\#(kind.rawValue)"}}}"#.utf8).span)
    return shape
  }

  mutating func texts(_ lines: Int) -> [[UInt8]] {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in text(Int.random(in: 0...lines, using: &random)) }
  }

  mutating func text(_ count: Int) -> [UInt8] {
    var text: [UInt8] = []
    for _ in 0..<count { text += (line() + "\n").utf8 }
    return text
  }

  private mutating func line() -> String {
    let value = value()
    let clock = #","updatedAt":\#(Int.random(in: 0...2, using: &random))"#
    let pad = random.oneIn(200) ? #","pad":"\#(String(repeating: "p", count: 66_000))""# : ""
    return switch Int.random(in: 0..<10, using: &random) {
    case 0: #"{"entityName":"T","identity":{"id":\#(value),"z":\#(self.value())}\#(clock)}"#
    case 1: #"{"entityName":"T","identity":{ "\u0069d" : \#(value) }\#(clock)}"#
    case 2: #"{"entity":"U","id":\#(value)\#(clock)}"#
    case 3...5: #"{"entityName":"T","identity":{"id":\#(value)}\#(clock)}"#
    default: #"{"entity":"T"\#(pad),"id":\#(value)\#(clock)}"#
    }
  }

  private mutating func value() -> String {
    let number = Int.random(in: 0..<ids, using: &random)
    return kind == .uuid ? uuid(number) : date(number)
  }

  private mutating func uuid(_ number: Int) -> String {
    // The same digits for the same number, in any order of numbers.
    var digits = SplitMix64(seed: UInt64(number))
    let all = Array(
      String(digits.next(), radix: 16) + String(digits.next(), radix: 16) + "0123456789abcdef0123")
    var letters = Array("a0b1c2d3-e4f5-4a6b-8c7d-9e8fa0b1c2d3")
    for index in letters.indices where index >= shared && letters[index] != "-" {
      letters[index] = all[index]
    }
    let text = String(letters)
    return switch Int.random(in: 0..<12, using: &random) {
    case 0...3: "\"\(text)\""
    case 4...7: "\"\(text.uppercased())\""
    case 8: "\"\(text.prefix(20))\(text.dropFirst(20).uppercased())\""
    case 9: "\"\\u00\(String(text.utf8.first!, radix: 16))\(text.dropFirst().uppercased())\""
    case 10: random.pick(["\(number)", "\"\(text.uppercased())0\"", "\"\(text.dropLast().uppercased())G\""])
    default: random.pick(["\"A\"", "\"a\"", "\"\(text.replacing("-", with: "").uppercased())\"", "\"\""])
    }
  }

  private mutating func date(_ number: Int) -> String {
    let (minute, second) = (10 + number / 50 % 50, 10 + number % 50)
    return switch Int.random(in: 0..<6, using: &random) {
    case 0: "\"2026-01-05T07:\(minute):\(second)Z\""
    case 1, 2: "\"2026-01-05T07:\(minute):\(second).000Z\""
    case 3: "\"2026-01-05T08:\(minute):\(second)+01:00\""
    case 4: "\(1_767_596_400 + minute * 60 + second)"
    default: "\"2026-01-05\\u002007:\(minute):\(second)\""
    }
  }
}
