import JSONLines

/// Numbers for handles, which may be any bytes: a hash table that is looked into without making a key.
struct MeshHandles {
  /// All handles, one behind the other, and where each ends.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// Numbers of handles plus one, 0 where a place is free; at least half of them are.
  private var places = [Int](repeating: 0, count: 64)
  private var last = 0

  var count: Int { ends.count }

  /// The handle of that number.
  func handle(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  func bytes(of index: Int) -> [UInt8] { Array(bytes[handle(index)]) }

  /// The number of a handle, if it has one.
  mutating func find(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
    if last < count, isEqual(last, text, range) { return last }
    var place = Self.hash(text, range) & (places.count - 1)
    while places[place] != 0 {
      if isEqual(places[place] - 1, text, range) {
        last = places[place] - 1
        return last
      }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  /// Gives a handle that has none the next number.
  mutating func add(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
    bytes.append(text.extracting(range))
    ends.append(bytes.count)
    if ends.count * 2 > places.count { grow() } else { enter(ends.count - 1) }
    return ends.count - 1
  }

  private mutating func grow() {
    places = [Int](repeating: 0, count: places.count * 2)
    for index in ends.indices { enter(index) }
  }

  private mutating func enter(_ index: Int) {
    let own = bytes
    var place = Self.hash(own.span, handle(index)) & (places.count - 1)
    while places[place] != 0 { place = (place + 1) & (places.count - 1) }
    places[place] = index + 1
  }

  private func isEqual(_ index: Int, _ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let own = bytes
    return ByteSearch.isEqual(own.span, handle(index), text, range)
  }

  private static func hash(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for offset in range { hash = (hash ^ UInt64(text[offset])) &* 0x0100_0000_01B3 }
    return Int(truncatingIfNeeded: hash &>> 1)
  }
}
