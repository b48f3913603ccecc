/// An IPv4 or IPv6 address, without the interface of a link-local address.
package enum IPAddress: Hashable, Sendable {
  case v4(UInt32)
  case v6(UInt64, UInt64)

  /// Makes an address from 4 or 16 bytes in network order; nil for any other count.
  package init?(_ bytes: [UInt8]) {
    switch bytes.count {
    case 4: self = .v4(UInt32(truncatingIfNeeded: Self.number(bytes[...])))
    case 16: self = .v6(Self.number(bytes[..<8]), Self.number(bytes[8...]))
    default: return nil
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The 4 or 16 bytes in network order.
  package var bytes: [UInt8] {
    switch self {
    case .v4(let number): (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
    case .v6(let high, let low):
      [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
    }
  }

  package var family: Family {
    if case .v4 = self { .v4 } else { .v6 }
  }

  package enum Family: Hashable, Sendable, CaseIterable { case v4, v6 }

  /// Whether the address is in fe80::/10 or 169.254.0.0/16.
  package var isLinkLocal: Bool {
    switch self {
    case .v4(let number): number >> 16 == 0xA9FE
    case .v6(let high, _): high >> 54 == 0x3FA
    }
  }

  /// Whether both have the same first `length` bits.
  package func matches(_ other: IPAddress, prefix length: Int) -> Bool {
    switch (self, other) {
    case (.v4(let a), .v4(let b)): length <= 0 || (a ^ b) >> UInt32(32 - min(length, 32)) == 0
    case (.v6(let aHigh, let aLow), .v6(let bHigh, let bLow)):
      Self.agree(aHigh ^ bHigh, length) && Self.agree(aLow ^ bLow, length - 64)
    default: false
    }
  }

  private static func agree(_ difference: UInt64, _ length: Int) -> Bool {
    length <= 0 || difference >> UInt64(64 - min(length, 64)) == 0
  }
}

extension IPAddress: CustomStringConvertible {
  /// Dotted decimal, or the form of RFC 5952: lower case, the longest run of zero groups as `::`.
  package var description: String {
    guard case .v6 = self else { return bytes.map { String($0) }.joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
    let run = Self.longestZeros(groups)
    let text = { (part: ArraySlice<Int>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
    guard run.count > 1 else { return text(groups[...]) }
    return text(groups[..<run.lowerBound]) + "::" + text(groups[run.upperBound...])
  }

  private static func longestZeros(_ groups: [Int]) -> Range<Int> {
    var best = 0..<0
    var start = 0
    for (index, group) in groups.enumerated() {
      if group != 0 {
        start = index + 1
      } else if index + 1 - start > best.count {
        best = start..<index + 1
      }
    }
    return best
  }
}

extension IPAddress: Comparable {
  /// Orders IPv4 addresses before IPv6 addresses, and each family by number.
  package static func < (a: IPAddress, b: IPAddress) -> Bool {
    switch (a, b) {
    case (.v4(let a), .v4(let b)): a < b
    case (.v6(let aHigh, let aLow), .v6(let bHigh, let bLow)): (aHigh, aLow) < (bHigh, bLow)
    case (.v4, .v6): true
    case (.v6, .v4): false
    }
  }
}
