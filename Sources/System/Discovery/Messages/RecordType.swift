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

  /// `PTR`, or `TYPE99` for one that has no name here (RFC 3597 §5).
  package var name: String { Self.names[rawValue] ?? "TYPE\(rawValue)" }
}

extension RecordType: Comparable {
  package static func < (a: RecordType, b: RecordType) -> Bool { a.rawValue < b.rawValue }
}
