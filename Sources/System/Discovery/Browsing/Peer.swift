package import SystemIO

/// A service instance that has been resolved: somebody who may be there, at these places.
package struct Peer: Hashable, Sendable {
  package struct Address: Hashable, Sendable {
    package var address: IPAddress
    /// Where it was heard; a link-local address means nothing without it.
    package var link: NetworkLink
  }

  /// As people read it: `Kitchen`.
  package var instance: String
  package var service: DNSServiceType
  package var host: DomainName
  package var port: UInt16
  /// Each once, in the order of the links, IPv4 first.
  package var addresses: [Address]
  package var txt: TextRecord
}

/// What has become of a peer or a service type.
package enum DiscoveryEvent: Hashable, Sendable {
  package enum Loss: String, Sendable { case goodbye, expired, interface }

  case discovered(Peer)
  case updated(Peer)
  case lost(Peer, Loss)
  /// A service type that somebody on the link has, such as `_appsync._tcp`.
  case type(String)
}
