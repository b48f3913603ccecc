/// Reads lines from one descriptor and writes them to another, each within a time limit.
///
/// The limit is a time, or a ``MessagePace``, which extends the time while enough bytes move.
///
/// At most `limit` bytes of a line are kept in memory, even if the other side sends more. A signal ends every
/// wait with an error for which `isInterruption` holds.
package struct LineChannel: ~Copyable {
  package enum Arrival: Equatable, Sendable {
    /// A line without its line feed; the last line may lack the line feed.
    case line([UInt8])
    /// A line exceeds the limit and cannot be read.
    case tooLong
    case end
    case timeOut
  }

  private let input: Descriptor
  private let output: Descriptor
  private let limit: Int
  private var window = ByteWindow(capacity: 64 << 10)
  /// The number of bytes at the beginning of the window that are known not to contain a line feed.
  private var searched = 0
  private var isAtEnd = false
  private var isBroken = false

  package init(_ input: consuming Descriptor, _ output: consuming Descriptor, limit: Int) {
    self.input = input
    self.output = output
    self.limit = limit
  }

  /// Whether the other side has ended, so that the last line may be cut.
  package var hasEnded: Bool { isAtEnd && window.isEmpty }

  /// The next line, as soon as it is complete; `deadline` is a time of ``SystemClock/monotonic()``.
  package mutating func receive(until deadline: Duration) throws(SystemError) -> Arrival {
    var pace: MessagePace?
    return try receive(until: deadline, &pace)
  }

  /// The next line, as soon as it is complete; `timeOut` at `deadline`, or when the line is slower than
  /// `pace`.
  package mutating func receive(
    until deadline: Duration? = nil, pace: inout MessagePace
  ) throws(SystemError) -> Arrival {
    var moving: MessagePace? = pace
    defer { pace = moving ?? pace }
    return try receive(until: deadline, &moving)
  }

  private mutating func receive(
    until deadline: Duration?, _ pace: inout MessagePace?
  ) throws(SystemError) -> Arrival {
    while true {
      if let line = takeLine() { return line.count > limit ? .tooLong : .line(line) }
      if window.count > limit { return .tooLong }
      if isAtEnd { return window.isEmpty ? .end : .line(takeRest()) }
      let limit = [deadline, pace?.limit].compactMap { $0 }.min() ?? .zero
      guard try Self.wait(input.raw, POLLIN, until: limit) else { return .timeOut }
      let count = try window.fill(from: input)
      pace?.move(count, at: SystemClock.monotonic())
      isAtEnd = count == 0
    }
  }

  /// Writes a line and its line feed; false if the reader was too slow.
  ///
  /// If the other side has stopped reading, writing stops without an error, because its earlier messages can
  /// still be read.
  package mutating func send(_ line: [UInt8], pace: inout MessagePace) throws(SystemError) -> Bool {
    let text = line + [10]
    var done = 0
    while done < text.count, !isBroken {
      guard try Self.wait(output.raw, POLLOUT, until: pace.limit) else { return false }
      do throws(SystemError) {
        let count = try output.writeWithoutBlocking(text.span.extracting(done...))
        done += count
        pace.move(count, at: SystemClock.monotonic())
      } catch {
        guard error.isBrokenPipe else { throw error }
        isBroken = true
      }
    }
    return true
  }

  private mutating func takeLine() -> [UInt8]? {
    let range = window.range
    guard let end = window.storage[range.lowerBound + searched..<range.upperBound].firstIndex(of: 10) else {
      searched = window.count
      return nil
    }
    var line = Array(window.storage[range.lowerBound..<end])
    window.consume(end + 1 - range.lowerBound)
    searched = 0
    if line.last == 13 { line.removeLast() }
    return line
  }

  private mutating func takeRest() -> [UInt8] {
    let rest = Array(window.storage[window.range])
    window.consume(rest.count)
    searched = 0
    return rest
  }

  /// Waits for an event; false after the deadline.
  private static func wait(_ raw: CInt, _ events: CInt, until deadline: Duration) throws(SystemError) -> Bool
  {
    while true {
      let left = max(.zero, deadline - SystemClock.monotonic())
      var entries = [
        pollfd(fd: raw, events: Int16(events), revents: 0),
        pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      // Round up, so that a wait of less than a millisecond does not become a busy loop.
      let count = unsafe poll(&entries, 2, left == .zero ? 0 : CInt(clamping: left.wholeMilliseconds + 1))
      if Interruption.pending != nil { throw SystemError(.read, "-", code: EINTR) }
      if entries[0].revents != 0 { return true }
      if count == 0, left == .zero { return false }
    }
  }
}

/// The time limit for the other side to send or receive a message; times are on the monotonic clock.
///
/// Some bytes must move within the patience. A complete message may take at most the patience plus a second
/// for each ``slowest`` bytes, so an occasional byte does not extend the wait.
package struct MessagePace: Sendable {
  /// The lowest accepted rate, in bytes per second.
  package static let slowest = 4 << 10

  private let patience: Duration
  /// The time when the wait began.
  private var start = Duration.zero
  /// The time when bytes last moved.
  private var last = Duration.zero
  private var moved = 0
  /// Time granted in addition to the patience.
  private var extra = Duration.zero

  package init(patience: Duration) { self.patience = patience }

  /// Begins the wait for the next message.
  package mutating func begin(extra: Duration = .zero, at now: Duration) {
    (start, last, moved, self.extra) = (now, now, 0, extra)
  }

  /// Notes that this many bytes have been sent or received.
  package mutating func move(_ count: Int, at now: Duration) {
    guard count > 0 else { return }
    moved += count
    last = now
  }

  /// The time when the wait times out.
  package var limit: Duration { min(last, start + .seconds(moved) / Self.slowest) + patience + extra }
}
