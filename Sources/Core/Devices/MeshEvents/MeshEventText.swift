import JSONLines

/// Writes event lines.
enum MeshEventText {
  /// `peer` is JSON; `at` is the raw value of the time, empty where there is none.
  static func append(_ event: String, _ peer: [UInt8], _ at: Span<UInt8>, to output: inout [UInt8]) {
    output += "{\"event\":\"\(event)\",\"peer\":".utf8
    output += peer
    close(at, &output)
  }

  static func appendFailure(role: String, reason: String, _ at: Span<UInt8>, to output: inout [UInt8]) {
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

  static func appendMessage(
    _ text: Span<UInt8>, after opening: [UInt8], _ at: Span<UInt8>, to output: inout [UInt8]
  ) {
    // Asks once for room: this is most of what is written.
    output.append(addingCapacity: opening.count + text.count + time.count + at.count + 2) { room in
      room.append(opening.span)
      room.append(text)
      close(at, &room)
    }
  }

  private static let time = Array(",\"at\":".utf8)

  private static func close(_ at: Span<UInt8>, _ output: inout [UInt8]) {
    output.append(addingCapacity: time.count + at.count + 2) { room in close(at, &room) }
  }

  @inline(__always)
  private static func close(_ at: Span<UInt8>, _ room: inout OutputSpan<UInt8>) {
    if !at.isEmpty {
      room.append(time.span)
      room.append(at)
    }
    room.append(UInt8(ascii: "}"))
    room.append(10)
  }
}

extension Span<UInt8> {
  var copied: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(self)
    return bytes
  }
}
