import JSONLines

/// Sorts entries by their words: least significant byte first, in linear time, stable.
package struct EntrySorter: Sendable {
  private var spare: [LineEntry] = []

  package init() {}

  package mutating func sort(_ entries: inout [LineEntry]) { sort(&entries, entries.indices) }

  mutating func sort(_ entries: inout [LineEntry], _ range: Range<Int>) {
    if range.count < 2 { return }
    if range.count <= 24 { return Self.insertionSort(&entries, range) }
    if spare.count < range.count { spare = Array(repeating: entries[range.lowerBound], count: range.count) }
    var differing: UInt64 = 0
    let first = entries[range.lowerBound].word
    for index in range { differing |= entries[index].word ^ first }
    for digit in 0..<8 where differing >> UInt64(digit * 8) & 0xFF != 0 {
      Self.distribute(entries, range, by: UInt64(digit * 8), to: &spare)
      for index in 0..<range.count { entries[range.lowerBound + index] = spare[index] }
    }
  }

  private static func distribute(
    _ entries: [LineEntry], _ range: Range<Int>, by shift: UInt64, to target: inout [LineEntry]
  ) {
    var places = [Int](repeating: 0, count: 257)
    for index in range { places[Int(entries[index].word >> shift & 0xFF) + 1] += 1 }
    for digit in 1..<256 { places[digit] += places[digit - 1] }
    for index in range {
      let digit = Int(entries[index].word >> shift & 0xFF)
      target[places[digit]] = entries[index]
      places[digit] += 1
    }
  }

  private static func insertionSort(_ entries: inout [LineEntry], _ range: Range<Int>) {
    for index in range.dropFirst() {
      let entry = entries[index]
      var place = index
      while place > range.lowerBound, entries[place - 1].word > entry.word {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
    }
  }
}
