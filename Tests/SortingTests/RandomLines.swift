import SyncCore
import TestSupport

/// Texts of change lines whose keys are hard to order: long, alike, spelled in many ways, with and without clocks.
struct RandomLines {
  /// How many entities there are, and how many ids of each shape.
  struct Size: Sendable {
    var lines: Int
    var entities: Int
    var ids: Int
  }

  private var random: SplitMix64
  private let size: Size
  /// What many ids begin with.
  private let prefix: String
  /// Whether some keys and lines are longer than 64 KiB.
  private let hasLong: Bool

  init(seed: UInt64, _ size: Size) {
    random = SplitMix64(seed: seed)
    self.size = size
    prefix = String("0123456789abcdef-0123456789abcdef-é".prefix(Int.random(in: 0...35, using: &random)))
    hasLong = random.oneIn(4)
  }

  /// One to four texts, some of them possibly empty.
  mutating func texts() -> [[UInt8]] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      text(Int.random(in: 0...size.lines, using: &random))
    }
  }

  mutating func text(_ count: Int) -> [UInt8] {
    let isTerminated = !random.oneIn(3)
    var text: [UInt8] = []
    for index in 0..<count {
      text += line().utf8
      if isTerminated || index < count - 1 { text += random.pick(["\n", "\n", "\n", "\r\n", "\r\r\n"]).utf8 }
      if random.oneIn(20) { text += random.pick(["\n", " \t\n", "\r\n"]).utf8 }
    }
    return text
  }

  private mutating func line() -> String {
    if random.oneIn(30) { return #"{"newTokenData":"AA=="}"# }
    let pad = hasLong && random.oneIn(40) ? [#""pad":"\#(String(repeating: "p", count: 66_000))""#] : []
    var members = (random.oneIn(2) ? record() : change()) + clock()
    if random.oneIn(2) { members.append(#""n":\#(Int.random(in: 0...2, using: &random))"#) }
    if random.oneIn(6) { members.append(#""version":\#(random.pick(["1", "2", "1.0"]))"#) }
    let glue = random.oneIn(8) ? " , " : ","
    // What the line begins with may move the key further than a small number can say.
    let text = "{" + (pad + members.shuffled(using: &random)).joined(separator: glue) + "}"
    return random.oneIn(10) ? " \t\(text) " : text
  }

  private mutating func record() -> [String] {
    let entity = entity()
    return [#""id":\#(value())"#] + (entity == #""""# && random.oneIn(2) ? [] : [#""entity":\#(entity)"#])
  }

  private mutating func change() -> [String] {
    [#""entityName":\#(entity())"#, #""identity":\#(identity())"#]
  }

  private mutating func identity() -> String {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: "{}"
    case 1: #"{"a":\#(value()),"b":\#(value())}"#
    case 2: #"{"b":\#(value()) , "a":\#(value())}"#
    case 3: #"{"\u0069d":\#(value())}"#
    case 4: #"{ "id" : \#(value()) }"#
    case 5: #"{"\#(random.pick(["i", "id!", "id ", "idx", "", "\\\"", "é"]))":\#(value())}"#
    default: #"{"id":\#(value())}"#
    }
  }

  private mutating func entity() -> String {
    let number = Int.random(in: 0..<size.entities, using: &random)
    if number == 0 { return #""""# }
    let name = number % 3 == 0 ? "Ä\(number)" : "T\(number)"
    return random.oneIn(10)
      ? "\"\\u00\(String(name.unicodeScalars.first!.value, radix: 16))\(name.dropFirst())\"" : "\"\(name)\""
  }

  private mutating func value() -> String {
    let number = Int.random(in: 0..<size.ids, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return random.pick(["1", "10", "100", "1.0", "10e-1", "1e2", "-1", "-10", "0", "-0", "0.5"])
    case 1:
      return random.pick([
        #""""#, #""é""#, #""e\u0301""#, #""😀""#, #""\ud83d\ude00""#, #""\u0000""#, #""\"""#, #""\\""#,
      ])
    case 2: return random.pick(["true", "false", "[]", "[1,\(number)]", "{}", #"{"b":1,"a":[ 2 ]}"#])
    case 3: return random.pick(["123456789012345678901234567890", "12345678901234567890\(number)"])
    case 4, 5: return "\(number)"
    case 6 where hasLong && random.oneIn(8):
      return "\"" + String(repeating: "k", count: 65_530) + "\(number % 7)\""
    case 7: return "\"" + String("abcdefghijklmnop".prefix(number % 17)) + "\""
    case 8: return "\"\(prefix)\\u003\(number % 10)\""
    default: return "\"\(prefix)\(number)\""
    }
  }

  private mutating func clock() -> [String] {
    if random.oneIn(5) { return [] }
    let name = random.oneIn(4) ? "deletedAt" : random.pick(["modifiedAt", "updatedAt"])
    return [#""\#(name)":\#(random.oneIn(30) ? random.pick(Self.extremes) : moment())"#]
  }

  /// A few seconds, and in them nanoseconds that differ in their last digits only.
  private mutating func moment() -> String {
    let second = 10 + Int.random(in: 0...2, using: &random)
    let digits = String(1_000_000_000 + 500_000_000 + Int.random(in: 0...20, using: &random)).dropFirst()
    let fraction = random.oneIn(3) ? "" : ".\(digits)"
    return random.oneIn(4)
      ? "\"2025-05-02T12:00:\(second)\(fraction)+02:00\"" : "\"2025-05-02T10:00:\(second)\(fraction)Z\""
  }

  private static let extremes = [
    "\"0000-01-01T00:00:00Z\"", "\"0000-01-01T00:00:00.000000001Z\"", "\"9999-12-31T23:59:59.999999999Z\"",
    "-0.000001", "0", "null",
  ]
}
