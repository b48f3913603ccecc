/// The sizes of households (keys and lines in bytes) that a connection knows.
///
/// The known size is never too small: each write adds the bytes that it stores. All rows are counted only if
/// the known size would exceed the household's quota. The other tables are small, and counted at each write.
final class HouseholdSizes {
  struct Size {
    /// The sequence up to which rows are counted.
    var sequence: Int64
    /// The mark of that commit: another server may have other rows up to that sequence.
    var mark: Int64
    /// The bytes of the keys and lines of changes.
    var changes: Int64
    var quarantined: Int64
    /// The bytes that are kept until current answers are complete: keys and held deletions.
    var noted: Int64

    /// The bytes that count for the quota.
    ///
    /// An answer may note the keys of all records, even in a full household. So only the part of `noted`
    /// above the size of the changes counts.
    var bytes: Int64 { changes + quarantined + max(0, noted - changes) }
  }

  private var known: [Int64: Size] = [:]
  private var generation = 0

  /// The known size of a household; nil after a new connection, because another server may have other rows.
  func size(of household: Int64, generation: Int) -> Size? {
    if self.generation != generation { (known, self.generation) = ([:], generation) }
    return known[household]
  }

  func note(_ size: Size, of household: Int64) { known[household] = size }
}
