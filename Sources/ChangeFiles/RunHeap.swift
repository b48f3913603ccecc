import SyncCore
import SystemIO

/// Sorted runs that are read side by side; the line with the smallest key comes first, of equal ones the earlier run.
struct RunHeap {
  /// What entries point into: a block that was kept, and windows of the runs, the present ones and earlier ones.
  private(set) var blocks: [LineBlock] = []
  private var readers: [Slot] = []
  /// The places of those that have a line left, the smallest first.
  private var heap: [Int] = []

  /// Arrays take only what can be copied.
  private final class Slot {
    var reader: RunReader
    init(_ reader: consuming RunReader) { self.reader = reader }
  }

  init(_ files: [SpillFile], window: Int) throws(SystemError) {
    for file in files { readers.append(Slot(try RunReader(file, window: window, number: 0))) }
    heap = readers.indices.filter { readers[$0].reader.head != nil }
    for place in heap.indices.reversed() { siftDown(from: place) }
    dropOldWindows()
  }

  var first: RunRecord? { heap.first.flatMap { readers[$0].reader.head } }

  func firstHas(_ key: [UInt8]) -> Bool { heap.first.map { readers[$0].reader.hasKey(key) } ?? false }

  func copyKey(to key: inout [UInt8]) {
    if let place = heap.first { readers[place].reader.copyKey(to: &key) }
  }

  /// Passes the first line.
  mutating func advance() throws(SystemError) {
    let slot = readers[heap[0]]
    if !slot.reader.advance() {
      try slot.reader.refill(number: blocks.count)
      blocks.append(slot.reader.block)
    }
    if slot.reader.head == nil {
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
    }
    siftDown(from: 0)
  }

  /// Forgets the windows that have been read to their ends; no entry may point into them any more.
  mutating func dropOldWindows(keeping block: LineBlock? = nil) {
    blocks = block.map { [$0] } ?? []
    for slot in readers {
      slot.reader.renumber(blocks.count)
      blocks.append(slot.reader.block)
    }
  }

  private mutating func siftDown(from start: Int) {
    var place = start
    while true {
      var smallest = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && isLess(heap[child], heap[smallest]) {
        smallest = child
      }
      if smallest == place { return }
      heap.swapAt(place, smallest)
      place = smallest
    }
  }

  private func isLess(_ a: Int, _ b: Int) -> Bool {
    let order = readers[a].reader.compareKey(to: readers[b].reader)
    return order == 0 ? a < b : order < 0
  }
}
