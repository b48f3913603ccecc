import JSONLines

/// The checksum of a row, over its key and its line: nothing is read from a row that does not match it.
enum RowChecksum {
  static func of(_ key: Span<UInt8>, _ line: Span<UInt8>) -> Int64 {
    var checksum = CRC32()
    checksum.add(key)
    checksum.add(line)
    return Int64(checksum.value)
  }

  /// Throws `corrupt` where a row does not have the checksum that it was stored with.
  static func require(_ checksum: Int64, _ key: Span<UInt8>, _ line: Span<UInt8>) throws(StoreError) {
    if of(key, line) != checksum { throw .corrupt(fault(of: key)) }
  }

  /// What is to be said of a row that does not match.
  static func fault(of key: Span<UInt8>) -> String {
    var name: [UInt8] = []
    name.append(key)
    return "\(String(decoding: name, as: UTF8.self)): the checksum does not match"
  }
}
