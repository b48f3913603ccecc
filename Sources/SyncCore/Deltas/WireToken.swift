import JSONLines

/// The token of a checkpoint, which is Base64 in a JSON string.
enum WireToken {
  /// The bytes of a raw string with its quotes; missing padding is accepted.
  static func bytes(_ text: Span<UInt8>, _ raw: Range<Int>) throws(WireError) -> [UInt8] {
    var decoded: [UInt8] = []
    JSONString.appendDecoded(text, text.content(raw), to: &decoded)
    var bytes: [UInt8] = []
    do throws(Base64.Failure) {
      try Base64.decode(decoded.span, into: &bytes)
    } catch {
      throw .invalidToken(error.message)
    }
    return bytes
  }
}
