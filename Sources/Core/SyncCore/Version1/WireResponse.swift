import JSONLines

/// A syncResponse message, cut where its delta goes.
///
/// Line breaks, which in JSON can only stand between tokens, are left out, so that the message fits on one line;
/// every other byte is kept.
package struct WireResponse: Equatable, Sendable {
  package private(set) var head: [UInt8] = []
  package private(set) var tail: [UInt8] = []

  /// Reads a message of protocol version 1; the place of a delta that it does not have is behind its last member.
  package init(_ text: Span<UInt8>) throws(WireFailure) {
    do throws(JSONError) {
      try JSONScanner.validate(text)
    } catch {
      throw WireFailure(.json(error))
    }
    do throws(WireError) {
      let raw = text.onlyValue
      var object = WireObject()
      try object.read(text, raw)
      try WireDelta.checkMessage(object, text)
      if object.has(.delta) { cut(text, raw, around: try object.value(.delta)) } else { extend(text, raw) }
    } catch {
      throw WireFailure(error)
    }
  }

  private mutating func cut(_ text: Span<UInt8>, _ raw: Range<Int>, around delta: Range<Int>) {
    head = Self.line(text, raw.lowerBound..<delta.lowerBound)
    tail = Self.line(text, delta.upperBound..<raw.upperBound)
  }

  /// The message has a `type`, so a comma is needed.
  private mutating func extend(_ text: Span<UInt8>, _ raw: Range<Int>) {
    head = Self.line(text, raw.lowerBound..<raw.upperBound - 1) + Array(",\"delta\":".utf8)
    tail = [UInt8(ascii: "}")]
  }

  private static func line(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    for offset in range where text[offset] != 10 && text[offset] != 13 { bytes.append(text[offset]) }
    return bytes
  }
}
