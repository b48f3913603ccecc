/// The positions of the lines in a buffer.
///
/// LF ends a line; one CR before it is not part of the line. The cursor stores only offsets, so one cursor
/// can follow a window over a longer input.
package struct LineCursor: Sendable {
  /// The maximum length of a line in bytes; all tools reject longer lines.
  package static let longestLine = 64 << 20

  /// One line of the buffer.
  package struct Line: Equatable, Sendable {
    /// The bytes of the line, without LF and the CR before it.
    package var content: Range<Int>

    /// The number of the line in the whole input, from 1.
    package var number: Int

    /// Whether an LF follows; only the last line of an input may lack it.
    package var isTerminated: Bool

    package init(content: Range<Int>, number: Int, isTerminated: Bool) {
      self.content = content
      self.number = number
      self.isTerminated = isTerminated
    }
  }

  /// The offset at which the next line begins.
  package private(set) var position: Int

  /// The number of the next line, from 1.
  package private(set) var nextNumber = 1

  /// LF does not appear from `position` to here, so a long line that arrives in pieces is searched only once.
  private var searched: Int

  package init(start: Int = 0) {
    position = start
    searched = start
  }

  /// The next line, or nil after the last one.
  ///
  /// Bytes after the last LF are a line only if `final` is true, which means that the input is complete.
  /// Otherwise they stay at `position` until the caller has more. An LF at the end does not begin another
  /// line.
  package mutating func next(in text: Span<UInt8>, final: Bool = true) -> Line? {
    if let end = ByteSearch.firstIndex(of: 0x0A, in: text, from: searched) {
      let hasReturn = end > position && text[end - 1] == 0x0D
      return take(position..<(hasReturn ? end - 1 : end), next: end + 1, isTerminated: true)
    }
    searched = text.count
    guard final, position < text.count else { return nil }
    return take(position..<text.count, next: text.count, isTerminated: false)
  }

  /// Adjusts the offsets after the first `count` bytes of the buffer, all before `position`, were dropped.
  package mutating func drop(_ count: Int) {
    precondition(count <= position, "bytes of a line were dropped before they were read")
    position -= count
    searched -= count
  }

  private mutating func take(_ content: Range<Int>, next: Int, isTerminated: Bool) -> Line {
    defer {
      position = next
      searched = next
      nextNumber += 1
    }
    return Line(content: content, number: nextNumber, isTerminated: isTerminated)
  }
}

/// Lines in a text.
extension Span<UInt8> {
  /// Whether the line at `start` has only spaces, tabs and CRs; `end` becomes its LF or the end of the text.
  @inlinable
  package func isBlankLine(from start: Int, end: inout Int) -> Bool {
    var offset = start
    while offset < count, self[offset] == 32 || self[offset] == 9 || self[offset] == 13 { offset += 1 }
    guard offset == count || self[offset] == 10 else { return false }
    end = offset
    return true
  }

  /// The end of the line from `start` to the LF at `end`, before any CRs.
  ///
  /// If the CRs were included, the last of them would become part of a line break when the line is written
  /// again.
  @inlinable
  package func endOfLine(_ start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, self[end - 1] == 13 { end -= 1 }
    return end
  }
}
