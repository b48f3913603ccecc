import JSONLines

/// The peers that are trusted.
package struct TrustList: Equatable, Sendable {
  package private(set) var records: [TrustRecord] = []

  package init() {}

  /// Reads a line a record.
  package init(parsing text: [UInt8]) throws(RecordDamage) {
    try RecordLines.read(text) { line throws(RecordError) in
      let record = try TrustRecord(parsing: line.span)
      if contains(record) { throw RecordError("the peer or its key stands in an earlier line") }
      records.append(record)
    }
  }

  /// A line a record, in order.
  package var text: [UInt8] { records.flatMap { Array($0.json.text.utf8) + [10] } }

  private func contains(_ record: TrustRecord) -> Bool {
    records.contains {
      $0.isAbout(record.peerId) || $0.hasKey(record.publicKeyFingerprint, over: record.version)
    }
  }

  // MARK: Changes

  /// Adds the record in place of the one about the same peer, whose last sync it keeps.
  ///
  /// Nothing is kept of one that was believed over another version: it may have been about another device. Whether the peer may be trusted is for ``conflict(with:over:own:)`` to say before.
  package mutating func store(_ record: TrustRecord) {
    guard let index = records.firstIndex(where: { $0.isAbout(record.peerId) }) else {
      return records.append(record)
    }
    guard records[index].version == record.version else {
      records[index] = record
      return
    }
    var record = record
    record.lastSuccessfulSyncAt = record.lastSuccessfulSyncAt ?? records[index].lastSuccessfulSyncAt
    if record.others.isEmpty { record.others = records[index].others }
    records[index] = record
  }

  package mutating func forget(_ id: String) { records.removeAll { $0.isAbout(id) } }

  package func record(of id: String) -> TrustRecord? { records.first { $0.isAbout(id) } }
}
