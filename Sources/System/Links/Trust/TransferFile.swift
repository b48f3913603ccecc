import Crypto
package import Pairing
import SyncCore

/// The file of what is remembered of the runs with each peer: one JSON object a line, 0600 in a folder of 0700.
package struct TransferFile: Sendable {
  private let file: RecordFile<TransferList>

  /// The file `transfers.jsonl` in a folder, usually `Places.state()`.
  package init(in folder: String) {
    file = RecordFile(
      file: PrivateFile("transfers.jsonl", in: folder),
      parse: { text throws(RecordDamage) in try TransferList(parsing: text) }, write: { $0.text })
  }

  package func load() throws(TrustError) -> TransferList { try file.load() }

  /// Changes the list while no other process does.
  ///
  /// `patience` is how long to wait for one that does.
  package func change(
    patience: Duration = .seconds(10), _ body: (inout TransferList) -> Void
  ) throws(TrustError) {
    try file.locked(patience: patience) { () throws(TrustError) in
      let old = try file.load()
      var list = old
      body(&list)
      if list != old { try file.save(list) }
    }
  }
}
