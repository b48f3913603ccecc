import SyncCore

/// A domain name: labels of 1 to 63 bytes, at most 255 bytes on the wire.
///
/// Names are compared without regard to the case of ASCII letters (RFC 6762 §16); the case is kept.
package struct DomainName: Hashable, Sendable {
  /// Each label, preceded by its length; the empty label at the end is left out.
  package let wire: [UInt8]
  /// `wire` in lower case.
  ///
  /// A length is at most 63 and not a letter, so lower-casing leaves it unchanged.
  package let key: [UInt8]

  init(wire: [UInt8]) {
    self.wire = wire
    key = wire.contains { $0 &- 65 < 26 } ? wire.map { $0 &- 65 < 26 ? $0 | 32 : $0 } : wire
  }

  /// Makes a name from its labels; nil if a label or the complete name is empty or too long.
  package init?(labels: [[UInt8]]) {
    let isValid = labels.allSatisfy { (1...63).contains($0.count) }
    guard isValid, labels.reduce(1, { $0 + $1.count + 1 }) <= 255 else { return nil }
    self.init(wire: labels.flatMap { [UInt8($0.count)] + $0 })
  }

  package init?(labels: [String]) { self.init(labels: labels.map { Array($0.utf8) }) }

  /// Reads the written form, with or without the last period; `\.`, `\\` and `\032` each mean one byte.
  package init?(_ text: String) {
    var labels: [[UInt8]] = [[]]
    var rest = Array(text.utf8)[...]
    if rest.last == UInt8(ascii: "."), rest.count > 1 { rest = rest.dropLast() }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "."): labels.append([])
      case UInt8(ascii: "\\"):
        guard let escaped = Self.escape(&rest) else { return nil }
        labels[labels.count - 1].append(escaped)
      default: labels[labels.count - 1].append(byte)
      }
    }
    self.init(labels: labels)
  }

  private static func escape(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
    let digits = rest.prefix(3)
    if digits.count == 3, digits.allSatisfy({ $0 &- 48 < 10 }) {
      rest = rest.dropFirst(3)
      return UInt8(exactly: digits.reduce(0) { $0 * 10 + Int($1 - 48) })
    }
    return rest.popFirst()
  }

  package static func == (a: DomainName, b: DomainName) -> Bool { a.key == b.key }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  package var labels: [[UInt8]] {
    var labels: [[UInt8]] = []
    var position = 0
    while position < wire.count {
      let end = position + 1 + Int(wire[position])
      labels.append(Array(wire[position + 1..<end]))
      position = end
    }
    return labels
  }

  /// The first label as text; empty for the root.
  package var firstLabel: String {
    wire.isEmpty ? "" : String(decoding: wire[1...Int(wire[0])], as: UTF8.self)
  }

  /// The name without its first label.
  package var parent: DomainName {
    wire.isEmpty ? self : DomainName(wire: Array(wire[(1 + Int(wire[0]))...]))
  }

  /// `label` in front of this name; nil if that is too long.
  package func prefixed(by label: String) -> DomainName? {
    let bytes = Array(label.utf8)
    guard (1...63).contains(bytes.count), wire.count + bytes.count + 2 <= 255 else { return nil }
    return DomainName(wire: [UInt8(bytes.count)] + bytes + wire)
  }
}

extension DomainName: CustomStringConvertible {
  /// Labels with periods between them; a period or a backslash inside a label is escaped by a backslash.
  package var description: String {
    labels.map { label in
      // Compare byte by byte, because a period counts as a period even if combining marks follow it.
      let escaped = label.flatMap { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "\\") ? [92, $0] : [$0] }
      return String(decoding: escaped, as: UTF8.self)
    }.joined(separator: ".")
  }
}

/// A service type such as `_appsync._tcp` (RFC 6763 §7).
package struct DNSServiceType: Hashable, Sendable {
  /// The text as given: `_appsync._tcp`.
  package let text: String
  /// The complete name: `_appsync._tcp.local`.
  package let name: DomainName

  package static let peers = DNSServiceType(ServiceTypeName.peers)!

  /// Reads `_name._tcp` or `_name._udp`, with or without `.local`; nil for any other text.
  package init?(_ text: String) {
    guard let text = ServiceTypeName.plain(text),
      let name = DomainName(labels: text.split(separator: ".").map(String.init) + ["local"])
    else { return nil }
    self.text = text
    self.name = name
  }

  /// A type that other hosts list, in the form `_name._tcp`; nil if the name is not a type.
  ///
  /// Some hosts use longer names than RFC 6335 allows; these are shown too.
  static func text(of name: DomainName) -> String? {
    let labels = name.labels
    guard labels.count == 3, [DomainName("_tcp.local"), DomainName("_udp.local")].contains(name.parent)
    else {
      return nil
    }
    return DomainName(labels: Array(labels.dropLast()))?.description
  }

  /// The name under which all types of a link are listed (RFC 6763 §9).
  package static let enumeration = DomainName("_services._dns-sd._udp.local")!
}
