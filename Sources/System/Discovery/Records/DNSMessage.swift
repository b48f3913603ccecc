/// A question of a query.
package struct Question: Hashable, Sendable {
  package var name: DomainName
  package var type: RecordType
  /// The class without its top bit: 1 is the Internet, 255 any class.
  package var questionClass: UInt16 = 1
  /// The unicast-response bit, which makes it a QU question (RFC 6762 §5.4).
  package var wantsUnicast: Bool

  package init(_ name: DomainName, _ type: RecordType, wantsUnicast: Bool = false) {
    self.name = name
    self.type = type
    self.wantsUnicast = wantsUnicast
  }

  /// Whether a record answers the question.
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

  /// A response with the authoritative bit, which all multicast responses have (RFC 6762 §18.4).
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

/// Why bytes are not a DNS message; offsets are from the start of the message.
package enum DNSMessageError: Error, Equatable, Sendable {
  case truncated(offset: Int)
  /// A label begins with bits that mean neither a length nor a pointer.
  case invalidLabel(offset: Int)
  /// A pointer does not point back to a position before its name.
  case pointerLoop(offset: Int)
  /// A name has more pointers than a name can have labels.
  case tooManyPointers(offset: Int)
  case nameTooLong(offset: Int)
  /// The data of a record does not have the form of its type.
  case invalidData(RecordType, offset: Int)
  case tooLarge(size: Int)

  package var offset: Int {
    switch self {
    case .truncated(let offset), .invalidLabel(let offset), .pointerLoop(let offset),
      .tooManyPointers(let offset), .nameTooLong(let offset), .invalidData(_, let offset):
      offset
    case .tooLarge: 0
    }
  }

  /// The message; it begins in lower case and does not end with a period.
  package var message: String {
    switch self {
    case .truncated: "the packet ends too early"
    case .invalidLabel: "a label has an unknown kind"
    case .pointerLoop: "a name's pointer does not point back"
    case .tooManyPointers: "a name has more than 127 pointers"
    case .nameTooLong: "a name has more than 255 bytes"
    case .invalidData(let type, _): "the data of a record do not have the form of \(type.name)"
    case .tooLarge(let size): "packet too large: \(size) bytes, the limit is \(DNSMessage.sizeLimit)"
    }
  }
}

/// The message inside a packet from a capture program, after headers of Ethernet, IP and UDP.
package enum UDPPayload {
  /// The payload that the UDP header announces, if the headers have consistent lengths and the port of
  /// multicast DNS; otherwise all bytes.
  package static func message(in bytes: [UInt8]) -> [UInt8] {
    let starts = [0] + (word(bytes, 12).map { $0 == 0x0800 || $0 == 0x86DD } == true ? [14] : [])
    for start in starts {
      guard let datagram = datagram(in: bytes[start...], isFrame: start > 0) else { continue }
      let header = Array(datagram.prefix(8))
      guard word(header, 4) == datagram.count,
        word(header, 0) == Int(MulticastDNS.port) || word(header, 2) == Int(MulticastDNS.port)
      else { continue }
      return Array(datagram.dropFirst(8))
    }
    return bytes
  }

  /// The payload of an IP packet without fragments (RFC 791, RFC 8200); a frame may be padded after it.
  private static func datagram(in bytes: ArraySlice<UInt8>, isFrame: Bool) -> ArraySlice<UInt8>? {
    let packet = Array(bytes)
    guard let first = packet.first else { return nil }
    let range: Range<Int>
    switch first >> 4 {
    case 4:
      guard let length = word(packet, 2), packet.count > 20, packet[9] == 17 else { return nil }
      let header = Int(first & 15) * 4
      guard header >= 20, header <= length else { return nil }
      range = header..<length
    case 6:
      guard let length = word(packet, 4), packet.count > 40, packet[6] == 17 else { return nil }
      range = 40..<40 + length
    default: return nil
    }
    guard isFrame ? range.upperBound <= packet.count : range.upperBound == packet.count else { return nil }
    return packet[range]
  }

  private static func word(_ bytes: [UInt8], _ index: Int) -> Int? {
    bytes.count >= index + 2 ? Int(bytes[index]) << 8 | Int(bytes[index + 1]) : nil
  }
}
