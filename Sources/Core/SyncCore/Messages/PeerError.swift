/// An error that travels to the other side.
package struct PeerError: Equatable, Sendable {
  /// A ``PeerErrorCode``, or a word that this version does not know.
  package var code: String
  package var message: String

  package init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  package init(_ code: PeerErrorCode, _ message: String) {
    self.init(code: code.rawValue, message: message)
  }

  package var known: PeerErrorCode? { PeerErrorCode(rawValue: code) }
}
