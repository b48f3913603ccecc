import JSONLines

/// Properties of a text, by the complete text instead of span and range.
enum JSONTexts {
  /// The error of validating the complete text, nil if it is valid.
  static func error(_ text: [UInt8]) -> JSONError? {
    do {
      try JSONScanner.validate(text.span)
      return nil
    } catch {
      return error
    }
  }

  /// The range of the value in a valid text, without white space around it.
  static func value(_ text: [UInt8]) -> Range<Int> {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return text.firstIndex { !isSpace($0) }!..<text.lastIndex { !isSpace($0) }! + 1
  }

  /// The canonical form of a valid text.
  static func canonical(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    CanonicalJSON.append(text.span, value(text), to: &bytes)
    return bytes
  }

  static func canonical(_ text: String) -> String {
    String(decoding: canonical(Array(text.utf8)), as: UTF8.self)
  }

  /// Whether two valid texts hold equal values.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    JSONEquality.isEqual(a.span, value(a), b.span, value(b))
  }

  static func areEqual(_ a: String, _ b: String) -> Bool {
    areEqual(Array(a.utf8), Array(b.utf8))
  }
}
