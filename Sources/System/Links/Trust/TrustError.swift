package import Crypto
package import Pairing
import SyncCore

/// What goes wrong with trust and pairing sessions on disk.
package enum TrustError: Error, Equatable, Sendable {
  case transport(TransportError)
  /// A line of the file is no record; nobody is trusted by a file that cannot be read as a whole.
  case damaged(path: String, line: Int, message: String)
  /// Somebody else has been stored in the meantime, whom the record contradicts.
  case conflict(TrustConflict)
}

extension TrustError {
  /// What `body` throws, as an error of this module.
  static func wrapping<Value>(_ body: () throws(TransportError) -> Value) throws(TrustError) -> Value {
    do throws(TransportError) { return try body() } catch { throw .transport(error) }
  }
}
