import JSONLines

/// Writes event lines.
enum MeshEventText {
  /// `peer` is JSON; `at` is the raw value of the time, empty where there is none.
  static func append(_ event: String, _ peer: [UInt8], _ at: [UInt8], to output: inout [UInt8]) {
    output += "{\"event\":\"\(event)\",\"peer\":".utf8
    output += peer
    close(at, &output)
  }

  static func appendFailure(role: String, reason: String, _ at: [UInt8], to output: inout [UInt8]) {
    output += "{\"event\":\"startFailed\",\"role\":".utf8
    JSONString.appendQuoted(role, to: &output)
    output += ",\"reason\":".utf8
    JSONString.appendQuoted(reason, to: &output)
    close(at, &output)
  }

  /// What the line of a message begins with, for a peer that is JSON.
  static func opening(of peer: [UInt8]) -> [UInt8] {
    Array("{\"event\":\"messageReceived\",\"from\":".utf8) + peer + Array(",\"message\":".utf8)
  }

  @inline(__always)
  static func appendMessage(
    _ text: Span<UInt8>, after opening: [UInt8], _ at: [UInt8], to output: inout [UInt8]
  ) {
    output += opening
    output.append(text)
    close(at, &output)
  }

  private static let time = Array(",\"at\":".utf8)

  @inline(__always)
  private static func close(_ at: [UInt8], _ output: inout [UInt8]) {
    if !at.isEmpty {
      output += time
      output += at
    }
    output.append(UInt8(ascii: "}"))
    output.append(10)
  }
}

extension Span<UInt8> {
  var copied: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(self)
    return bytes
  }
}
