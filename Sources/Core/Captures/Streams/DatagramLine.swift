package import JSONLines

/// A line of `pcapstream --udp`: a datagram.
package struct DatagramLine: Sendable {
  /// The line of a stream where one of a datagram is needed.
  package static let ofStream = MemberError(.other("a piece of a stream, not a datagram", .wrongType))

  /// The number of the datagram in its capture.
  package let number: Int
  private let origin: CaptureOrigin
  /// The bytes that were captured.
  package let data: [UInt8]
  /// How many bytes at the end were not captured.
  package let missing: Int

  /// Whether text is an object, and so may be such a line instead of bytes in hex or Base64.
  package static func isBegun(by text: Span<UInt8>) -> Bool {
    for index in text.indices where text[index] > 32 { return text[index] == UInt8(ascii: "{") }
    return false
  }

  /// Reads a line.
  package init(_ line: Span<UInt8>) throws(MemberError) {
    let members = try CaptureMembers(line)
    if members.has(.stream) { throw Self.ofStream }
    number = try members.number(.datagram, in: line)
    origin = CaptureOrigin(
      from: try members.text(.from, in: line), to: try members.text(.to, in: line),
      time: try members.text(.at, in: line))
    missing = try members.gap(in: line) ?? 0
    data = try members.data(in: line)
  }

  /// Appends a line about the datagram: an object, given without white space, after `datagram`, `from`, `to`
  /// and `at`.
  package func append(_ object: [UInt8], to output: inout [UInt8]) {
    origin.append(object, of: .datagram, number, to: &output)
  }
}
