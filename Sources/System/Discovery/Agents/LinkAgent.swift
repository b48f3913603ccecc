package import SystemIO

/// A network interface, identified by its index and name.
package struct NetworkLink: Hashable, Sendable {
  package var index: UInt32
  package var name: String

  package init(index: UInt32, name: String) {
    self.index = index
    self.name = name
  }
}

/// The origin of a message.
package struct Origin: Sendable {
  package var link: NetworkLink
  package var address: IPAddress
  package var port: UInt16
  /// Whether the message was sent to the group, not only to us.
  package var isMulticast: Bool
  /// Whether the sender has an address of the link.
  package var isOnLink: Bool

  package init(
    link: NetworkLink, address: IPAddress, port: UInt16 = MulticastDNS.port, isMulticast: Bool = true,
    isOnLink: Bool = true
  ) {
    self.link = link
    self.address = address
    self.port = port
    self.isMulticast = isMulticast
    self.isOnLink = isOnLink
  }

  /// Whether a response from this origin is accepted (RFC 6762 §6, §11).
  ///
  /// The group's packets do not cross routers; a unicast packet must come from an address of the link.
  var canRespond: Bool {
    port == MulticastDNS.port && (isMulticast || isOnLink)
  }

  /// Whether a query from this origin is answered: all except unicast queries from outside the link (§5.5).
  var canAsk: Bool { isMulticast || isOnLink }
}

/// A message to send.
package struct Outgoing: Sendable {
  package enum Destination: Hashable, Sendable {
    /// The group, in each address family that the link has.
    case group
    /// The group, from our own port, so that answers are sent by unicast (RFC 6762 §5.1, §6.7).
    case groupOneShot
    case host(IPAddress, port: UInt16)
  }

  package var link: NetworkLink
  package var destination = Destination.group
  package var message: DNSMessage

  package init(link: NetworkLink, destination: Destination = .group, message: DNSMessage) {
    self.link = link
    self.destination = destination
    self.message = message
  }

  /// The bytes of the message in the form for its destination.
  package var bytes: [UInt8] {
    if case .host(_, let port) = destination, port != MulticastDNS.port {
      return message.encoded(forLegacy: true)
    }
    return message.encoded()
  }
}

/// Receives and sends messages of multicast DNS on links; it is pure, with the time as a parameter.
package protocol LinkAgent {
  /// Begins on a link.
  ///
  /// `isStart` is true if the program has just started, false if the link has appeared later.
  mutating func addLink(_ link: NetworkLink, at now: Duration, isStart: Bool, allowsUnicast: Bool)
  /// Called when the link has disappeared; messages can no longer be sent there.
  mutating func removeLink(_ link: NetworkLink, at now: Duration)
  /// The addresses of this host on a link, set before the link is added and whenever they change.
  mutating func setAddresses(_ addresses: [IPAddress], on link: NetworkLink, at now: Duration)
  mutating func receive(_ message: DNSMessage, _ origin: Origin, at now: Duration) -> [Outgoing]
  /// The time when `advance` has work to do; nil for never.
  var deadline: Duration? { get }
  mutating func advance(to now: Duration) -> [Outgoing]
  /// Ends the agent; returns the last messages to send.
  mutating func end(at now: Duration) -> [Outgoing]
}

extension LinkAgent {
  package mutating func setAddresses(_ addresses: [IPAddress], on link: NetworkLink, at now: Duration) {}

  /// Handles a received packet.
  ///
  /// Ignores packets that are not messages, messages other than plain queries and responses, and error responses (RFC 6762
  /// §18.3, §18.11).
  package mutating func receive(packet: Span<UInt8>, _ origin: Origin, at now: Duration) -> [Outgoing] {
    guard let message = try? DNSMessage(reading: packet), message.opcode == 0, message.responseCode == 0
    else {
      return []
    }
    return receive(message, origin, at: now)
  }
}
