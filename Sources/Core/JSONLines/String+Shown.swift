extension String {
  /// A name as a person may see it, at most 60 scalars of it.
  package var shown: String { shown(upTo: 60) }

  /// A text as a person may see it, at most so many scalars of it.
  package func shown(upTo limit: Int) -> String {
    let text = String(String.UnicodeScalarView(unicodeScalars.prefix(limit)))
    return text.escapingControls + (unicodeScalars.dropFirst(limit).isEmpty ? "" : "…")
  }

  /// As a person may see it: nothing in it steers a terminal or turns the text around.
  package var escapingControls: String {
    guard unicodeScalars.contains(where: Self.steers) else { return self }
    return unicodeScalars.map { Self.steers($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }
      .joined()
  }

  /// A JSON text with the same meaning and nothing in it that steers a terminal or turns the text around.
  ///
  /// Such characters stand in strings only, where an escape says the same.
  package var escapingControlsInJSON: String { escaping(Self.steers) }

  /// Lines as a terminal may show them: line ends and tabs stay.
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
    // Most are ASCII, and asking for the category takes long.
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
