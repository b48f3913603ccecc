import JSONLines
package import SyncCore

/// Bytes with their place in a stream or in a packet.
package struct Piece: Equatable, Sendable {
  /// The offset of the first byte.
  package var offset: Int
  package var bytes: [UInt8]
  /// When the bytes were captured.
  package var time: Instant
  package var end: Int { offset &+ bytes.count }

  /// How many of the bytes at `place` differ from the bytes of the piece in the common range.
  func differences(from other: Span<UInt8>, at place: Int) -> Int {
    let common = max(offset, place)..<max(offset, place, min(end, place + other.count))
    let own = bytes.span
    var count = 0
    for index in common where own[index - offset] != other[index - place] { count += 1 }
    return count
  }
}

/// Pieces that arrived out of order, sorted and without overlaps; the first of duplicate bytes are kept.
struct PieceList: Sendable {
  /// The size of a piece besides its bytes, in bytes.
  static let overhead = 96
  private(set) var pieces: [Piece] = []
  /// The approximate memory use, in bytes.
  private(set) var size = 0

  var first: Piece? { pieces.first }
  var isEmpty: Bool { pieces.isEmpty }

  /// Adds new bytes; returns how many bytes differ from earlier ones.
  mutating func insert(_ bytes: Span<UInt8>, at offset: Int, _ time: Instant) -> Int {
    var (conflicts, start, index) = (0, offset, firstIndex(after: offset))
    let end = offset + bytes.count
    while start < end {
      let next = index < pieces.count ? pieces[index] : nil
      if let next, next.offset <= start {
        conflicts += next.differences(from: bytes, at: offset)
        start = min(end, next.end)
        index += 1
      } else {
        let upper = min(end, next?.offset ?? end)
        var new: [UInt8] = []
        new.append(bytes.extracting(start - offset..<upper - offset))
        pieces.insert(Piece(offset: start, bytes: new, time: time), at: index)
        size += new.count + Self.overhead
        start = upper
        index += 1
      }
    }
    return conflicts
  }

  /// Removes and returns the consecutive pieces from `offset` on.
  mutating func takeRun(from offset: Int) -> ArraySlice<Piece> {
    var (count, next) = (0, offset)
    while count < pieces.count, pieces[count].offset == next {
      next = pieces[count].end
      count += 1
    }
    let run = pieces[..<count]
    pieces.removeFirst(count)
    size -= run.reduce(0) { $0 + $1.bytes.count + Self.overhead }
    return run
  }

  /// Whether all bytes of a range are present.
  func covers(_ range: Range<Int>) -> Bool {
    var next = range.lowerBound
    for piece in pieces where piece.offset <= next { next = max(next, piece.end) }
    return next >= range.upperBound
  }

  /// The index of the first piece that ends after an offset.
  private func firstIndex(after offset: Int) -> Int {
    var range = 0..<pieces.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = pieces[middle].end > offset ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
