/// A question of a query.
package struct Question: Hashable, Sendable {
  package var name: DomainName
  package var type: RecordType
  /// Without its top bit: 1 is the Internet, 255 any class.
  package var questionClass: UInt16 = 1
  /// The unicast-response bit, which makes it a QU question (RFC 6762 §5.4).
  package var wantsUnicast: Bool

  package init(_ name: DomainName, _ type: RecordType, wantsUnicast: Bool = false) {
    self.name = name
    self.type = type
    self.wantsUnicast = wantsUnicast
  }

  /// Whether a record answers it.
  func accepts(_ record: ResourceRecord) -> Bool {
    (type == .any || type == record.type) && (questionClass == 255 || questionClass == record.recordClass)
      && name == record.name
  }
}

/// A DNS message as multicast DNS uses it (RFC 6762 §18).
package struct DNSMessage: Hashable, Sendable {
  package var id: UInt16 = 0
  package var flags: UInt16 = 0
  package var questions: [Question] = []
  package var answers: [ResourceRecord] = []
  package var authorities: [ResourceRecord] = []
  package var additionals: [ResourceRecord] = []

  package init() {}

  /// A response with the authoritative bit, as all multicast responses have it (RFC 6762 §18.4).
  static func response(_ answers: [ResourceRecord], additionals: [ResourceRecord] = []) -> DNSMessage {
    var message = DNSMessage()
    message.flags = 0x8400
    message.answers = answers
    message.additionals = additionals
    return message
  }

  static func query(_ questions: [Question], knowing answers: [ResourceRecord] = []) -> DNSMessage {
    var message = DNSMessage()
    message.questions = questions
    message.answers = answers
    return message
  }

  package var isResponse: Bool { flags & 0x8000 != 0 }

  package var opcode: Int { Int(flags >> 11 & 15) }

  /// The TC bit: in a query, more known answers follow.
  package var isTruncated: Bool {
    get { flags & 0x0200 != 0 }
    set { flags = newValue ? flags | 0x0200 : flags & ~0x0200 }
  }

  package var responseCode: Int { Int(flags & 15) }

  /// The largest message that is read (RFC 6762 §17).
  package static let sizeLimit = 9_000
}

/// The constants of RFC 6762 §3.
package enum MulticastDNS {
  package static let port: UInt16 = 5353
}
