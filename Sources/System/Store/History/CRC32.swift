/// The checksum of zlib, PNG and Ethernet (ISO 3309), so that other programs can check a store too.
struct CRC32: Sendable {
  private var state: UInt32 = .max

  mutating func add(_ bytes: Span<UInt8>) {
    let tables = Self.tables
    var (state, index) = (state, 0)
    while index + 8 <= bytes.count {
      let low = state ^ Self.word(bytes, index)
      let high = Self.word(bytes, index + 4)
      state =
        tables[Int(1792 + (low & 0xFF))] ^ tables[Int(1536 + (low >> 8 & 0xFF))]
        ^ tables[Int(1280 + (low >> 16 & 0xFF))] ^ tables[Int(1024 + (low >> 24))]
        ^ tables[Int(768 + (high & 0xFF))] ^ tables[Int(512 + (high >> 8 & 0xFF))]
        ^ tables[Int(256 + (high >> 16 & 0xFF))] ^ tables[Int(high >> 24)]
      index += 8
    }
    while index < bytes.count {
      state = tables[Int((state ^ UInt32(bytes[index])) & 0xFF)] ^ state >> 8
      index += 1
    }
    self.state = state
  }

  var value: UInt32 { ~state }

  private static func word(_ bytes: Span<UInt8>, _ index: Int) -> UInt32 {
    UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
      | UInt32(bytes[index + 3]) << 24
  }

  /// Eight tables of 256: what a byte does to the state that many bytes later.
  private static let tables: [UInt32] = {
    var tables = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    for index in 256..<2048 {
      let before = tables[index - 256]
      tables.append(tables[Int(before & 0xFF)] ^ before >> 8)
    }
    return tables
  }()
}
