/// Why a text is not JSON, and where.
@usableFromInline
package struct JSONError: Error, Equatable, Sendable {
  /// The kinds of fault; the raw values are stable names for machines.
  @usableFromInline
  package enum Code: String, Sendable, CaseIterable {
    case unexpectedByte, unexpectedEnd, trailingBytes, invalidUTF8, controlCharacter
    case invalidEscape, loneSurrogate, nestingTooDeep, exponentTooLarge
  }

  /// The kind of fault.
  ///
  /// `unexpectedEnd` means that more bytes may complete the text; with every other code, any continuation is
  /// invalid.
  @usableFromInline package var code: Code

  /// The offset in the given span of the first byte that cannot continue a valid text; for `unexpectedEnd`,
  /// the length of the span.
  @usableFromInline package var offset: Int

  @inlinable
  package init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }
}

extension JSONError {
  /// The fault in words, lower-case, without the place.
  package var message: String {
    switch code {
    case .unexpectedByte: "unexpected byte"
    case .unexpectedEnd: "unexpected end of the text"
    case .trailingBytes: "bytes after the value"
    case .invalidUTF8: "invalid UTF-8"
    case .controlCharacter: "control character in a string"
    case .invalidEscape: "invalid escape in a string"
    case .loneSurrogate: "lone surrogate in a string"
    case .nestingTooDeep: "nested deeper than \(Nesting.limit)"
    case .exponentTooLarge: "exponent beyond \(NumberScanner.exponentLimit)"
    }
  }

  /// The fault and its place, as a byte number in `whole`, counted from 1.
  package func message(in whole: String) -> String {
    "\(message) \(code == .unexpectedEnd ? "after byte \(offset)" : "at byte \(offset + 1)")\(whole.isEmpty ? "" : " of the \(whole)")"
  }

  /// Up to 16 bytes before the place of the fault and 8 bytes after it, in whole characters.
  package func excerpt(of line: Span<UInt8>) -> String {
    var count = line.count
    while count > offset, line[count - 1] == 10 || line[count - 1] == 13 { count -= 1 }
    var (start, end) = (max(0, offset - 16), min(count, offset + 8))
    while start > 0, start < offset, line[start] & 0xC0 == 0x80 { start += 1 }
    while end < count, end > offset, line[end] & 0xC0 == 0x80 { end -= 1 }
    let text = String(decoding: (start..<end).map { line[$0] }, as: UTF8.self)
    return (start > 0 ? "…" : "") + text.escapingControls + (end < count ? "…" : "")
  }

  /// The error for a byte that cannot appear at `offset`, or for a text that ends there.
  @usableFromInline
  static func unexpected(_ text: Span<UInt8>, at offset: Int, _ code: Code = .unexpectedByte) -> JSONError {
    offset < text.count ? JSONError(code, at: offset) : JSONError(.unexpectedEnd, at: text.count)
  }
}

extension JSONError.Code {
  package var errorCode: ErrorCode {
    switch self {
    case .unexpectedByte: .unexpectedByte
    case .unexpectedEnd: .unexpectedEnd
    case .trailingBytes: .trailingBytes
    case .invalidUTF8: .invalidUTF8
    case .controlCharacter: .controlCharacter
    case .invalidEscape: .invalidEscape
    case .loneSurrogate: .loneSurrogate
    case .nestingTooDeep: .nestingTooDeep
    case .exponentTooLarge: .exponentTooLarge
    }
  }
}
