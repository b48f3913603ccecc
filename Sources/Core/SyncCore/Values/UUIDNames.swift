/// UUIDs made of names (version 5, RFC 9562 §5.5), for names that begin alike.
package struct UUIDNames: Sendable {
  private let beginning: SHA1

  /// Names are `beginning` and what `id(of:)` is given.
  package init(in namespace: UUIDValue, beginning: [UInt8] = []) {
    var digest = SHA1()
    for word in [namespace.high, namespace.low] {
      let bytes = stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word &>> $0) }
      digest.update(bytes.span)
    }
    digest.update(beginning.span)
    self.beginning = digest
  }

  package func id(of rest: Span<UInt8>) -> UUIDValue {
    var digest = beginning
    digest.update(rest)
    return Self.id(digest)
  }

  /// The rest of the name is a date, such as `2026-11-20`.
  @inline(__always)
  package func id(ofDate day: Int) -> UUIDValue {
    var digest = beginning
    let date = CivilText.letters(ofDate: day)
    digest.append(date.month, count: 8)
    digest.append(date.day, count: 2)
    return Self.id(digest)
  }

  @inline(__always)
  private static func id(_ digest: consuming SHA1) -> UUIDValue {
    let words = digest.finish()
    let high = UInt64(words.0) &<< 32 | UInt64(words.1)
    let low = UInt64(words.2) &<< 32 | UInt64(words.3)
    return UUIDValue(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x5000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  package func id(of rest: String) -> UUIDValue { id(of: Array(rest.utf8).span) }

  /// The namespace of domain names (RFC 9562 §6.6).
  package static let dns = UUIDValue(high: 0x6BA7_B810_9DAD_11D1, low: 0x80B4_00C0_4FD4_30C8)
}
