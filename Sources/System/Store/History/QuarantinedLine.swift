/// A change that could not be applied when it came.
package struct QuarantinedLine: Equatable, Sendable {
  package var number: Int64
  package var peer: String
  /// The code of what is wrong with it.
  package var reason: String
  /// When it came.
  package var since: String
  package var line: [UInt8]

  /// What is to be said of a line that does not match its checksum; nil of one that does.
  static func fault(_ number: Int64, _ line: Span<UInt8>, _ checksum: Int64) -> String? {
    checksum == Self.checksum(of: line) ? nil : "quarantined line \(number): the checksum does not match"
  }

  static func checksum(of line: Span<UInt8>) -> Int64 {
    var checksum = CRC32()
    checksum.add(line)
    return Int64(checksum.value)
  }
}

/// How much one peer may have in quarantine.
///
/// Each row is looked at again when it may be due, and listed to people: no peer may make either take long.
package enum QuarantineLimit {
  package static let rows = 10_000
  /// Of lines and their keys.
  package static let bytes = 16 << 20
}

/// What is left of a ``QuarantineLimit``, as long as one transaction adds rows.
struct QuarantineRoom {
  let peer: StorePeer
  /// The ``ChangeStore/rulesMark(_:)`` of the rules that the rows were read by.
  let rules: Int64
  private var rows: Int
  private var bytes: Int

  /// After so many rows of the peer with so many bytes.
  init(of peer: StorePeer, _ rules: Int64, rows: Int, bytes: Int) {
    (self.peer, self.rules) = (peer, rules)
    (self.rows, self.bytes) = (QuarantineLimit.rows - rows, QuarantineLimit.bytes - bytes)
  }

  /// False where one more row does not fit.
  mutating func take(bytes count: Int) -> Bool {
    guard rows > 0, bytes >= count else { return false }
    rows -= 1
    bytes -= count
    return true
  }
}
