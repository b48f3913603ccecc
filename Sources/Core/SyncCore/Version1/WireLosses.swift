/// What packing has cut off because it was told to.
package struct WireLosses: Equatable, Sendable {
  var fractions = 0
  var numbers = 0
  var nestedValues = 0
  var members = 0

  package init() {}

  mutating func add(_ more: WireLosses) {
    fractions += more.fractions
    numbers += more.numbers
    nestedValues += more.nestedValues
    members += more.members
  }

  /// In words; nil where nothing was lost.
  package var description: String? {
    let counts = [
      ("times cut to whole seconds", fractions), ("numbers rounded", numbers),
      ("nested values left out", nestedValues), ("other members left out", members),
    ]
    let parts = counts.filter { $0.1 > 0 }.map { "\($0.0): \($0.1)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
