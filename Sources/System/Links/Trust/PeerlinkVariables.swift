import Crypto
import Pairing
package import SyncCore
import SystemIO

/// What a pairing has to know about its connection, as `peerlink` tells its command by the environment.
package struct PeerlinkVariables: Equatable, Sendable {
  package var version: ProtocolVersion
  package var selfId: String
  /// The other side's SPKI digest as seen in TLS, 64 lower-case hex digits; always there in version 2.
  package var fingerprint: String?
  /// 32 bytes; always there in version 2.
  package var exporter: [UInt8]?

  /// A variable that is missing or wrong.
  package struct Missing: Error, Equatable, Sendable {
    package var name: String
    package var expected: String
  }

  /// The same of a link of this process.
  package init(_ facts: LinkFacts) {
    (version, selfId, exporter) = (facts.version, facts.selfId, facts.exporter)
    fingerprint = facts.fingerprint?.text
  }

  package init() throws(Missing) {
    func value<Value>(
      _ variable: LinkVariable, _ expected: String, _ read: (String) -> Value?
    ) throws(Missing) -> Value {
      guard let value = Environment.value(variable.rawValue).flatMap(read) else {
        throw Missing(name: variable.rawValue, expected: expected)
      }
      return value
    }
    version = try value(.version, "1 or 2") { Int($0).flatMap(ProtocolVersion.init) }
    selfId = try value(.selfId, "this device's id") { $0 }
    guard version == .two else { return }
    fingerprint = try value(.fingerprint, "64 lower-case hex digits") { HexDigits.isDigest($0) ? $0 : nil }
    exporter = try value(.exporter, "64 lower-case hex digits") {
      HexDigits.isDigest($0) ? HexDigits.bytes($0) : nil
    }
  }
}
