/// A service type such as `_appsync._tcp` (RFC 6763 §7).
package struct DNSServiceType: Hashable, Sendable {
  /// As it was given: `_appsync._tcp`.
  package let text: String
  /// `_appsync._tcp.local`.
  package let name: DomainName

  /// The type of protocol version 1 and 2 peers.
  package static let peers = DNSServiceType("_appsync._tcp")!

  /// Takes `_name._tcp` or `_name._udp`, with or without `.local`; nil where it is none (RFC 6335 §5.1).
  package init?(_ text: String) {
    var labels = text.split(separator: ".", omittingEmptySubsequences: false)
    if labels.last == "" { labels.removeLast() }
    if labels.count == 3, labels[2].lowercased() == "local" { labels.removeLast() }
    guard labels.count == 2, ["_tcp", "_udp"].contains(labels[1].lowercased()), labels[0].first == "_",
      Self.isName(labels[0].dropFirst().utf8),
      let name = DomainName(labels: labels.map(String.init) + ["local"])
    else { return nil }
    self.text = labels.joined(separator: ".")
    self.name = name
  }

  /// 1 to 15 letters, digits and hyphens, at least one letter, no hyphen at an end or beside another.
  private static func isName(_ name: Substring.UTF8View) -> Bool {
    let hyphen = UInt8(ascii: "-")
    let isLetter = { (byte: UInt8) in (byte | 32) &- 97 < 26 }
    return (1...15).contains(name.count) && name.contains(where: isLetter)
      && name.allSatisfy { isLetter($0) || $0 &- 48 < 10 || $0 == hyphen }
      && name.first != hyphen && name.last != hyphen
      && !zip(name, name.dropFirst()).contains { $0 == (hyphen, hyphen) }
  }

  /// A type as others list it, `_name._tcp`; nil for what is none.
  ///
  /// Longer names than RFC 6335 allows are about, and are shown.
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
