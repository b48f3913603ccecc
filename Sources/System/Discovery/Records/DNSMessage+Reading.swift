import SystemIO

extension DNSMessage {
  /// Reads a message; bytes after the counted records are skipped.
  package init(reading bytes: Span<UInt8>) throws(DNSMessageError) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(size: bytes.count) }
    self.init()
    var position = 0
    id = try bytes.word(at: &position)
    flags = try bytes.word(at: &position)
    var counts: [UInt16] = []
    for _ in 0..<4 { counts.append(try bytes.word(at: &position)) }
    for _ in 0..<counts[0] { questions.append(try bytes.question(at: &position)) }
    for _ in 0..<counts[1] { answers.append(try bytes.record(at: &position)) }
    for _ in 0..<counts[2] { authorities.append(try bytes.record(at: &position)) }
    for _ in 0..<counts[3] { additionals.append(try bytes.record(at: &position)) }
  }
}

extension Span<UInt8> {
  fileprivate static var mostPointers: Int { 127 }

  fileprivate func word(at position: inout Int, end: Int? = nil) throws(DNSMessageError) -> UInt16 {
    guard position + 2 <= end ?? count else { throw .truncated(offset: position) }
    defer { position += 2 }
    return UInt16(self[position]) << 8 | UInt16(self[position + 1])
  }

  fileprivate func array(_ range: Range<Int>) -> [UInt8] { range.map { self[$0] } }

  fileprivate func question(at position: inout Int) throws(DNSMessageError) -> Question {
    var question = Question(try name(at: &position), RecordType(rawValue: try word(at: &position)))
    let raw = try word(at: &position)
    question.questionClass = raw & 0x7FFF
    question.wantsUnicast = raw & 0x8000 != 0
    return question
  }

  fileprivate func record(at position: inout Int) throws(DNSMessageError) -> ResourceRecord {
    let name = try name(at: &position)
    let type = RecordType(rawValue: try word(at: &position))
    let rawClass = try word(at: &position)
    let ttl = UInt32(try word(at: &position)) << 16 | UInt32(try word(at: &position))
    let length = Int(try word(at: &position))
    guard position + length <= count else { throw .truncated(offset: position) }
    let data = try data(of: type, position..<position + length)
    position += length
    // A time to live with its top bit set counts as zero (RFC 2181 §8).
    return ResourceRecord(
      name, type, class: rawClass & 0x7FFF, ttl: ttl > 0x7FFF_FFFF ? 0 : ttl,
      isUnique: rawClass & 0x8000 != 0,
      data)
  }

  private func data(of type: RecordType, _ range: Range<Int>) throws(DNSMessageError) -> RecordData {
    switch type {
    case .a, .aaaa:
      guard range.count == (type == .a ? 4 : 16), let address = IPAddress(array(range)) else {
        throw .invalidData(type, offset: range.lowerBound)
      }
      return .address(address)
    case .ptr: return .pointer(try name(filling: range, type))
    case .srv: return .service(try location(range))
    case .txt:
      guard isStrings(range) else { throw .invalidData(type, offset: range.lowerBound) }
      return .text(array(range))
    case .nsec:
      var position = range.lowerBound
      let next = try name(at: &position, end: range.upperBound)
      // Only the bits that our types need are checked; the record is valid with any other bits.
      return .nextSecure(next: next, types: try types(position..<range.upperBound))
    default: return .other(type, array(range))
    }
  }

  private func name(filling range: Range<Int>, _ type: RecordType) throws(DNSMessageError) -> DomainName {
    var position = range.lowerBound
    let name = try name(at: &position, end: range.upperBound)
    guard position == range.upperBound else { throw .invalidData(type, offset: range.lowerBound) }
    return name
  }

  private func location(_ range: Range<Int>) throws(DNSMessageError) -> ServiceLocation {
    var position = range.lowerBound
    let priority = try word(at: &position, end: range.upperBound)
    let weight = try word(at: &position, end: range.upperBound)
    let port = try word(at: &position, end: range.upperBound)
    var location = ServiceLocation(port: port, host: try name(filling: position..<range.upperBound, .srv))
    location.priority = priority
    location.weight = weight
    return location
  }

  /// Whether strings, each after its length, exactly fill the range.
  private func isStrings(_ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound { position += 1 + Int(self[position]) }
    return position == range.upperBound
  }

  /// Reads the bit maps of RFC 4034 §4.1.2.
  private func types(_ range: Range<Int>) throws(DNSMessageError) -> [RecordType] {
    var types: [RecordType] = []
    var position = range.lowerBound
    var least = 0
    while position < range.upperBound {
      guard position + 2 <= range.upperBound, Int(self[position]) >= least,
        (1...32).contains(self[position + 1]),
        position + 2 + Int(self[position + 1]) <= range.upperBound
      else { throw .invalidData(.nsec, offset: range.lowerBound) }
      let window = UInt16(self[position]) << 8
      least = Int(self[position]) + 1
      let length = Int(self[position + 1])
      for index in 0..<length * 8 where self[position + 2 + index / 8] & (0x80 >> UInt8(index % 8)) != 0 {
        types.append(RecordType(rawValue: window + UInt16(index)))
      }
      position += 2 + length
    }
    return types
  }

  /// Reads a name, following pointers; `position` ends after it, and must not be beyond `end`.
  ///
  /// Each pointer must point before the start of the name, or of the part that the last pointer led to. So
  /// reading always ends, and names that point forward are refused. The number of pointers is limited to the
  /// number of labels of a name: a packet of longer chains would cost more to read than to send.
  private func name(at position: inout Int, end: Int? = nil) throws(DNSMessageError) -> DomainName {
    let end = end ?? count
    var wire: [UInt8] = []
    var cursor = position
    var start = position
    var after: Int?
    var pointers = 0
    while true {
      guard cursor < (after == nil ? end : count) else { throw .truncated(offset: cursor) }
      let length = Int(self[cursor])
      switch length >> 6 {
      case 0:
        guard cursor + 1 + length <= (after == nil ? end : count) else { throw .truncated(offset: cursor) }
        if length == 0 {
          position = after ?? cursor + 1
          return DomainName(wire: wire)
        }
        guard wire.count + length + 2 <= 255 else { throw .nameTooLong(offset: start) }
        for index in cursor...cursor + length { wire.append(self[index]) }
        cursor += 1 + length
      case 3:
        let target = Int(try word(at: &cursor, end: after == nil ? end : nil)) & 0x3FFF
        after = after ?? cursor
        guard target < start else { throw .pointerLoop(offset: cursor - 2) }
        pointers += 1
        guard pointers <= Self.mostPointers else { throw .tooManyPointers(offset: cursor - 2) }
        (start, cursor) = (target, target)
      default: throw .invalidLabel(offset: cursor)
      }
    }
  }
}
