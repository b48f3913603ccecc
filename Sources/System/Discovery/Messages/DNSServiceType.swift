import SyncCore

/// A service type such as `_appsync._tcp` (RFC 6763 §7).
package struct DNSServiceType: Hashable, Sendable {
  /// As it was given: `_appsync._tcp`.
  package let text: String
  /// `_appsync._tcp.local`.
  package let name: DomainName

  package static let peers = DNSServiceType(ServiceTypeName.peers)!

  /// Takes `_name._tcp` or `_name._udp`, with or without `.local`; nil where it is none.
  package init?(_ text: String) {
    guard let text = ServiceTypeName.plain(text),
      let name = DomainName(labels: text.split(separator: ".").map(String.init) + ["local"])
    else { return nil }
    self.text = text
    self.name = name
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
