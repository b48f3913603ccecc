import SystemIO

extension DNSMessage {
  /// The message in the form of the wire, with names compressed.
  ///
  /// With `forLegacy`, the host of an SRV record is written in full, as required in a legacy unicast response
  /// (RFC 6762 §18.14).
  package func encoded(forLegacy: Bool = false) -> [UInt8] {
    var writer = MessageWriter(compressesHosts: !forLegacy)
    writer.append(id)
    writer.append(flags)
    for count in [questions.count, answers.count, authorities.count, additionals.count] {
      writer.append(UInt16(count))
    }
    for question in questions {
      writer.append(question.name)
      writer.append(question.type.rawValue)
      writer.append(question.questionClass | (question.wantsUnicast ? 0x8000 : 0))
    }
    for record in answers + authorities + additionals { writer.append(record) }
    return writer.bytes
  }
}

extension ResourceRecord {
  /// The data in the form of the wire without compression, to compare simultaneous probes (RFC 6762 §8.2).
  var plainData: [UInt8] {
    var writer = MessageWriter(compressesHosts: false, compresses: false)
    writer.append(data)
    return writer.bytes
  }
}

/// The bytes of a message that is being written.
struct MessageWriter {
  private(set) var bytes: [UInt8] = []
  private let compressesHosts: Bool
  private let compresses: Bool
  /// The offset of each name, or end of a name, that was already written, by its key.
  private var places: [ArraySlice<UInt8>: Int] = [:]

  init(compressesHosts: Bool, compresses: Bool = true) {
    self.compressesHosts = compressesHosts
    self.compresses = compresses
  }

  mutating func append(_ word: UInt16) { bytes += [UInt8(word >> 8), UInt8(truncatingIfNeeded: word)] }

  mutating func append(_ name: DomainName, compressing: Bool = true) {
    var position = 0
    while position < name.wire.count {
      let rest = name.key[position...]
      if compresses, compressing, let place = places[rest] { return append(0xC000 | UInt16(place)) }
      // A pointer cannot reach names at higher offsets.
      if bytes.count < 0x4000, places[rest] == nil { places[rest] = bytes.count }
      let end = position + 1 + Int(name.wire[position])
      bytes += name.wire[position..<end]
      position = end
    }
    bytes.append(0)
  }

  mutating func append(_ record: ResourceRecord) {
    append(record.name)
    append(record.type.rawValue)
    append(record.recordClass | (record.isUnique ? 0x8000 : 0))
    append(UInt16(record.ttl >> 16))
    append(UInt16(truncatingIfNeeded: record.ttl))
    let start = bytes.count
    append(UInt16(0))
    append(record.data)
    let length = bytes.count - start - 2
    bytes[start] = UInt8(truncatingIfNeeded: length >> 8)
    bytes[start + 1] = UInt8(truncatingIfNeeded: length)
  }

  mutating func append(_ data: RecordData) {
    switch data {
    case .address(let address): bytes += address.bytes
    case .pointer(let name): append(name)
    case .service(let location):
      append(location.priority)
      append(location.weight)
      append(location.port)
      append(location.host, compressing: compressesHosts)
    case .text(let strings): bytes += strings
    case .nextSecure(let next, let types):
      append(next)
      appendBits(of: types)
    case .other(_, let rest): bytes += rest
    }
  }

  private mutating func appendBits(of types: [RecordType]) {
    let windows = Dictionary(grouping: types) { UInt8($0.rawValue >> 8) }
    for (window, types) in windows.sorted(by: { $0.key < $1.key }) {
      var bits = [UInt8](repeating: 0, count: Int(types.map { $0.rawValue & 0xFF }.max()! / 8) + 1)
      for type in types { bits[Int(type.rawValue & 0xFF) / 8] |= 0x80 >> UInt8(type.rawValue % 8) }
      bytes += [window, UInt8(bits.count)] + bits
    }
  }
}

/// Splits messages so that each fits into a packet.
enum MessagePacker {
  /// The room in an Ethernet packet after the headers of IPv6 and UDP.
  static let room = 1_452
  /// Known answers beyond this many packets are left out, so that a flood of records does not make us flood
  /// the link.
  static let longestQuery = 16

  /// Splits queries; if the known answers of a query need more packets, these follow it and the TC bit is set
  /// (RFC 6762 §7.2).
  static func queries(_ questions: [Question], knowing known: [ResourceRecord]) -> [DNSMessage] {
    var messages: [DNSMessage] = []
    var rest = questions[...]
    repeat {
      let count = fitting(rest.count) { .query(Array(rest.prefix($0))) }
      messages.append(.query(Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
    } while !rest.isEmpty
    guard var last = messages.popLast() else { return [] }
    var answers = known[...]
    var isFirst = true
    while isFirst || !answers.isEmpty && messages.count < longestQuery {
      let base = isFirst ? last.questions : []
      let count = fitting(answers.count, least: isFirst ? 0 : 1) {
        .query(base, knowing: Array(answers.prefix($0)))
      }
      last = .query(base, knowing: Array(answers.prefix(count)))
      answers = answers.dropFirst(count)
      last.isTruncated = !answers.isEmpty && messages.count + 1 < longestQuery
      messages.append(last)
      isFirst = false
    }
    return messages
  }

  /// Splits responses; additional records are added to the last answers if there is room.
  static func responses(_ answers: [ResourceRecord], additionals: [ResourceRecord] = []) -> [DNSMessage] {
    var messages: [DNSMessage] = []
    var rest = answers[...]
    while !rest.isEmpty {
      let count = fitting(rest.count) { .response(Array(rest.prefix($0))) }
      var message = DNSMessage.response(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
      if rest.isEmpty {
        let extra = fitting(additionals.count, least: 0) {
          .response(message.answers, additionals: Array(additionals.prefix($0)))
        }
        message.additionals = Array(additionals.prefix(extra))
      }
      messages.append(message)
    }
    return messages
  }

  /// The largest count up to `most` with which a message fits, found by binary search.
  ///
  /// A single record is sent alone even if it is too large (§17).
  private static func fitting(_ most: Int, least: Int = 1, _ message: (Int) -> DNSMessage) -> Int {
    var (low, high) = (min(least, most), most)
    while low < high {
      let middle = (low + high + 1) / 2
      if message(middle).encoded().count <= room { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
