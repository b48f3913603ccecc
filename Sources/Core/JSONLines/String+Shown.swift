extension String {
  /// A name in a form that is safe to show, cut to at most 60 scalars.
  package var shown: String { shown(upTo: 60) }

  /// A text in a form that is safe to show, cut to at most this many scalars.
  package func shown(upTo limit: Int) -> String {
    let text = String(String.UnicodeScalarView(unicodeScalars.prefix(limit)))
    return text.escapingControls + (unicodeScalars.dropFirst(limit).isEmpty ? "" : "…")
  }

  /// The text made safe to show, without characters that control a terminal or change the direction of text.
  package var escapingControls: String {
    guard unicodeScalars.contains(where: Self.steers) else { return self }
    return unicodeScalars.map { Self.steers($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }
      .joined()
  }

  /// A JSON text with the same meaning, without characters that control a terminal or change the direction of
  /// text.
  ///
  /// Such characters appear only in strings, where an escape is equivalent.
  package var escapingControlsInJSON: String { escaping(Self.steers) }

  /// Lines in a form that is safe for a terminal; line ends and tabs are kept.
  package var shownOnTerminal: String {
    escaping { Self.steers($0) && !"\n\r\t".unicodeScalars.contains($0) }
  }

  private func escaping(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: isEscaped) else { return self }
    return unicodeScalars.map { scalar in
      guard isEscaped(scalar) else { return String(scalar) }
      return UTF16.encode(scalar)!.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }.joined()
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    // Most scalars are ASCII, and looking up the category is slow.
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
