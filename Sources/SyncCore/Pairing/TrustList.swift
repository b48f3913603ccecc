import JSONLines

/// The peers that are trusted.
package struct TrustList: Equatable, Sendable {
  package private(set) var records: [TrustRecord] = []

  package init() {}

  /// A line that is no record, or one that contradicts an earlier one.
  package struct Damage: Error, Equatable, Sendable {
    /// 1-based.
    package var line: Int
    package var message: String
  }

  /// Reads a line a record.
  package init(parsing text: [UInt8]) throws(Damage) {
    for (index, line) in text.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      if line.isEmpty { continue }
      do throws(RecordError) {
        let bytes = Array(line)
        let record = try TrustRecord(parsing: bytes.span)
        if contains(record) { throw RecordError("the peer or its key stands in an earlier line") }
        records.append(record)
      } catch {
        throw Damage(line: index + 1, message: error.message)
      }
    }
  }

  /// A line a record, in order.
  package var text: [UInt8] { records.flatMap { Array($0.json.text.utf8) + [10] } }

  private func contains(_ record: TrustRecord) -> Bool {
    records.contains { $0.isAbout(record.peerId) || $0.publicKeyFingerprint == record.publicKeyFingerprint }
  }

  // MARK: Changes

  /// Adds the record in place of the one about the same peer, whose last sync it keeps.
  ///
  /// Whether the peer may be trusted is for ``conflict(with:over:own:)`` to say before.
  package mutating func store(_ record: TrustRecord) {
    guard let index = records.firstIndex(where: { $0.isAbout(record.peerId) }) else {
      return records.append(record)
    }
    var record = record
    record.lastSuccessfulSyncAt = record.lastSuccessfulSyncAt ?? records[index].lastSuccessfulSyncAt
    if record.others.isEmpty { record.others = records[index].others }
    records[index] = record
  }

  package mutating func forget(_ id: String) { records.removeAll { $0.isAbout(id) } }

  package func record(of id: String) -> TrustRecord? { records.first { $0.isAbout(id) } }
}
