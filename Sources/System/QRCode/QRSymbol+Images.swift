extension QRSymbol {
  /// The symbol with its quiet zone as an SVG document, `scale` units per module.
  package func svg(scale: Int) -> String {
    let size = outerSide * scale
    let runs = (0..<outerSide).flatMap { row in
      darkRuns(inRow: row).map { "M\($0.lowerBound) \(row)h\($0.count)v1h-\($0.count)z" }
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(size)" height="\(size)" \
      viewBox="0 0 \(outerSide) \(outerSide)" shape-rendering="crispEdges">
      <path fill="#fff" d="M0 0h\(outerSide)v\(outerSide)H0z"/>
      <path fill="#000" d="\(runs.joined())"/>
      </svg>

      """
  }

  /// The symbol with its quiet zone as a PNG file: one bit per pixel, `scale` pixels per module.
  package func png(scale: Int) -> [UInt8] {
    let side = outerSide * scale
    var rows: [UInt8] = []
    for row in 0..<outerSide {
      let line = pixelRow(row, scale)
      for _ in 0..<scale { rows += line }
    }
    // One bit of grey, standard compression and filters, not interlaced.
    let header = PNGFile.bigEndian(side) + PNGFile.bigEndian(side) + [1, 0, 0, 0, 0]
    return PNGFile.signature + PNGFile.chunk("IHDR", header) + PNGFile.chunk("IDAT", PNGFile.stored(rows))
      + PNGFile.chunk("IEND", [])
  }

  /// The bytes of a row: a filter byte, then eight pixels per byte, the leftmost in the highest bit; light is
  /// 1.
  private func pixelRow(_ row: Int, _ scale: Int) -> [UInt8] {
    let width = outerSide * scale
    var line = [UInt8](repeating: 0, count: 1 + (width + 7) / 8)
    for column in 0..<width where !isDark(row: row, column: column / scale) {
      line[1 + column / 8] |= 0x80 >> UInt8(column % 8)
    }
    return line
  }
}

/// The parts of a PNG file.
enum PNGFile {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The bytes of a chunk: length, type, data, and the CRC of type and data.
  static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + data
    return bigEndian(data.count) + checked + bigEndian(Int(Checksum.crc32(checked)))
  }

  /// A zlib stream (RFC 1950) of stored blocks (RFC 1951 §3.2.4); a symbol is small and does not need
  /// compression.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      let length = UInt16(end - start)
      stream.append(end == bytes.count ? 1 : 0)
      for number in [length, ~length] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    return stream + bigEndian(Int(Checksum.adler32(bytes)))
  }

  /// The low 32 bits of a number, the most significant byte first.
  static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

/// The two checksums of a PNG file.
enum Checksum {
  /// CRC-32 as in PNG (W3C PNG, annex D): reflected, polynomial 0xEDB88320, with all bits inverted at the
  /// beginning and the end.
  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { crc, byte in crcTable[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8 }
  }

  /// Adler-32 (RFC 1950 §8.2).
  static func adler32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }

  private static let crcTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }
}
