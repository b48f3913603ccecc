package import JSONLines

/// A payload on its way to a line.
package enum FramePayload {
  /// Appends a JSON payload as one line, without the final LF.
  ///
  /// Line breaks can only stand between JSON tokens, so leaving them out keeps the meaning; every other byte
  /// is kept.
  package static func appendLine(
    _ bytes: Span<UInt8>, _ payload: Range<Int>, to line: inout [UInt8]
  ) throws(JSONError) {
    let text = bytes.extracting(payload)
    try JSONScanner.validate(text)
    if firstLineBreak(in: text) == nil {
      line.append(text)
    } else {
      for index in text.indices where text[index] != 10 && text[index] != 13 { line.append(text[index]) }
    }
  }

  /// Appends a payload unchecked; false where it has a LF and so cannot stand on one line.
  package static func appendUnchecked(
    _ bytes: Span<UInt8>, _ payload: Range<Int>, to line: inout [UInt8]
  ) -> Bool {
    let text = bytes.extracting(payload)
    guard ByteSearch.firstIndex(of: 10, in: text, from: 0) == nil else { return false }
    line.append(text)
    return true
  }

  private static func firstLineBreak(in text: Span<UInt8>) -> Int? {
    ByteSearch.firstIndex(of: 10, in: text, from: 0) ?? ByteSearch.firstIndex(of: 13, in: text, from: 0)
  }
}
