import JSONLines

/// Sorts entries stably by their words, in linear time.
///
/// The first four differing bytes nearly always decide. The sorter sorts by the least significant of these
/// bytes first. Entries that are equal in these bytes are sorted again by the next bytes.
package struct EntrySorter: Sendable {
  /// The item that sorting moves, half as large as an entry.
  private struct Item {
    var word: UInt64 = 0
    var place = 0
  }

  private var items: [Item] = []
  private var spare: [Item] = []
  private var copy: [LineEntry] = []

  package init() {}

  package mutating func sort(_ entries: inout [LineEntry]) { sort(&entries, entries.indices) }

  mutating func sort(_ entries: inout [LineEntry], _ range: Range<Int>) {
    if range.count <= Self.few { return Self.insertionSort(&entries, range) }
    var differing: UInt64 = 0
    let first = entries[range.lowerBound].word
    for index in range { differing |= entries[index].word ^ first }
    if differing == 0 { return }
    let highest = (63 - differing.leadingZeroBitCount) / 8
    let lowest = max(0, highest - 3)
    distribute(&entries, range, by: (lowest...highest).filter { differing >> UInt64($0 * 8) & 0xFF != 0 })
    if lowest > 0 { sortEqual(&entries, range, from: UInt64(lowest * 8)) }
  }

  /// The number of entries up to which it is faster to move each entry to its place.
  private static let few = 24

  /// Sorts entries whose words are the same from bit `low` on.
  private mutating func sortEqual(_ entries: inout [LineEntry], _ range: Range<Int>, from low: UInt64) {
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, entries[end].word >> low == entries[start].word >> low { end += 1 }
      if end - start > 1 { sort(&entries, start..<end) }
      start = end
    }
  }

  private mutating func distribute(_ entries: inout [LineEntry], _ range: Range<Int>, by digits: [Int]) {
    items.removeAll(keepingCapacity: true)
    for index in range { items.append(Item(word: entries[index].word, place: index)) }
    if spare.count < items.count { spare = Array(repeating: Item(), count: items.count) }
    if spare.count > items.count { spare.removeLast(spare.count - items.count) }
    for digit in digits {
      Self.distribute(items, by: UInt64(digit * 8), to: &spare)
      swap(&items, &spare)
    }
    copy.removeAll(keepingCapacity: true)
    for item in items { copy.append(entries[item.place]) }
    for index in copy.indices { entries[range.lowerBound + index] = copy[index] }
  }

  private static func distribute(_ items: [Item], by shift: UInt64, to target: inout [Item]) {
    var places = [Int](repeating: 0, count: 256)
    for item in items { places[Int(item.word >> shift & 0xFF)] += 1 }
    var sum = 0
    for digit in places.indices { (places[digit], sum) = (sum, sum + places[digit]) }
    for item in items {
      let digit = Int(item.word >> shift & 0xFF)
      target[places[digit]] = item
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
