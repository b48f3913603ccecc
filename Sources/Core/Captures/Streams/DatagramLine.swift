package import JSONLines

/// A line of `pcapstream --udp`: a datagram.
package struct DatagramLine: Sendable {
  /// The error for the line of a stream where the line of a datagram is required.
  package static let ofStream = MemberError(.other("a piece of a stream, not a datagram", .wrongType))

  /// The number of the datagram in its capture.
  package let number: Int
  private let origin: CaptureOrigin
  /// The bytes that were captured.
  package let data: [UInt8]
  /// The number of bytes at the end that were not captured.
  package let missing: Int

  /// Whether the text is an object, so it may be such a line and not bytes in hex or Base64.
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

  /// Appends a line about the datagram: `datagram`, `from`, `to` and `at`, then the members of `object`.
  package func append(_ object: [UInt8], to output: inout [UInt8]) {
    origin.append(object, of: .datagram, number, to: &output)
  }
}
