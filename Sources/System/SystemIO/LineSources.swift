/// Lines of two descriptors as they arrive; the end of the main descriptor ends both.
package struct LineSources: ~Copyable {
  package struct Arrival: Sendable {
    /// The line without its line feed and the carriage return before it.
    package var line: [UInt8]
    package var isMain: Bool
    /// Whether this is the beginning of a line above the limit; its rest is dropped.
    package var isTooLong = false
  }

  private var main: Source
  private var other: Source?
  package private(set) var isAtEnd = false

  /// `other` is the path of the second descriptor; `limit` is the longest line of either in bytes.
  package init(_ main: consuming Descriptor, beside other: String?, limit: Int) throws(SystemError) {
    self.main = Source(main, limit)
    if let other { self.other = Source(try Descriptor.reading(other), limit) }
  }

  /// Waits until data arrive, and returns all complete lines.
  ///
  /// SIGINT or SIGTERM ends the wait with an error for which `isInterruption` holds.
  package mutating func next() throws(SystemError) -> [Arrival] {
    var entries = [
      pollfd(fd: main.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other?.raw ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&entries, 3, -1)
    if Interruption.pending != nil { throw SystemError(.read, "-", code: EINTR) }
    var arrivals: [Arrival] = []
    if entries[1].revents != 0, let source = other {
      arrivals += try source.read().map { Arrival(line: $0, isMain: false) }
      if source.isTooLong { arrivals.append(Arrival(line: [], isMain: false, isTooLong: true)) }
      if source.isAtEnd { other = nil }
    }
    if entries[0].revents != 0 {
      arrivals += try main.read().map { Arrival(line: $0, isMain: true) }
      if main.isTooLong { arrivals.append(Arrival(line: [], isMain: true, isTooLong: true)) }
      isAtEnd = main.isAtEnd
    }
    return arrivals
  }
}

/// One of the descriptors, with the bytes that were read from it.
///
/// It is a class, because an optional of a noncopyable struct is destroyed through metadata made at run-time.
private final class Source {
  private let descriptor: Descriptor
  private var window = ByteWindow(capacity: 64 << 10)
  private(set) var isAtEnd = false
  private let limit: Int
  /// The number of bytes at the beginning of the window that are known not to contain a line feed.
  private var searched = 0

  var raw: CInt { descriptor.raw }
  var isTooLong: Bool { window.count > limit }

  init(_ descriptor: consuming Descriptor, _ limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
  }

  /// Reads once, and returns the lines that are complete after that.
  func read() throws(SystemError) -> [[UInt8]] {
    isAtEnd = try window.fill(from: descriptor) == 0
    var lines: [[UInt8]] = []
    while let end = window.storage[window.range].dropFirst(searched).firstIndex(of: 10) {
      lines.append(take(to: end))
      window.consume(1)
      searched = 0
    }
    searched = window.count
    if isAtEnd, !window.isEmpty { lines.append(take(to: window.range.upperBound)) }
    return lines
  }

  private func take(to end: Int) -> [UInt8] {
    var line = Array(window.storage[window.range.lowerBound..<end])
    window.consume(line.count)
    if line.last == 13 { line.removeLast() }
    return line
  }
}
