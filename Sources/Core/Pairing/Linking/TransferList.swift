import JSONLines

/// What is remembered of the runs with each peer.
package struct TransferList: Equatable, Sendable {
  package private(set) var records: [TransferRecord] = []

  package init() {}

  /// Reads a line a record.
  package init(parsing text: [UInt8]) throws(RecordDamage) {
    try RecordLines.read(text) { line throws(RecordError) in store(try TransferRecord(parsing: line.span)) }
  }

  /// A line a record, in order.
  package var text: [UInt8] { records.flatMap { Array($0.json.text.utf8) + [10] } }

  /// The record of a peer, a new one where there is none.
  package func record(of id: String) -> TransferRecord {
    records.first { $0.isAbout(id) } ?? TransferRecord(peerId: id)
  }

  package mutating func store(_ record: TransferRecord) {
    guard let index = records.firstIndex(where: { $0.isAbout(record.peerId) }) else {
      return records.append(record)
    }
    records[index] = record
  }

  package mutating func forget(_ id: String) { records.removeAll { $0.isAbout(id) } }
}
