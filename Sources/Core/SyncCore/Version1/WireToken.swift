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

extension WireFailure {
  /// A failure around a token, at the token itself only where its own text is wrong.
  init(token error: WireError) {
    if case .invalidToken = error { self.init(error, at: ["newTokenData"]) } else { self.init(error) }
  }
}
