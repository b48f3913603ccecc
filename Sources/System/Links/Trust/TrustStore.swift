import Crypto
import JSONLines
package import Pairing
package import SyncCore
import SystemIO

/// The file of trusted peers: one JSON object a line, 0600 in a folder of 0700; looser is refused.
package struct TrustStore: Sendable {
  static let fileName = "trust.jsonl"

  private let file: RecordFile<TrustList>

  /// The file `trust.jsonl` in a folder, usually `Places.configuration()`.
  package init(in folder: String) {
    file = RecordFile(
      file: PrivateFile(Self.fileName, in: folder),
      parse: { text throws(DamagedLine) in try TrustList(parsing: text) }, write: { $0.text })
  }

  package var path: String { file.file.path }

  package func load() throws(TrustError) -> TrustList { try file.load() }

  /// Changes the list while no other process does; it is written only if it has become another one.
  ///
  /// `patience` is how long to wait for one that does.
  package func change<Value>(
    patience: Duration = FileLock.patience, _ body: (inout TrustList) throws(TrustError) -> Value
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

/// The file of what is remembered of the runs with each peer: one JSON object a line, 0600 in a folder of 0700.
package struct TransferFile: Sendable {
  private let file: RecordFile<TransferList>

  /// The file `transfers.jsonl` in a folder, usually `Places.state()`.
  package init(in folder: String) {
    file = RecordFile(
      file: PrivateFile("transfers.jsonl", in: folder),
      parse: { text throws(DamagedLine) in try TransferList(parsing: text) }, write: { $0.text })
  }

  package func load() throws(TrustError) -> TransferList { try file.load() }

  /// Changes the list while no other process does.
  ///
  /// `patience` is how long to wait for one that does.
  package func change(
    patience: Duration = FileLock.patience, _ body: (inout TransferList) -> Void
  ) throws(TrustError) {
    try file.locked(patience: patience) { () throws(TrustError) in
      let old = try file.load()
      var list = old
      body(&list)
      if list != old { try file.save(list) }
    }
  }
}

/// A private file with a record a line, which is read and written as a whole.
struct RecordFile<Records: Sendable>: Sendable {
  let file: PrivateFile
  let parse: @Sendable ([UInt8]) throws(DamagedLine) -> Records
  let write: @Sendable (Records) -> [UInt8]

  /// The records of the file; those of no text where there is none.
  func load() throws(TrustError) -> Records {
    let text = try TrustError.wrapping { () throws(TransportError) in try file.read() ?? [] }
    do throws(DamagedLine) {
      return try parse(text)
    } catch {
      throw .damaged(path: file.path, line: error.line, message: error.message)
    }
  }

  /// After a crash at any moment the old records or the new ones are there.
  func save(_ records: Records) throws(TrustError) {
    try TrustError.wrapping { () throws(TransportError) in try file.replace(with: write(records)) }
  }

  /// Runs `body` while no other process is in here for the same file.
  func locked<Value>(
    patience: Duration = FileLock.patience, _ body: () throws(TrustError) -> Value
  ) throws(TrustError) -> Value {
    let result = try TrustError.wrapping { () throws(TransportError) in
      try file.locked(patience: patience) { () throws(TransportError) in
        Result { () throws(TrustError) in try body() }
      }
    }
    return try result.get()
  }
}
