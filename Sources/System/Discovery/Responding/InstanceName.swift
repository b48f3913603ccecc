/// Names that are tried one after the other where somebody else has the first.
enum InstanceName {
  /// `Kitchen (2)` after `Kitchen`, `Kitchen (3)` after that (RFC 6762 §9), cut to what a label holds.
  static func next(after name: String) -> String {
    let (base, number) = parts(name)
    let suffix = " (\(number + 1))"
    return cut(base, to: 63 - suffix.utf8.count) + suffix
  }

  private static func parts(_ name: String) -> (base: Substring, number: Int) {
    guard name.hasSuffix(")"), let opening = name.range(of: " ("), opening.upperBound < name.endIndex else {
      return (name[...], 1)
    }
    let digits = name[opening.upperBound...].dropLast()
    guard let number = Int(digits), number > 1, number < 1_000_000, String(number) == digits else {
      return (name[...], 1)
    }
    return (name[..<opening.lowerBound], number)
  }

  /// The beginning of a text, in whole characters, of so many bytes at most.
  static func cut(_ text: Substring, to limit: Int) -> String {
    var kept = text
    while kept.utf8.count > limit { kept = kept.dropLast() }
    return String(kept)
  }
}

extension String {
  /// The last place of `other`.
  fileprivate func range(of other: String) -> Range<Index>? { ranges(of: other).last }
}
