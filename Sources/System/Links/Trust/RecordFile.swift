import Crypto
import JSONLines
package import Pairing

/// A private file with one record a line, which is read and written as a whole.
///
/// Its mode is 0600, and others cannot write to its folder; looser permissions are refused.
package struct RecordFile<Records: RecordList>: Sendable {
  private let file: PrivateFile

  package init(_ name: String, in folder: String) { file = PrivateFile(name, in: folder) }

  package var path: String { file.path }

  /// The records of the file, or of an empty text if the file does not exist.
  package func load() throws(TrustError) -> Records {
    let text = try TrustError.wrapping { () throws(TransportError) in try file.read() ?? [] }
    do throws(DamagedLine) {
      return try Records(parsing: text)
    } catch {
      throw .damaged(path: path, line: error.line, message: error.message)
    }
  }

  /// Changes the records under a lock; they are written only if they have changed.
  ///
  /// `patience` is the longest wait for another process with the lock.
  package func change<Value>(
    patience: Duration = .seconds(10), _ body: (inout Records) throws(TrustError) -> Value
  ) throws(TrustError) -> Value {
    try locked(patience: patience) { () throws(TrustError) in
      let old = try load()
      var records = old
      let value = try body(&records)
      if records != old { try save(records) }
      return value
    }
  }

  /// Replaces the records of the file; after a crash at any time, it contains either the old or the new
  /// records.
  func save(_ records: Records) throws(TrustError) {
    try TrustError.wrapping { () throws(TransportError) in try file.replace(with: records.text) }
  }

  /// Runs `body` under the lock of the file, which excludes other processes.
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
