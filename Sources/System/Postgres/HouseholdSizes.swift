/// The sizes of households (keys and lines in bytes) that a connection knows.
///
/// The known size is never too small: each write adds the bytes that it stores. All rows are counted only if
/// the known size would exceed the household's quota.
final class HouseholdSizes {
  struct Size {
    /// The sequence up to which rows are counted.
    var sequence: Int64
    var bytes: Int64
  }

  private var known: [Int64: Size] = [:]
  private var generation = 0

  /// Nil after a new connection, because another server may have other rows.
  func size(of household: Int64, generation: Int) -> Size? {
    if self.generation != generation { (known, self.generation) = ([:], generation) }
    return known[household]
  }

  func note(_ size: Size, of household: Int64) { known[household] = size }
}
