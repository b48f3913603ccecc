import Crypto
package import Pairing
package import SyncCore

/// The file of trusted peers: one JSON object a line, 0600 in a folder of 0700; looser is refused.
package struct TrustStore: Sendable {
  static let fileName = "trust.jsonl"

  private let file: RecordFile<TrustList>

  /// The file `trust.jsonl` in a folder, usually `Places.configuration()`.
  package init(in folder: String) {
    file = RecordFile(
      file: PrivateFile(Self.fileName, in: folder),
      parse: { text throws(RecordDamage) in try TrustList(parsing: text) }, write: { $0.text })
  }

  package var path: String { file.file.path }

  package func load() throws(TrustError) -> TrustList { try file.load() }

  /// Changes the list while no other process does; it is written only if it has become another one.
  ///
  /// `patience` is how long to wait for one that does.
  package func change<Value>(
    patience: Duration = .seconds(10), _ body: (inout TrustList) throws(TrustError) -> Value
  ) throws(TrustError) -> Value {
    try file.locked(patience: patience) { () throws(TrustError) in
      let old = try file.load()
      var list = old
      let value = try body(&list)
      if list != old { try file.save(list) }
      return value
    }
  }

  /// Stores a peer unless it contradicts one that is there.
  package func add(_ record: TrustRecord, own: PeerIntroduction) throws(TrustError) {
    try change { list throws(TrustError) in
      let peer = record.introduction
      if let conflict = list.conflict(with: peer, over: record.version, own: own) {
        throw .conflict(conflict)
      }
      list.store(record)
    }
  }
}
