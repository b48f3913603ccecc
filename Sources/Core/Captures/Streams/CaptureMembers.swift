import JSONLines

/// The members of a line of `pcapstream`, for a stream or for a datagram.
struct CaptureMembers: Sendable {
  enum Name: Int, PlacedName {
    case stream, datagram, from, to, at, offset, data, gap

    static let spellings = PlacedSpellings([
      "stream", "datagram", "from", "to", "at", "offset", "data", "gap",
    ])
  }

  private let members: PlacedMembers<Name, MemberError>

  init(_ line: Span<UInt8>) throws(MemberError) {
    do throws(JSONError) {
      try JSONScanner.validate(line)
    } catch {
      throw .json(error)
    }
    members = try PlacedMembers(line, line.onlyValue)
  }

  /// Whether the line has a member, regardless of its value.
  func has(_ name: Name) -> Bool { members.has(name) }

  /// A string in its given spelling, with its escapes.
  func text(_ name: Name, in line: Span<UInt8>) throws(MemberError) -> [UInt8] {
    Self.bytes(line, try members.content(name, in: line))
  }

  /// A whole number that is not negative, and so small that the sum of two such numbers cannot overflow.
  func number(_ name: Name, in line: Span<UInt8>) throws(MemberError) -> Int {
    let digits = Self.bytes(line, try members.require(name, in: line))
    guard let number = Int(String(decoding: digits, as: UTF8.self)), (0...1 << 60).contains(number) else {
      throw .wrongType(name.name, expected: "a whole number")
    }
    return number
  }

  /// The number of missing bytes; nil if the line does not state it.
  func gap(in line: Span<UInt8>) throws(MemberError) -> Int? {
    try members.find(.gap, in: line) == nil ? nil : try number(.gap, in: line)
  }

  func data(in line: Span<UInt8>) throws(MemberError) -> [UInt8] {
    let text = line.extracting(try members.content(.data, in: line))
    var bytes: [UInt8] = []
    do throws(Base64.Failure) {
      try Base64.decode(text, into: &bytes)
    } catch {
      throw MemberError(.wrong("not Base64: \(error.message)", .invalidBase64), at: [Name.data.name])
    }
    return bytes
  }

  private static func bytes(_ line: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    text.append(line.extracting(range))
    return text
  }
}

/// The sender, the receiver and the time.
///
/// All are text in the given spelling, as they are only compared and copied.
struct CaptureOrigin: Sendable {
  var from: [UInt8]
  var to: [UInt8]
  var time: [UInt8]

  /// Appends a line: `object`, without white space, with the number and the origin before its members.
  func append(
    _ object: some Collection<UInt8>, of kind: CaptureMembers.Name, _ number: Int, to output: inout [UInt8]
  ) {
    output.append(contentsOf: "{\"\(kind.name)\":\(number),\"from\":\"".utf8)
    output += from
    output.append(contentsOf: "\",\"to\":\"".utf8)
    output += to
    output.append(contentsOf: "\",\"at\":\"".utf8)
    output += time
    output.append(contentsOf: "\",".utf8)
    output += object.dropFirst()
    output.append(10)
  }
}
