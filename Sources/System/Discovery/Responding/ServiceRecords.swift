import SystemIO

/// The data to announce.
package struct Advertisement: Hashable, Sendable {
  package var name: String
  package var service: DNSServiceType
  package var port: UInt16
  package var txt: TextRecord
  /// The first label of the host's name, without its unique suffix.
  package var host: String

  package init(name: String, service: DNSServiceType, port: UInt16, txt: TextRecord, host: String) {
    self.name = name
    self.service = service
    self.port = port
    self.txt = txt
    self.host = host
  }
}

/// The records of a service instance on one link (RFC 6763 §4 to §9).
struct ServiceRecords: Sendable {
  /// The times to live in seconds (RFC 6762 §10): 120 s for records with a host's name or address, 75 minutes
  /// for others.
  static let hostLife: UInt32 = 120
  static let otherLife: UInt32 = 4_500

  let instance: DomainName
  let host: DomainName
  let type: ResourceRecord
  let pointer: ResourceRecord
  let location: ResourceRecord
  let text: ResourceRecord
  let addresses: [ResourceRecord]

  init(
    _ service: DNSServiceType, instance: DomainName, host: DomainName, port: UInt16, txt: TextRecord,
    _ own: [IPAddress]
  ) {
    self.instance = instance
    self.host = host
    let life = (Self.hostLife, Self.otherLife)
    type = ResourceRecord(DNSServiceType.enumeration, .pointer(service.name), ttl: life.1, isUnique: false)
    pointer = ResourceRecord(service.name, .pointer(instance), ttl: life.1, isUnique: false)
    location = ResourceRecord(
      instance, .service(ServiceLocation(port: port, host: host)), ttl: life.0, isUnique: true)
    text = ResourceRecord(instance, .text(txt.strings), ttl: life.1, isUnique: true)
    addresses = own.map { ResourceRecord(host, .address($0), ttl: life.0, isUnique: true) }
  }

  /// The unique records, for which we probe.
  var unique: [ResourceRecord] { [location, text] + addresses }

  var all: [ResourceRecord] { [type, pointer] + unique }

  /// Records that deny other types for our names (RFC 6762 §6.1).
  var denials: [ResourceRecord] {
    let families = Set(addresses.map(\.type)).sorted()
    return [
      ResourceRecord(
        instance, .nextSecure(next: instance, types: [.txt, .srv]), ttl: Self.hostLife, isUnique: true),
      ResourceRecord(host, .nextSecure(next: host, types: families), ttl: Self.hostLife, isUnique: true),
    ]
  }

  /// The records that the querier will need after `answers` (RFC 6763 §12, RFC 6762 §6.2).
  func additionals(to answers: [ResourceRecord]) -> [ResourceRecord] {
    var wanted: [ResourceRecord] = []
    if answers.contains(pointer) { wanted += [location, text] }
    if answers.contains(where: { $0 == pointer || $0 == location || $0.name == host }) {
      wanted += addresses
      if Set(addresses.map(\.type)).count < 2 { wanted.append(denials[1]) }
    }
    return wanted.filter { !answers.contains($0) }
  }

  /// The goodbye of a host, without the service type, which others may still offer.
  var farewell: [ResourceRecord] { ([pointer] + unique).map { $0.with(ttl: 0) } }
}
