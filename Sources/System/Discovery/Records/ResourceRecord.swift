package import SystemIO

/// A resource record.
package struct ResourceRecord: Hashable, Sendable {
  package var name: DomainName
  package var type: RecordType
  /// The class without its top bit: 1 is the Internet.
  package var recordClass: UInt16
  /// The cache-flush bit: only the sender of the record has records of this set (RFC 6762 §10.2).
  package var isUnique: Bool
  /// The time to live, in seconds.
  package var ttl: UInt32
  package var data: RecordData

  package init(_ name: DomainName, _ data: RecordData, ttl: UInt32, isUnique: Bool) {
    self.init(name, data.type, ttl: ttl, isUnique: isUnique, data)
  }

  init(
    _ name: DomainName, _ type: RecordType, class recordClass: UInt16 = 1, ttl: UInt32, isUnique: Bool,
    _ data: RecordData
  ) {
    self.name = name
    self.type = type
    self.recordClass = recordClass
    self.isUnique = isUnique
    self.ttl = ttl
    self.data = data
  }

  /// Whether both have the same name, type, class and data; the time to live may differ.
  package func isSame(as other: ResourceRecord) -> Bool {
    type == other.type && recordClass == other.recordClass && name == other.name && data == other.data
  }

  /// Whether both have the same name, type and class, and so are in one set.
  func isInSet(of other: ResourceRecord) -> Bool {
    type == other.type && recordClass == other.recordClass && name == other.name
  }

  func with(ttl: UInt32) -> ResourceRecord {
    var record = self
    record.ttl = ttl
    return record
  }

  var withoutFlush: ResourceRecord {
    var record = self
    record.isUnique = false
    return record
  }
}

/// The data of a record.
package enum RecordData: Hashable, Sendable {
  case address(IPAddress)
  case pointer(DomainName)
  case service(ServiceLocation)
  /// The strings of a TXT record, each after its length.
  case text([UInt8])
  /// The types that exist for a name; others do not exist (NSEC, RFC 6762 §6.1).
  case nextSecure(next: DomainName, types: [RecordType])
  case other(RecordType, [UInt8])

  package var type: RecordType {
    switch self {
    case .address(.v4): .a
    case .address(.v6): .aaaa
    case .pointer: .ptr
    case .service: .srv
    case .text: .txt
    case .nextSecure: .nsec
    case .other(let type, _): type
    }
  }
}

/// The location of a service: the data of an SRV record (RFC 2782).
package struct ServiceLocation: Hashable, Sendable {
  package var priority: UInt16 = 0
  package var weight: UInt16 = 0
  package var port: UInt16
  package var host: DomainName

  package init(port: UInt16, host: DomainName) {
    self.port = port
    self.host = host
  }
}

/// The type of a resource record or of a question.
package struct RecordType: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let a = RecordType(rawValue: 1)
  package static let ptr = RecordType(rawValue: 12)
  package static let txt = RecordType(rawValue: 16)
  package static let aaaa = RecordType(rawValue: 28)
  package static let srv = RecordType(rawValue: 33)
  package static let nsec = RecordType(rawValue: 47)
  /// In questions only: all types.
  package static let any = RecordType(rawValue: 255)

  private static let names: [UInt16: String] = [
    1: "A", 2: "NS", 5: "CNAME", 6: "SOA", 12: "PTR", 13: "HINFO", 15: "MX", 16: "TXT", 28: "AAAA", 33: "SRV",
    41: "OPT", 47: "NSEC", 64: "SVCB", 65: "HTTPS", 255: "ANY",
  ]

  /// `PTR`, or `TYPE99` for a type without a name in this list (RFC 3597 §5).
  package var name: String { Self.names[rawValue] ?? "TYPE\(rawValue)" }
}

extension RecordType: Comparable {
  package static func < (a: RecordType, b: RecordType) -> Bool { a.rawValue < b.rawValue }
}
