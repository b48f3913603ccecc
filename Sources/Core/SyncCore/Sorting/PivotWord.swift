/// A number made of a key beside another one, the pivot, with which it begins alike; ordered as keys are.
///
/// The keys before the pivot come first, those that part from it earliest before the others, then the pivot, then the
/// keys after it, those that part from it latest before the others. Of keys that part from it at the same place the
/// next six bytes tell. So keys that begin alike, each with some others and for any length, are told apart in few looks.
enum PivotWord {
  /// So many bytes are compared with the pivot at the most.
  static let reach = (1 << 14) - 1

  /// Of a key that begins as the pivot for `common` bytes, and the eight bytes that follow these in each.
  static func word(_ own: UInt64, _ pivot: UInt64, common: Int) -> UInt64 {
    if own == pivot { return 1 << 62 | UInt64(reach) << 48 }
    return own < pivot ? UInt64(common) << 48 | own >> 16 : 2 << 62 | UInt64(reach - common) << 48 | own >> 16
  }

  /// With how many of the bytes that were compared all different keys of one word begin alike.
  static func shared(_ word: UInt64) -> Int {
    let place = Int(word >> 48) & reach
    return (word >> 62 == 2 ? reach - place : place) + 6
  }
}
