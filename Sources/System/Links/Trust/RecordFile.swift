import Crypto
import Pairing
import SyncCore
import SystemIO

/// A private file with a record a line, which is read and written as a whole.
struct RecordFile<Records: Sendable>: Sendable {
  let file: PrivateFile
  let parse: @Sendable ([UInt8]) throws(RecordDamage) -> Records
  let write: @Sendable (Records) -> [UInt8]

  /// The records of the file; those of no text where there is none.
  func load() throws(TrustError) -> Records {
    let text = try TrustError.wrapping { () throws(TransportError) in try file.read() ?? [] }
    do throws(RecordDamage) {
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
    patience: Duration = .seconds(10), _ body: () throws(TrustError) -> Value
  ) throws(TrustError) -> Value {
    let result = try TrustError.wrapping { () throws(TransportError) in
      try file.locked(patience: patience) { () throws(TransportError) in
        Result { () throws(TrustError) in try body() }
      }
    }
    return try result.get()
  }
}
