/// How large households are, their keys and lines in bytes, as far as a connection has looked.
///
/// The known size is never too small: each write adds the bytes that it stores. All rows are counted only if that
/// would exceed the quota of the household.
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
