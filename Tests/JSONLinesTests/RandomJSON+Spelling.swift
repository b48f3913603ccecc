import SyncCore
import TestSupport

extension RandomJSON {
  /// One of the many texts of the value, without white space around it.
  func spelling(using random: inout SplitMix64) -> String {
    switch self {
    case .literal(let text): text
    case .number(let digits, let exponent, let isNegative):
      Self.spelling(digits: digits, exponent: exponent, isNegative: isNegative, using: &random)
    case .string(let scalars): Self.spelling(scalars, using: &random)
    case .array(let elements):
      Self.list("[", "]", elements.map { $0.spelling(using: &random) }, using: &random)
    case .object(let members):
      Self.list(
        "{", "}",
        Self.reordered(members, using: &random).map { member in
          let name = Self.spelling(member.name, using: &random) + Self.space(using: &random)
          return name + ":" + Self.space(using: &random) + member.value.spelling(using: &random)
        }, using: &random)
    }
  }

  /// The members in a random order that keeps those of one name in theirs.
  private static func reordered(
    _ members: [(name: [Unicode.Scalar], value: RandomJSON)], using random: inout SplitMix64
  ) -> [(name: [Unicode.Scalar], value: RandomJSON)] {
    let groups = Dictionary(grouping: members.indices) { members[$0].name }
    var order = members.map(\.name)
    order.shuffle(using: &random)
    var taken: [[Unicode.Scalar]: Int] = [:]
    return order.map { name in
      defer { taken[name, default: 0] += 1 }
      return members[groups[name]![taken[name, default: 0]]]
    }
  }

  private static func list(
    _ open: String, _ close: String, _ items: [String], using random: inout SplitMix64
  ) -> String {
    var text = open + space(using: &random)
    for (index, item) in items.enumerated() {
      if index > 0 { text += "," + space(using: &random) }
      text += item + space(using: &random)
    }
    return text + close
  }

  private static func space(using random: inout SplitMix64) -> String {
    random.pick(["", "", "", " ", "\t", "\n", "\r\n", "  "])
  }

  private static func spelling(_ scalars: [Unicode.Scalar], using random: inout SplitMix64) -> String {
    var text = "\""
    for scalar in scalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if mustEscape || random.oneIn(3) {
        text += escape(scalar, using: &random)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar, using random: inout SplitMix64) -> String {
    let short: [Unicode.Scalar: String] = ["\"": #"\""#, "\\": #"\\"#, "/": #"\/"#, "\n": #"\n"#]
    if let short = short[scalar], Bool.random(using: &random) { return short }
    return String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
      return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// Spells digits × 10^exponent with the point anywhere and zeros added.
  private static func spelling(
    digits: String, exponent: Int, isNegative: Bool, using random: inout SplitMix64
  ) -> String {
    let more = Int.random(in: 0...2, using: &random)
    let padded = digits + String(repeating: "0", count: more)
    let fraction = Int.random(in: 0...padded.count, using: &random)
    let whole = padded.dropLast(fraction).drop { $0 == "0" }
    let power = exponent - more + fraction
    var text = (isNegative ? "-" : "") + (whole.isEmpty ? "0" : String(whole))
    if fraction > 0 { text += "." + padded.suffix(fraction) }
    if power != 0 || random.oneIn(3) {
      text += random.pick(["e", "E"]) + (power < 0 ? "-" : random.pick(["", "+"])) + String(power.magnitude)
    }
    return text
  }
}
