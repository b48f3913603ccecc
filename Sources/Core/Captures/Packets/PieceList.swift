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
  /// The approximate memory of a piece in addition to its own bytes, in bytes.
  static let overhead = 96
  private var all: [Piece] = []
  /// The index of the first piece; the pieces before it were taken.
  private var start = 0
  var pieces: ArraySlice<Piece> { all[start...] }
  /// The approximate memory use, in bytes.
  private(set) var size = 0

  var first: Piece? { isEmpty ? nil : all[start] }
  var isEmpty: Bool { start == all.count }

  /// Adds new bytes; returns how many bytes differ from earlier ones.
  mutating func insert(_ bytes: Span<UInt8>, at offset: Int, _ time: Instant) -> Int {
    var (conflicts, place, index) = (0, offset, firstIndex(after: offset))
    let end = offset + bytes.count
    while place < end {
      let next = index < all.count ? all[index] : nil
      if let next, next.offset <= place {
        conflicts += next.differences(from: bytes, at: offset)
        place = min(end, next.end)
        index += 1
      } else {
        let upper = min(end, next?.offset ?? end)
        var new: [UInt8] = []
        new.append(bytes.extracting(place - offset..<upper - offset))
        all.insert(Piece(offset: place, bytes: new, time: time), at: index)
        size += new.count + Self.overhead
        place = upper
        index += 1
      }
    }
    return conflicts
  }

  /// Removes and returns the consecutive pieces from `offset` on.
  mutating func takeRun(from offset: Int) -> [Piece] {
    var (run, next) = ([Piece](), offset)
    while let piece = first, piece.offset == next {
      next = piece.end
      size -= piece.bytes.count + Self.overhead
      run.append(piece)
      all[start].bytes = []
      start += 1
    }
    // Moving the remaining pieces at each call would take quadratic time.
    if start > all.count / 2 {
      all.removeFirst(start)
      start = 0
    }
    return run
  }

  /// The index of the first piece that ends after an offset.
  private func firstIndex(after offset: Int) -> Int {
    var range = start..<all.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = all[middle].end > offset ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
