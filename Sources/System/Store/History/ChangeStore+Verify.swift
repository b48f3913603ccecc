import JSONLines
package import SyncCore

extension ChangeStore {
  /// Looks for damage, and hands over what is wrong, a sentence each.
  ///
  /// It checks the pages and indexes of the database, the checksum and the key of every row, sequences, marks, counts.
  package func verify(_ shape: RecordShape, _ report: (String) -> Void) throws {
    try read {
      try database.statement("PRAGMA integrity_check").forEachRow { row in
        if row.text(0) != "ok" { report(row.text(0)) }
      }
      var (reader, found) = (LineReader(shape), State(sequence: 0, compacted: state.compacted))
      try database.statement("SELECT key, line, sequence, tombstone, checksum FROM changes ORDER BY key")
        .forEachRow { row in verify(row, &reader, &found, report) }
      try verifyQuarantine(report)
      try verifyHeld(report)
      if found.live != state.live || found.tombstones != state.tombstones {
        report(
          "the store counts \(state.live) records and \(state.tombstones) tombstones, but has "
            + "\(found.live) and \(found.tombstones)")
      }
      let last = try database.integer("SELECT max(sequence) FROM commits") ?? 0
      if last != state.sequence {
        report("the last commit is \(last), but the last sequence \(state.sequence)")
      }
    }
  }

  private func verify(
    _ row: Statement, _ reader: inout LineReader, _ found: inout State, _ report: (String) -> Void
  ) {
    let name = String(decoding: row.bytes(0), as: UTF8.self)
    let isTombstone = row.integer(3) != 0
    if isTombstone { found.tombstones += 1 } else { found.live += 1 }
    if row.integer(2) > state.sequence { report("\(name): the sequence is beyond the last one") }
    guard RowChecksum.of(row.span(0), row.span(1)) == row.integer(4) else {
      return report(RowChecksum.fault(of: row.span(0)))
    }
    var key: [UInt8] = []
    guard let change = try? reader.read(row.span(1), key: &key), key == row.bytes(0) else {
      return report("\(name): the line has another key")
    }
    if change.kind != .change { report("\(name): the line is not a change line") }
    if change.isTombstone != isTombstone {
      report("\(name): marked as a tombstone, or not, against its line")
    }
  }

  private func verifyQuarantine(_ report: (String) -> Void) throws {
    try database.statement("SELECT number, line, checksum FROM quarantine").forEachRow { row in
      if let fault = QuarantinedLine.fault(row.integer(0), row.span(1), row.integer(2)) { report(fault) }
    }
  }

  private func verifyHeld(_ report: (String) -> Void) throws {
    try database.statement("SELECT key, line, checksum FROM held").forEachRow { row in
      if RowChecksum.of(row.span(0), row.span(1)) != row.integer(2) {
        report("a deletion that is held: \(RowChecksum.fault(of: row.span(0)))")
      }
    }
  }
}
