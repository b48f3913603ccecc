/// Text on a terminal, where a character takes up to two cells.
package enum TextCells {
  package static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width($1) } }

  /// The cells of a character: two for East Asian characters and emoji, none for combining marks.
  private static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first, !scalar.isASCII else { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  package static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  /// The text padded with blanks at its end or start.
  package static func padded(_ text: String, to width: Int, atEnd: Bool = true) -> String {
    let blanks = blanks(width - Self.width(text))
    return atEnd ? text + blanks : blanks + text
  }

  /// The text without blanks at its end.
  package static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// The longest prefix of the text that fits, with an ellipsis if it is cut.
  package static func fitting(_ text: String, into width: Int) -> String {
    guard Self.width(text) > width else { return text }
    var (kept, taken) = ("", 1)
    for character in text {
      taken += Self.width(character)
      if taken > width { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The text in lines of at most this many cells, broken at blanks if possible.
  package static func wrapped(_ text: String, into width: Int) -> [String] {
    wrapped(text, fits: { Self.width($0) <= width })
  }

  /// The text in lines that fit, broken at blanks if possible.
  package static func wrapped(_ text: String, fits: (Substring) -> Bool) -> [String] {
    var (lines, rest) = ([String](), text[...])
    while !rest.isEmpty, !fits(rest) {
      var (end, blank) = (rest.startIndex, rest.startIndex)
      while end < rest.endIndex, fits(rest[...end]) {
        if rest[end] == " " { blank = end }
        end = rest.index(after: end)
      }
      // A character wider than a line is put on its own line.
      if end == rest.startIndex { end = rest.index(after: end) }
      if end < rest.endIndex, rest[end] == " " { blank = end }
      if blank > rest.startIndex { end = blank }
      lines.append(String(rest[..<end]))
      rest = rest[end...].drop { $0 == " " }
    }
    return rest.isEmpty && !lines.isEmpty ? lines : lines + [String(rest)]
  }
}
