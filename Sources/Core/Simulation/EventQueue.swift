/// Events in the order of their times; at equal times, in the order in which they were added.
struct EventQueue<Event> {
  private struct Entry {
    var time: Int
    var order: Int
    var event: Event

    static func < (a: Entry, b: Entry) -> Bool { (a.time, a.order) < (b.time, b.order) }
  }

  /// A binary heap, the earliest first.
  private var heap: [Entry] = []
  private var added = 0

  var isEmpty: Bool { heap.isEmpty }

  mutating func add(_ event: Event, at time: Int) {
    heap.append(Entry(time: time, order: added, event: event))
    added += 1
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func next() -> (time: Int, event: Event)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.time, first.event)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
