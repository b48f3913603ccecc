import JSONLines
package import SyncCore

extension ChangeStore {
  /// Looks for damage, and reports each finding as a sentence.
  ///
  /// It checks the pages and indexes of the database, the checksum and the key of every row, sequences,
  /// marks, and counts, and the checksums of quarantine, held deletions and lost changes.
  package func verify(_ shape: RecordShape, _ report: (String) -> Void) throws {
    try read {
      try database.checkPages(report)
      var (reader, found) = (LineReader(shape), State(sequence: 0, compacted: state.compacted))
      try database.statement(
        "SELECT key, line, sequence, tombstone, checksum FROM changes ORDER BY key", isLong: true
      ).forEachRow { row in verify(row, &reader, &found, report) }
      try verifyQuarantine(report)
      try verifyConflicts(report)
      try verifyHeld(report)
      if found.live != state.live || found.tombstones != state.tombstones {
        report(
          "the store counts \(state.live) records and \(state.tombstones) tombstones, but has "
            + "\(found.live) and \(found.tombstones)")
      }
      let last = try database.integer("SELECT max(sequence) FROM commits") ?? 0
      if last != state.sequence {
        report("the last commit is \(last), but the last sequence is \(state.sequence)")
      }
    }
  }

  private func verify(
    _ row: Statement, _ reader: inout LineReader, _ found: inout State, _ report: (String) -> Void
  ) {
    let name = String(decoding: row.bytes(0), as: UTF8.self)
    let isTombstone = row.integer(3) != 0
    if isTombstone { found.tombstones += 1 } else { found.live += 1 }
    if row.integer(2) > state.sequence { report("\(name): the sequence is higher than the last sequence") }
    guard RowChecksum.of(row.span(0), row.span(1)) == row.integer(4) else {
      return report(RowChecksum.fault(of: row.span(0)))
    }
    var key: [UInt8] = []
    guard let change = try? reader.read(row.span(1), key: &key), key == row.bytes(0) else {
      return report("\(name): the line has another key")
    }
    if change.kind != .change { report("\(name): the line is not a change line") }
    if change.isTombstone != isTombstone {
      report("\(name): its tombstone mark contradicts its line")
    }
  }

  private func verifyQuarantine(_ report: (String) -> Void) throws {
    try database.statement("SELECT number, line, checksum FROM quarantine", isLong: true).forEachRow { row in
      if let fault = QuarantinedLine.fault(row.integer(0), row.span(1), row.integer(2)) { report(fault) }
    }
  }

  private func verifyConflicts(_ report: (String) -> Void) throws {
    // A store of an earlier version does not have this table.
    if isOlder { return }
    let rows = try database.statement("SELECT number, key, line, checksum FROM conflicts", isLong: true)
    try rows.forEachRow { row in
      if let fault = KeptConflict.fault(row.integer(0), row.span(1), row.span(2), row.integer(3)) {
        report(fault)
      }
    }
  }

  private func verifyHeld(_ report: (String) -> Void) throws {
    try database.statement("SELECT key, line, checksum FROM held", isLong: true).forEachRow { row in
      if RowChecksum.of(row.span(0), row.span(1)) != row.integer(2) {
        report("a held deletion: \(RowChecksum.fault(of: row.span(0)))")
      }
    }
  }
}

/// The checksum of a row, over its key and its line; a row that does not match it is not used.
enum RowChecksum {
  static func of(_ key: Span<UInt8>, _ line: Span<UInt8>) -> Int64 {
    var checksum = CRC32()
    checksum.add(key)
    checksum.add(line)
    return Int64(checksum.value)
  }

  /// Throws `corrupt` if a row does not match the checksum that was stored with it.
  static func require(_ checksum: Int64, _ key: Span<UInt8>, _ line: Span<UInt8>) throws(StoreError) {
    if of(key, line) != checksum { throw .corrupt(fault(of: key)) }
  }

  /// The description of a row that does not match.
  static func fault(of key: Span<UInt8>) -> String {
    var name: [UInt8] = []
    name.append(key)
    return "\(String(decoding: name, as: UTF8.self)): the checksum does not match"
  }
}

/// The checksum of zlib, PNG and Ethernet (ISO 3309), which other programs can compute too.
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

  /// Eight tables of 256 entries: table n contains the effect of a byte on the state n bytes later.
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
