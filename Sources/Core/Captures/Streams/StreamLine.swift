package import JSONLines

/// A line of `pcapstream`: a piece of a direction of a stream, or a gap in it.
package struct StreamLine: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case data([UInt8])
    /// This many bytes are missing.
    case gap(Int)
  }

  /// One direction of a stream.
  ///
  /// Both ends are text in the given spelling, as they are only compared.
  package struct Direction: Hashable, Sendable {
    package var stream: Int
    package var from: [UInt8]
    package var to: [UInt8]

    package init(stream: Int, from: [UInt8], to: [UInt8]) {
      (self.stream, self.from, self.to) = (stream, from, to)
    }
  }

  package var direction: Direction
  /// The time in its given spelling.
  package var time: [UInt8]
  /// The offset of the first byte in its direction.
  package var offset: Int
  package var content: Content

  package init(direction: Direction, time: [UInt8], offset: Int, content: Content) {
    (self.direction, self.time, self.offset, self.content) = (direction, time, offset, content)
  }

  /// Reads a line.
  package init(_ line: Span<UInt8>) throws(MemberError) {
    let members = try CaptureMembers(line)
    if members.has(.datagram) {
      throw MemberError(.other("a datagram, not a piece of a stream", .wrongType))
    }
    direction = Direction(
      stream: try members.number(.stream, in: line), from: try members.text(.from, in: line),
      to: try members.text(.to, in: line))
    time = try members.text(.at, in: line)
    offset = try members.number(.offset, in: line)
    if let gap = try members.gap(in: line) {
      if members.has(.data) { throw MemberError(.wrong("beside 'data'"), at: ["gap"]) }
      content = .gap(gap)
    } else {
      content = .data(try members.data(in: line))
    }
  }
}

extension StreamLine.Direction {
  /// `stream 3, 10.0.0.2:51000 to 10.0.0.3:27421`.
  package var text: String {
    "stream \(stream), \(String(decoding: from, as: UTF8.self)) to \(String(decoding: to, as: UTF8.self))"
  }
}
