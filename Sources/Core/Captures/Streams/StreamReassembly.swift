import JSONLines
import SyncCore

/// One direction of a stream: the next bytes, and bytes that arrived too early.
///
/// Sequence numbers count modulo 2³² (RFC 9293 §3.4); offsets count from the first byte and do not wrap.
struct StreamReassembly: Sendable {
  /// The largest possible window (RFC 7323 §2.3), in bytes.
  private static let farthest = 1 << 30
  /// The maximum number of waiting pieces; sorting more would take too long.
  private static let mostPieces = 16_384

  let name: StreamName
  private let head: [UInt8]
  /// The number of the SYN, if it was captured.
  private(set) var synchronization: UInt32?
  private(set) var isStarted = false
  /// Whether only empty segments have shown the start, which is one byte too early if they are keep-alives.
  private var isProvisional = false
  /// The number of the next byte in order.
  private var sequence: UInt32 = 0
  /// The offset of the next byte in order.
  private(set) var offset = 0
  private var waiting = PieceList()
  private var recent = RecentBytes()
  /// The offset of the FIN.
  private var end: Int?
  /// The end of the farthest segment on the wire, even if the capture has cut it off.
  private var sent = 0
  /// The offset before which the other side has all bytes.
  private var acknowledged = 0
  private var lastGap = 0..<0
  private var latest = Instant.epoch
  /// Whether a hole that the other side does not need is already listed; the hole is given up later.
  var isAwaited = false

  init(_ name: StreamName) {
    self.name = name
    head = name.head
  }

  /// The approximate memory use, in bytes.
  var size: Int { waiting.size + recent.size }

  /// Whether all bytes up to the FIN have arrived.
  var isFinished: Bool { end.map { offset >= $0 } ?? false }

  /// The hole before the first waiting piece.
  var hole: Range<Int>? { waiting.first.map { offset..<$0.offset } }

  /// Whether the other side has acknowledged all bytes of the hole, so they will not be sent again.
  var isHoleAcknowledged: Bool { hole.map { acknowledged >= $0.upperBound } ?? false }

  /// Whether any bytes were written or are waiting.
  var hasBytes: Bool { offset > 0 || !waiting.isEmpty }

  mutating func start(at sequence: UInt32) {
    guard !isStarted else { return }
    (self.sequence, isStarted) = (sequence, true)
  }

  /// Handles a SYN with this number; false if it begins another stream.
  mutating func synchronize(_ number: UInt32) -> Bool {
    if let synchronization { return synchronization == number }
    if isStarted, offset > 0 || sequence != number &+ 1 { return false }
    synchronization = number
    start(at: number &+ 1)
    return true
  }

  /// Moves a provisional start to the next number if that is now known to be the first.
  ///
  /// An empty keep-alive has the number before the next byte (RFC 1122 §4.2.3.6).
  private mutating func correctStart(by number: UInt32) {
    guard isProvisional, synchronization == nil, number == sequence &+ 1 else { return }
    (sequence, isProvisional) = (number, false)
    acknowledged = max(0, acknowledged - 1)
  }

  /// Notes that the other side expects the byte with this number next.
  mutating func acknowledge(_ number: UInt32) {
    guard isStarted else { return }
    correctStart(by: number)
    let place = offset + Int(Int32(bitPattern: number &- sequence))
    if place - offset <= Self.farthest { acknowledged = max(acknowledged, place) }
  }

  /// Adds the payload of a segment, `length` bytes on the wire from `number` on.
  mutating func add(
    _ bytes: Span<UInt8>, length: Int, from number: UInt32, isFinal: Bool, _ time: Instant, recentLimit: Int,
    into output: inout StreamOutput
  ) {
    if !isStarted { isProvisional = true }
    start(at: number)
    correctStart(by: number)
    // Bytes and a FIN have exact numbers.
    if length > 0 || isFinal { isProvisional = false }
    latest = max(latest, time)
    let distance = Int(Int32(bitPattern: number &- sequence))
    guard abs(distance) <= Self.farthest else {
      if length > 0 { output.report(.stray(name)) }
      return
    }
    let place = offset + distance
    if isFinal, end == nil { end = place + length }
    if length > 0 { sent = max(sent, place + length) }
    // A keep-alive may contain one garbage byte (RFC 1122 §4.2.3.6), in the place of the last byte sent.
    let isKeepAlive = bytes.count == 1 && distance == -1 && place + 1 >= sent && end == nil
    if bytes.isEmpty || isKeepAlive { return }
    let past = min(max(0, -distance), bytes.count)
    if past > 0 { compare(bytes.bytes(from: 0, atMost: past), at: place, &output) }
    if past < bytes.count {
      addNew(bytes.bytes(from: past), at: place + past, time, recentLimit, &output)
    }
  }

  /// Compares bytes with those written before at that place, or reports them as late.
  private func compare(_ bytes: Span<UInt8>, at place: Int, _ output: inout StreamOutput) {
    let differences = recent.differences(from: bytes, at: place)
    if differences > 0 { output.report(.overlap(name, offset: max(0, place), count: differences)) }
    let late = lastGap.clamped(to: place..<place + bytes.count)
    if place < 0, synchronization == nil { output.report(.early(name, count: min(-place, bytes.count))) }
    if !late.isEmpty { output.report(.late(name, offset: late.lowerBound, count: late.count)) }
  }

  private mutating func addNew(
    _ bytes: Span<UInt8>, at place: Int, _ time: Instant, _ recentLimit: Int, _ output: inout StreamOutput
  ) {
    if place == offset, waiting.first.map({ $0.offset >= place + bytes.count }) ?? true {
      write(bytes, time, recentLimit, &output)
    } else {
      let differences = waiting.insert(bytes, at: place, time)
      if differences > 0 { output.report(.overlap(name, offset: place, count: differences)) }
    }
    writeRun(recentLimit, &output)
    if waiting.pieces.count > Self.mostPieces { giveUp(recentLimit: recentLimit, into: &output) }
  }

  private mutating func write(
    _ bytes: Span<UInt8>, _ time: Instant, _ recentLimit: Int, _ output: inout StreamOutput
  ) {
    output.append(bytes, at: offset, time, head: head)
    if recentLimit > 0 {
      var copy: [UInt8] = []
      copy.append(bytes)
      recent.append(Piece(offset: offset, bytes: copy, time: time), limit: recentLimit)
    }
    advance(by: bytes.count)
  }

  /// Writes the waiting pieces that are now in order.
  private mutating func writeRun(_ recentLimit: Int, _ output: inout StreamOutput) {
    guard waiting.first?.offset == offset else { return }
    for piece in waiting.takeRun(from: offset) {
      output.append(piece.bytes.span, at: piece.offset, piece.time, head: head)
      recent.append(piece, limit: recentLimit)
      advance(by: piece.bytes.count)
    }
  }

  private mutating func advance(by count: Int) {
    offset += count
    sequence &+= UInt32(truncatingIfNeeded: count)
  }

  // MARK: Missing bytes

  /// Reports the hole before the first waiting piece as a gap, and writes the bytes after it.
  mutating func giveUp(recentLimit: Int, into output: inout StreamOutput) {
    guard let hole, let time = waiting.first?.time else { return }
    passOver(hole.count, time, &output)
    writeRun(recentLimit, &output)
  }

  /// Writes all waiting bytes, with the gaps between them, and the gap up to the last sent or acknowledged
  /// byte.
  mutating func finish(into output: inout StreamOutput) {
    while hole != nil { giveUp(recentLimit: 0, into: &output) }
    // One more acknowledged byte may be the FIN.
    let last = end ?? max(sent, isStarted && acknowledged > offset + 1 ? acknowledged : offset)
    if last > offset { passOver(last - offset, latest, &output) }
    recent = RecentBytes()
  }

  private mutating func passOver(_ count: Int, _ time: Instant, _ output: inout StreamOutput) {
    output.append(gap: count, at: offset, time, head: head)
    lastGap = offset..<offset + count
    advance(by: count)
  }

  mutating func trimRecent(to limit: Int) { recent.trim(to: limit) }
}
