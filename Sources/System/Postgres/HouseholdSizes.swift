/// How large households are, their keys and lines in bytes, as far as a connection has looked.
///
/// What is known is never less than what there is: each write adds what it has stored. All rows are looked at only where that
/// would be more than the household may have.
final class HouseholdSizes {
  struct Size {
    /// Up to where rows are counted.
    var sequence: Int64
    var bytes: Int64
  }

  private var known: [Int64: Size] = [:]
  private var generation = 0

  /// Another server may have other rows than the one before.
  func size(of household: Int64, generation: Int) -> Size? {
    if self.generation != generation { (known, self.generation) = ([:], generation) }
    return known[household]
  }

  func note(_ size: Size, of household: Int64) { known[household] = size }
}
