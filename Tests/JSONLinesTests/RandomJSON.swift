import SyncCore
import TestSupport

/// A random value that can be spelled in many ways.
///
/// Names, digits and scalars come from few choices, so that equal and almost equal values are common.
indirect enum RandomJSON {
  case literal(String)
  case number(digits: String, exponent: Int, isNegative: Bool)
  case string([Unicode.Scalar])
  case array([RandomJSON])
  case object([(name: [Unicode.Scalar], value: RandomJSON)])

  init(depth: Int = 4, using random: inout SplitMix64) {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
    case 0: self = .literal(random.pick(["null", "true", "false"]))
    case 1...3: self = .randomNumber(using: &random)
    case 4...5: self = .string(Self.randomString(using: &random))
    case 6...7:
      self = .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in .init(depth: depth - 1, using: &random) })
    default:
      self = .object(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
          (Self.randomString(using: &random), .init(depth: depth - 1, using: &random))
        })
    }
  }

  private static func randomNumber(using random: inout SplitMix64) -> RandomJSON {
    let digits = (0..<random.pick([1, 1, 2, 5, 19, 20, 21, 40])).map { _ in random.pick("00123459") }
    let exponent =
      random.oneIn(10) ? Int.random(in: -999_999_000...999_999_000, using: &random) : random.pick(-3...3)
    return .number(digits: String(digits), exponent: exponent, isNegative: Bool.random(using: &random))
  }

  private static func randomString(using random: inout SplitMix64) -> [Unicode.Scalar] {
    let scalars: [Unicode.Scalar] = [
      "a", "a", "b", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "\u{80}", "é", "\u{7FF}", "\u{800}",
      "€",
      "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "😀", "\u{10FFFF}",
    ]
    return (0..<random.pick([0, 1, 1, 2, 2, 3, 7, 8, 20])).map { _ in random.pick(scalars) }
  }
}
