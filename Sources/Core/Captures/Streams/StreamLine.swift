package import JSONLines
import SyncCore

/// A line of `pcapstream`: a piece of a direction of a stream, or a gap in it.
package struct StreamLine: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case data([UInt8])
    /// So many bytes are missing.
    case gap(Int)
  }

  /// One direction of a stream.
  ///
  /// Both ends are text as it is written, since they only have to be the same each time.
  package struct Direction: Hashable, Sendable {
    package var stream: Int
    package var from: [UInt8]
    package var to: [UInt8]

    package init(stream: Int, from: [UInt8], to: [UInt8]) {
      (self.stream, self.from, self.to) = (stream, from, to)
    }
  }

  package var direction: Direction
  /// The time as it is written.
  package var time: [UInt8]
  /// The offset of the first byte in its direction.
  package var offset: Int
  package var content: Content

  package init(direction: Direction, time: [UInt8], offset: Int, content: Content) {
    (self.direction, self.time, self.offset, self.content) = (direction, time, offset, content)
  }

  /// Reads a line.
  package init(_ line: Span<UInt8>) throws(MemberError) {
    do throws(JSONError) {
      try JSONScanner.validate(line)
    } catch {
      throw .json(error)
    }
    let members = try PlacedMembers<Name, MemberError>(line, line.onlyValue)
    if members.has(.datagram) {
      throw MemberError(.other("a datagram, not a piece of a stream", .wrongType))
    }
    direction = Direction(
      stream: try Self.number(.stream, members, line),
      from: Self.text(line, try members.content(.from, in: line)),
      to: Self.text(line, try members.content(.to, in: line)))
    time = Self.text(line, try members.content(.at, in: line))
    offset = try Self.number(.offset, members, line)
    if try members.find(.gap, in: line) != nil {
      content = .gap(try Self.number(.gap, members, line))
    } else {
      content = .data(try Self.data(members, line))
    }
  }

  private static func text(_ line: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    text.append(line.extracting(range))
    return text
  }

  /// A whole number that is not negative, and small enough to be added to another.
  private static func number(
    _ name: Name, _ members: PlacedMembers<Name, MemberError>, _ line: Span<UInt8>
  ) throws(MemberError) -> Int {
    let raw = try members.require(name, in: line)
    guard let digits = Int(String(decoding: text(line, raw), as: UTF8.self)), (0...1 << 60).contains(digits)
    else {
      throw .wrongType(name.name, expected: "a whole number")
    }
    return digits
  }

  private static func data(
    _ members: PlacedMembers<Name, MemberError>, _ line: Span<UInt8>
  ) throws(MemberError) -> [UInt8] {
    let text = line.extracting(try members.content(.data, in: line))
    var bytes: [UInt8] = []
    do throws(Base64.Failure) {
      try Base64.decode(text, into: &bytes)
    } catch {
      throw MemberError(.wrong("not Base64: \(error.message)", .invalidBase64), at: [Name.data.name])
    }
    return bytes
  }

  private enum Name: Int, PlacedName {
    case stream, datagram, from, to, at, offset, data, gap

    static let spellings = PlacedSpellings([
      "stream", "datagram", "from", "to", "at", "offset", "data", "gap",
    ])
  }
}

extension StreamLine.Direction {
  /// `stream 3, 10.0.0.2:51000 to 10.0.0.3:27421`.
  package var text: String {
    "stream \(stream), \(String(decoding: from, as: UTF8.self)) to \(String(decoding: to, as: UTF8.self))"
  }
}
