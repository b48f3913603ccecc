import SyncCore

/// The streams of a capture, which share a memory limit.
///
/// When memory is short, streams that have ended are forgotten first, then the bytes for comparison. Then the
/// least recently used streams are forgotten, and each is reported.
struct StreamTable: Sendable {
  /// Both ends, the smaller one first, so that both directions find the same stream.
  private struct Key: Hashable {
    var low: Endpoint
    var high: Endpoint
  }

  private struct Stream {
    var key: Key
    var number: Int
    var isReset = false
  }

  /// A hole that the sender will not fill, and the time when it is given up.
  private struct Wait {
    var deadline: Instant
    var direction: Int
    var number: Int
    var hole: Range<Int>
  }

  /// The approximate memory of a stream apart from its bytes, in bytes.
  private static let overhead = 2_048
  /// How long to wait for acknowledged bytes, which may still follow in the capture, out of order.
  private static let patience = Duration.seconds(2)
  private static let (open, closed) = (0, 1)

  private let limit: Int
  private var slots: [Key: Int] = [:]
  private var streams: [Stream?] = []
  /// Two directions for each slot.
  private var directions: [StreamReassembly] = []
  private var free: [Int] = []
  private var order = UseOrder()
  private var waits: [Wait] = []
  private var firstWait = 0
  private var count = 0
  private var size = 0
  /// The memory in each direction for comparing repeated bytes, in bytes.
  private var recentLimit = 64 << 10

  /// `limit` is the approximate memory limit of all streams, in bytes.
  init(limit: Int) { self.limit = limit }

  /// Adds a segment with its captured payload.
  mutating func add(
    _ segment: TCPHeader, _ payload: Span<UInt8>, from source: NetworkAddress,
    to destination: NetworkAddress,
    at time: Instant, into output: inout StreamOutput
  ) {
    let from = Endpoint(source, segment.source)
    let to = Endpoint(destination, segment.destination)
    let isLow = !(to < from)
    let key = isLow ? Key(low: from, high: to) : Key(low: to, high: from)
    let slot = slot(of: key, segment, isLow, into: &output)
    let (own, other) = isLow ? (2 * slot, 2 * slot + 1) : (2 * slot + 1, 2 * slot)
    let before = directions[own].size
    directions[own].add(
      payload, length: segment.length, from: segment.sequence &+ (segment.isSynchronizing ? 1 : 0),
      isFinal: segment.isFinal, time, recentLimit: recentLimit, into: &output)
    size += directions[own].size - before
    if let number = segment.acknowledgment, !segment.isReset {
      if segment.isSynchronizing { directions[other].start(at: number) }
      directions[other].acknowledge(number)
    }
    if segment.isReset { streams[slot]?.isReset = true }
    let isClosed = isClosed(slot)
    order.use(slot, in: isClosed ? Self.closed : Self.open)
    noteHole(own, isClosed, time)
    noteHole(other, isClosed, time)
    giveUpHoles(until: time, into: &output)
    makeRoom(beside: slot, into: &output)
  }

  /// The slot of a segment's stream; a SYN with another number begins a new stream.
  private mutating func slot(
    of key: Key, _ segment: TCPHeader, _ isLow: Bool, into output: inout StreamOutput
  ) -> Int {
    if let slot = slots[key] {
      let direction = isLow ? 2 * slot : 2 * slot + 1
      if !segment.isSynchronizing || directions[direction].synchronize(segment.sequence) { return slot }
      remove(slot, into: &output)
    }
    let slot = free.popLast() ?? streams.count
    let low = StreamReassembly(StreamName(number: count, from: key.low, to: key.high))
    let high = StreamReassembly(StreamName(number: count, from: key.high, to: key.low))
    if slot == streams.count {
      streams.append(nil)
      directions += [low, high]
    } else {
      (directions[2 * slot], directions[2 * slot + 1]) = (low, high)
    }
    streams[slot] = Stream(key: key, number: count)
    slots[key] = slot
    count += 1
    size += Self.overhead
    if segment.isSynchronizing {
      _ = directions[isLow ? 2 * slot : 2 * slot + 1].synchronize(segment.sequence)
    }
    return slot
  }

  private func isClosed(_ slot: Int) -> Bool {
    streams[slot]?.isReset ?? true
      || directions[2 * slot].isFinished && directions[2 * slot + 1].isFinished
  }

  // MARK: Holes

  /// Notes a hole that the sender will not fill, to give it up after a while.
  private mutating func noteHole(_ direction: Int, _ isClosed: Bool, _ time: Instant) {
    guard !directions[direction].isAwaited, let hole = directions[direction].hole,
      isClosed || directions[direction].isHoleAcknowledged
    else { return }
    directions[direction].isAwaited = true
    waits.append(
      Wait(
        deadline: time.advanced(by: Self.patience), direction: direction,
        number: directions[direction].name.number, hole: hole))
  }

  private mutating func giveUpHoles(until time: Instant, into output: inout StreamOutput) {
    // The number of waits is limited, as the clock of a capture might never advance.
    while firstWait < waits.count, waits[firstWait].deadline <= time || waits.count - firstWait > 65_536 {
      let wait = waits[firstWait]
      firstWait += 1
      guard directions[wait.direction].name.number == wait.number else { continue }
      directions[wait.direction].isAwaited = false
      let before = directions[wait.direction].size
      if directions[wait.direction].hole?.upperBound == wait.hole.upperBound {
        directions[wait.direction].giveUp(recentLimit: recentLimit, into: &output)
      }
      size += directions[wait.direction].size - before
      noteHole(wait.direction, isClosed(wait.direction / 2), time)
    }
    if firstWait == waits.count, firstWait > 0 {
      waits.removeAll(keepingCapacity: firstWait < 1_024)
      firstWait = 0
    } else if firstWait > 4_096, firstWait > waits.count / 2 {
      waits.removeFirst(firstWait)
      firstWait = 0
    }
  }

  // MARK: Memory

  private mutating func makeRoom(beside slot: Int, into output: inout StreamOutput) {
    while size > limit {
      if let oldest = order.oldest(of: Self.closed), oldest != slot {
        remove(oldest, into: &output)
      } else if recentLimit > 0 {
        recentLimit = recentLimit > 1_024 ? recentLimit / 2 : 0
        trimRecent()
      } else if let oldest = order.oldest(of: Self.open), oldest != slot {
        reportEviction(of: oldest, into: &output)
        remove(oldest, into: &output)
      } else {
        // This stream alone exceeds the limit for all streams.
        reportEviction(of: slot, into: &output)
        return remove(slot, into: &output)
      }
    }
  }

  private mutating func trimRecent() {
    for index in directions.indices where directions[index].size > 0 {
      let before = directions[index].size
      directions[index].trimRecent(to: recentLimit)
      size += directions[index].size - before
    }
  }

  /// Reports the eviction of a stream, unless both directions are empty.
  private func reportEviction(of slot: Int, into output: inout StreamOutput) {
    for direction in [2 * slot, 2 * slot + 1] where directions[direction].hasBytes {
      return output.report(.evicted(directions[direction].name))
    }
  }

  /// Forgets a stream; its waiting bytes are written first.
  private mutating func remove(_ slot: Int, into output: inout StreamOutput) {
    guard let stream = streams[slot] else { return }
    for direction in [2 * slot, 2 * slot + 1] {
      size -= directions[direction].size
      directions[direction].finish(into: &output)
      directions[direction] = StreamReassembly(
        StreamName(number: -1, from: stream.key.low, to: stream.key.high))
    }
    slots[stream.key] = nil
    streams[slot] = nil
    order.remove(slot)
    free.append(slot)
    size -= Self.overhead
  }

  /// Writes all waiting bytes, stream after stream, and forgets the streams.
  mutating func finish(into output: inout StreamOutput) {
    let left = streams.indices.filter { streams[$0] != nil }
    for slot in left.sorted(by: { streams[$0]?.number ?? 0 < streams[$1]?.number ?? 0 }) {
      remove(slot, into: &output)
    }
  }
}

extension Endpoint {
  fileprivate static func < (a: Endpoint, b: Endpoint) -> Bool {
    (a.address.high, a.address.low, a.port) < (b.address.high, b.address.low, b.port)
  }
}
