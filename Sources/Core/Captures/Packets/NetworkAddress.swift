import JSONLines

/// An address of IPv4 or IPv6.
package struct NetworkAddress: Hashable, Sendable {
  /// The first eight bytes, the highest first; 0 for IPv4.
  package let high: UInt64
  /// The last eight bytes; for IPv4, all four bytes.
  package let low: UInt64
  package let isIPv6: Bool

  package init(ipv4 address: UInt32) { (high, low, isIPv6) = (0, UInt64(address), false) }

  package init(ipv6 high: UInt64, _ low: UInt64) { (self.high, self.low, isIPv6) = (high, low, true) }

  /// The group of 16 bits with this number, 0...7, of an IPv6 address.
  private func group(_ number: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: (number < 4 ? high : low) &>> UInt64(48 &- 16 &* (number & 3)))
  }

  /// Appends the text: dotted decimal, or the canonical form of IPv6 (RFC 5952 §4) without brackets.
  package func append(to text: inout [UInt8]) {
    guard isIPv6 else {
      for shift in [24, 16, 8, 0] as [UInt64] {
        text.append(decimal: UInt16(low &>> shift & 0xFF))
        if shift > 0 { text.append(UInt8(ascii: ".")) }
      }
      return
    }
    let zeros = longestZeros
    var number = 0
    while number < 8 {
      if number == zeros.lowerBound, !zeros.isEmpty {
        text.append(contentsOf: "::".utf8)
        number = zeros.upperBound
      } else {
        if number > 0, number != zeros.upperBound || zeros.isEmpty { text.append(UInt8(ascii: ":")) }
        text.append(contentsOf: String(group(number), radix: 16).utf8)
        number += 1
      }
    }
  }

  /// The longest run of at least two groups that are 0; the first one if several are equally long.
  private var longestZeros: Range<Int> {
    var longest = 0..<0
    var start = 0
    for number in 0...8 where number == 8 || group(number) != 0 {
      if number - start > max(1, longest.count) { longest = start..<number }
      start = number + 1
    }
    return longest
  }
}

/// One end of a stream: an address and a port.
package struct Endpoint: Hashable, Sendable {
  package let address: NetworkAddress
  package let port: UInt16

  package init(_ address: NetworkAddress, _ port: UInt16) { (self.address, self.port) = (address, port) }

  /// Appends `10.0.0.2:51000`, or `[2001:db8::1]:51000`.
  package func append(to text: inout [UInt8]) {
    if address.isIPv6 { text.append(UInt8(ascii: "[")) }
    address.append(to: &text)
    if address.isIPv6 { text.append(UInt8(ascii: "]")) }
    text.append(UInt8(ascii: ":"))
    text.append(decimal: port)
  }

  package var text: String {
    var text: [UInt8] = []
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends the digits of a number without allocating a string.
  fileprivate mutating func append(decimal number: UInt16) {
    var divisor: UInt16 = 10_000
    while divisor > 1, number < divisor { divisor /= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
