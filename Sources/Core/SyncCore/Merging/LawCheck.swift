/// Merges lines in many orders and groupings and checks whether the results have the same bytes.
package struct LawCheck {
  package enum Law: String, CaseIterable, Sendable {
    /// The order of the lines does not matter.
    case commutative
    /// A merge of the merged parts gives the same result as a merge of all lines at once.
    case associative
    /// A merged text does not change if it is merged again.
    case idempotent
  }

  /// A seed with which a law did not hold, and the first line that differs.
  package struct Violation: Equatable, Sendable {
    package var law: Law
    package var seed: UInt64
    package var expected: [UInt8]
    package var actual: [UInt8]
  }

  /// Merges texts of lines into one text in key order.
  package typealias MergeFunction = ([[UInt8]]) throws -> [UInt8]

  private let merge: MergeFunction
  private let lines: [[UInt8]]
  private let expected: [UInt8]

  /// `lines` are the lines of all inputs, without line breaks.
  package init(_ lines: [[UInt8]], merge: @escaping MergeFunction) throws {
    self.lines = lines
    self.merge = merge
    expected = try merge([Self.text(lines)])
  }

  /// The violation of one law with one seed, if any.
  package func violation(of law: Law, seed: UInt64) throws -> Violation? {
    var random = SplitMix64(seed: seed)
    let shuffled = lines.shuffled(using: &random)
    let actual =
      switch law {
      case .commutative: try merge([Self.text(shuffled)])
      case .associative: try merge(try parts(of: shuffled, &random).map { try merge([Self.text($0)]) })
      case .idempotent: try merge([expected, Self.text(sample(shuffled, &random)), expected])
      }
    guard actual != expected else { return nil }
    return difference(law, seed, actual)
  }

  /// Two to five parts, some of them possibly empty.
  private func parts(of lines: [[UInt8]], _ random: inout SplitMix64) -> [[[UInt8]]] {
    var parts = [[[UInt8]]](repeating: [], count: Int.random(in: 2...5, using: &random))
    for line in lines { parts[Int.random(in: parts.indices, using: &random)].append(line) }
    return parts
  }

  private func sample(_ lines: [[UInt8]], _ random: inout SplitMix64) -> [[UInt8]] {
    lines.filter { _ in Bool.random(using: &random) }
  }

  private func difference(_ law: Law, _ seed: UInt64, _ actual: [UInt8]) -> Violation {
    let (wanted, found) = (expected.split(separator: 10), actual.split(separator: 10))
    let index =
      zip(wanted, found).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      ?? min(wanted.count, found.count)
    return Violation(
      law: law, seed: seed, expected: index < wanted.count ? Array(wanted[index]) : [],
      actual: index < found.count ? Array(found[index]) : [])
  }

  private static func text(_ lines: [[UInt8]]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(lines.reduce(0) { $0 + $1.count + 1 })
    for line in lines {
      text += line
      text.append(10)
    }
    return text
  }
}
