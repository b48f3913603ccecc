import JSONLines
import SyncCore

/// The last written bytes of a direction, for comparison with repeated ones.
struct RecentBytes: Sendable {
  private var pieces: [Piece] = []
  private var first = 0
  /// The approximate memory use, in bytes.
  private(set) var size = 0

  /// Adds bytes that follow the last ones, then removes the oldest bytes until the rest takes at most
  /// `limit`.
  mutating func append(_ piece: Piece, limit: Int) {
    guard limit > 0 else { return }
    pieces.append(piece)
    size += piece.bytes.count + PieceList.overhead
    trim(to: limit)
  }

  mutating func trim(to limit: Int) {
    while size > limit, first < pieces.count {
      size -= pieces[first].bytes.count + PieceList.overhead
      pieces[first].bytes = []
      first += 1
    }
    if first == pieces.count {
      self = RecentBytes()
    } else if first > 64, first > pieces.count / 2 {
      pieces.removeFirst(first)
      first = 0
    }
  }

  /// How many of the bytes at `offset` differ from the bytes written there.
  func differences(from bytes: Span<UInt8>, at offset: Int) -> Int {
    var count = 0
    for piece in pieces[first...].reversed() {
      if piece.end <= offset { break }
      count += piece.differences(from: bytes, at: offset)
    }
    return count
  }
}
