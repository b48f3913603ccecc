import JSONLines

/// Inflates one zlib stream (RFC 1950, RFC 1951) up to a limit of bytes.
///
/// This type is for programs that do not load a library, and for explaining why a library rejects a stream.
struct Inflater {
  enum Fault: Error {
    /// The stream is incomplete.
    case ended
    case damaged
    /// The stream has more bytes than the limit.
    case tooLong
  }

  private let limit: Int
  private(set) var output: [UInt8] = []
  /// The number of input bytes read.
  private(set) var position = 0
  /// Bits that were read but not used yet; the next bit is the lowest.
  private var bits: UInt64 = 0
  private var bitCount = 0

  init(limit: Int) { self.limit = limit }

  /// Whether a stream may begin with these two bytes.
  static func mayBegin(_ first: UInt8, _ second: UInt8) -> Bool {
    first & 0x0F == 8 && first >> 4 <= 7 && second & 0x20 == 0 && (Int(first) << 8 | Int(second)) % 31 == 0
  }

  /// Inflates the stream at the beginning of `input`; afterwards `position` is the end of the stream.
  mutating func inflate(_ input: Span<UInt8>) throws(Fault) {
    guard input.count >= 2 else { throw .ended }
    guard Self.mayBegin(input[0], input[1]) else { throw .damaged }
    position = 2
    var isLast = false
    while !isLast {
      isLast = try take(1, input) == 1
      switch try take(2, input) {
      case 0: try copyStored(input)
      case 1: try inflateBlock(input, Self.fixed.literals, Self.fixed.distances)
      case 2:
        let (literals, distances) = try readCodes(input)
        try inflateBlock(input, literals, distances)
      default: throw .damaged
      }
    }
    alignToByte()
    var sum: UInt32 = 0
    for _ in 0..<4 { sum = sum << 8 | UInt32(try take(8, input)) }
    alignToByte()
    guard sum == checksum else { throw .damaged }
  }

  // MARK: Bits

  private mutating func fill(_ input: Span<UInt8>) {
    while bitCount <= 56, position < input.count {
      bits |= UInt64(input[position]) << UInt64(bitCount)
      position += 1
      bitCount += 8
    }
  }

  private mutating func drop(_ count: Int) {
    bits >>= UInt64(count)
    bitCount -= count
  }

  private mutating func take(_ count: Int, _ input: Span<UInt8>) throws(Fault) -> Int {
    if bitCount < count { fill(input) }
    guard bitCount >= count else { throw .ended }
    defer { drop(count) }
    return Int(bits & (1 << UInt64(count) - 1))
  }

  /// Skips the rest of a byte, and returns whole bytes that were read ahead to the input.
  private mutating func alignToByte() {
    drop(bitCount % 8)
    position -= bitCount / 8
    (bits, bitCount) = (0, 0)
  }

  // MARK: Blocks

  private mutating func copyStored(_ input: Span<UInt8>) throws(Fault) {
    alignToByte()
    let (count, complement) = (try take(16, input), try take(16, input))
    guard count == ~complement & 0xFFFF else { throw .damaged }
    alignToByte()
    let end = min(position + count, input.count)
    guard output.count + end - position <= limit else { throw .tooLong }
    output.append(input.extracting(position..<end))
    let isWhole = end - position == count
    position = end
    guard isWhole else { throw .ended }
  }

  private mutating func inflateBlock(
    _ input: Span<UInt8>, _ literals: HuffmanCode, _ distances: HuffmanCode
  ) throws(Fault) {
    while true {
      let symbol = try decode(input, literals)
      if symbol == 256 { return }
      if symbol < 256 {
        guard output.count < limit else { throw .tooLong }
        output.append(UInt8(truncatingIfNeeded: symbol))
        continue
      }
      guard symbol <= 285 else { throw .damaged }
      let length = Self.lengths[symbol - 257]
      let count = length.base + (try take(length.extra, input))
      let place = try decode(input, distances)
      guard place < 30 else { throw .damaged }
      let extra = max(place / 2 - 1, 0)
      let base = place < 4 ? place + 1 : (2 + place % 2) << extra + 1
      let distance = base + (try take(extra, input))
      guard distance <= output.count else { throw .damaged }
      guard output.count + count <= limit else { throw .tooLong }
      for _ in 0..<count { output.append(output[output.count - distance]) }
    }
  }

  private mutating func decode(_ input: Span<UInt8>, _ code: HuffmanCode) throws(Fault) -> Int {
    if bitCount < HuffmanCode.longest { fill(input) }
    guard let (symbol, length) = code.symbol(bits) else {
      throw bitCount < HuffmanCode.longest ? .ended : .damaged
    }
    guard length <= bitCount else { throw .ended }
    drop(length)
    return symbol
  }

  /// Reads the two codes of a block with dynamic codes.
  private mutating func readCodes(
    _ input: Span<UInt8>
  ) throws(Fault) -> (literals: HuffmanCode, distances: HuffmanCode) {
    let (literals, distances) = (try take(5, input) + 257, try take(5, input) + 1)
    let count = try take(4, input) + 4
    guard literals <= 286, distances <= 30 else { throw .damaged }
    var own = [UInt8](repeating: 0, count: 19)
    for place in Self.order.prefix(count) { own[place] = UInt8(try take(3, input)) }
    guard let code = HuffmanCode(own[...]) else { throw .damaged }
    var lengths: [UInt8] = []
    while lengths.count < literals + distances {
      let symbol = try decode(input, code)
      guard symbol > 15 else {
        lengths.append(UInt8(symbol))
        continue
      }
      guard symbol > 16 || !lengths.isEmpty else { throw .damaged }
      let repeated = symbol == 16 ? lengths[lengths.count - 1] : 0
      let times = symbol == 18 ? try take(7, input) + 11 : try take(symbol == 17 ? 3 : 2, input) + 3
      lengths += repeatElement(repeated, count: times)
    }
    guard lengths.count == literals + distances, lengths[256] > 0,
      let first = HuffmanCode(lengths[..<literals], mayHaveOne: true),
      let second = HuffmanCode(lengths[literals...], mayHaveOne: true)
    else { throw .damaged }
    return (first, second)
  }

  /// The places of the lengths of the first code (RFC 1951 §3.2.7).
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// The lengths of copies, by symbol from 257 on, and the bits that are added to each (RFC 1951 §3.2.5).
  private static let lengths: [(base: Int, extra: Int)] = (0...28).map { place in
    if place < 8 { return (place + 3, 0) }
    if place == 28 { return (258, 0) }
    let extra = place / 4 - 1
    return ((4 + place % 4) << extra + 3, extra)
  }

  /// The codes of a block with fixed codes (RFC 1951 §3.2.6).
  private static let fixed: (literals: HuffmanCode, distances: HuffmanCode) = {
    let lengths = [(144, 8), (112, 9), (24, 7), (8, 8)].flatMap { count, length in
      [UInt8](repeating: UInt8(length), count: count)
    }
    let distances = [UInt8](repeating: 5, count: 32)
    guard let first = HuffmanCode(lengths[...]), let second = HuffmanCode(distances[...]) else {
      preconditionFailure("the codes of the standard are complete")
    }
    return (first, second)
  }()

  /// Adler-32 of the output (RFC 1950 §8.2).
  private var checksum: UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for start in stride(from: 0, to: output.count, by: 5_552) {
      // The sum of this many bytes fits into 32 bits.
      for byte in output[start..<min(start + 5_552, output.count)] {
        a &+= UInt32(byte)
        b &+= a
      }
      (a, b) = (a % 65_521, b % 65_521)
    }
    return b << 16 | a
  }
}

/// A canonical prefix code (RFC 1951 §3.2.2).
struct HuffmanCode: Sendable {
  /// The largest number of bits of a code.
  static let longest = 15
  private static let shortest = 9

  /// The number of codes of each length.
  private var counts = [Int](repeating: 0, count: longest + 1)
  /// The symbols in the order of their codes.
  private var symbols: [UInt16] = []
  /// The entry for the next nine bits: 16 times the symbol, plus the length of its code; 0 for a longer code.
  private var table = [UInt16](repeating: 0, count: 1 << shortest)

  /// Makes the code with these lengths of symbols; nil if they do not form a code.
  ///
  /// `mayHaveOne` also accepts an empty code, or a code of a single bit.
  init?(_ lengths: ArraySlice<UInt8>, mayHaveOne: Bool = false) {
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    var left = 1
    for length in 1...Self.longest {
      left = left * 2 - counts[length]
      if left < 0 { return nil }
    }
    if left > 0, !mayHaveOne || counts[2...].contains(where: { $0 > 0 }) { return nil }
    for length in 1...Self.longest where counts[length] > 0 {
      for (symbol, own) in lengths.enumerated() where own == length { symbols.append(UInt16(symbol)) }
    }
    fillTable()
  }

  private mutating func fillTable() {
    var (code, place) = (0, 0)
    for length in 1...Self.shortest {
      for _ in 0..<counts[length] {
        let entry = symbols[place] << 4 | UInt16(length)
        for index in stride(from: Self.reversed(code, length), to: table.count, by: 1 << length) {
          table[index] = entry
        }
        (code, place) = (code + 1, place + 1)
      }
      code <<= 1
    }
  }

  private static func reversed(_ code: Int, _ length: Int) -> Int {
    (0..<length).reduce(0) { $0 << 1 | code >> $1 & 1 }
  }

  /// The symbol of the code at the lowest bits, and the length of that code; nil for an unknown code.
  func symbol(_ bits: UInt64) -> (symbol: Int, length: Int)? {
    let entry = table[Int(bits & (1 << UInt64(Self.shortest) - 1))]
    if entry > 0 { return (Int(entry >> 4), Int(entry & 15)) }
    var (code, first, place) = (0, 0, 0)
    for length in 1...Self.longest {
      code |= Int(bits >> UInt64(length - 1) & 1)
      let count = counts[length]
      if code - first < count { return (Int(symbols[place + code - first]), length) }
      place += count
      first = (first + count) << 1
      code <<= 1
    }
    return nil
  }
}
