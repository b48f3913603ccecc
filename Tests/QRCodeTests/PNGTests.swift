@testable import QRCode
import Testing

@Suite struct PNGTests {
  private func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  /// Type and data of each chunk, where lengths and checksums are right.
  private func chunks(_ png: [UInt8]) throws -> [(type: String, data: [UInt8])] {
    try #require(png.prefix(8) == [137, 80, 78, 71, 13, 10, 26, 10])
    var chunks: [(String, [UInt8])] = []
    var rest = png[8...]
    while !rest.isEmpty {
      let length = number(rest.prefix(4))
      let checked = rest.dropFirst(4).prefix(4 + length)
      #expect(number(rest.dropFirst(8 + length).prefix(4)) == Int(Checksum.crc32(checked)))
      chunks.append((String(decoding: checked.prefix(4), as: UTF8.self), Array(checked.dropFirst(4))))
      rest = rest.dropFirst(12 + length)
    }
    return chunks
  }

  /// The bytes of a zlib stream of stored blocks.
  private func unpacked(_ stream: [UInt8]) throws -> [UInt8] {
    // The header says deflate, and is a multiple of 31 (RFC 1950 §2.2).
    #expect(stream[0] & 15 == 8 && number(stream[..<2]) % 31 == 0)
    var bytes: [UInt8] = []
    var position = 2
    var isLast = false
    while !isLast {
      isLast = stream[position] == 1
      let length = Int(stream[position + 1]) | Int(stream[position + 2]) << 8
      #expect(Int(stream[position + 3]) | Int(stream[position + 4]) << 8 == ~length & 0xFFFF)
      bytes += stream[position + 5..<position + 5 + length]
      position += 5 + length
    }
    #expect(number(stream[position...]) == Int(Checksum.adler32(bytes)))
    return bytes
  }

  @Test(arguments: [1, 3, 8])
  func pixelsAreTheModules(scale: Int) throws {
    let symbol = try QRSymbol(Array("a symbol".utf8))
    let chunks = try chunks(symbol.png(scale: scale))
    #expect(chunks.map(\.type) == ["IHDR", "IDAT", "IEND"])
    let side = symbol.outerSide * scale
    #expect(number(chunks[0].data.prefix(4)) == side && number(chunks[0].data.dropFirst(4).prefix(4)) == side)
    let rows = try unpacked(chunks[1].data)
    let width = 1 + (side + 7) / 8
    try #require(rows.count == side * width)
    for row in 0..<side {
      #expect(rows[row * width] == 0)
      for column in 0..<side {
        let isLight = rows[row * width + 1 + column / 8] & 0x80 >> UInt8(column % 8) != 0
        #expect(isLight != symbol.isDark(row: row / scale, column: column / scale))
      }
    }
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 200_000])
  func storedBlocksOfAnyLength(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    #expect(try unpacked(PNGFile.stored(bytes)) == bytes)
  }
}
