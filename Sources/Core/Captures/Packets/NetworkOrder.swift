/// Numbers in network byte order, the highest byte first; nil if the bytes end too early.
extension Span<UInt8> {
  func byte(at place: Int) -> UInt8? {
    place >= 0 && place < count ? self[place] : nil
  }

  func number16(at place: Int) -> UInt16? {
    guard place >= 0, place <= count - 2 else { return nil }
    return UInt16(self[place]) &<< 8 | UInt16(self[place + 1])
  }

  func number32(at place: Int) -> UInt32? {
    guard place >= 0, place <= count - 4 else { return nil }
    let high = UInt32(self[place]) &<< 24 | UInt32(self[place + 1]) &<< 16
    return high | UInt32(self[place + 2]) &<< 8 | UInt32(self[place + 3])
  }

  func number64(at place: Int) -> UInt64? {
    guard let high = number32(at: place), let low = number32(at: place + 4) else { return nil }
    return UInt64(high) &<< 32 | UInt64(low)
  }

  /// The bytes from `start` on, at most `count` of them.
  @_lifetime(copy self)
  func bytes(from start: Int, atMost count: Int = .max) -> Span<UInt8> {
    let start = Swift.min(Swift.max(0, start), self.count)
    return extracting(start..<start + Swift.min(Swift.max(0, count), self.count - start))
  }
}
