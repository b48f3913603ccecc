/// The approximate width of text, precise enough for cutting it.
enum TextWidth {
  /// The text, cut to this many pixels; an ellipsis marks the cut.
  static func fitting(_ text: String, into width: Int, size: Int) -> String {
    var (taken, kept) = (0.0, "")
    let limit = Double(width) / Double(size)
    for character in text {
      taken += Self.width(character)
      if taken > limit {
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
      }
      kept.append(character)
    }
    return kept
  }

  /// The width of the text, in pixels.
  static func pixels(_ text: some StringProtocol, size: Int) -> Int {
    Int(text.reduce(0) { $0 + width($1) } * Double(size))
  }

  private static func width(_ character: Character) -> Double {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.value >= 0x1100 { return 1.1 }
    if "iljtf.,:;'|! ·".unicodeScalars.contains(scalar) { return 0.4 }
    return "mwMW".unicodeScalars.contains(scalar) ? 1.0 : ("A"..."Z").contains(scalar) ? 0.78 : 0.68
  }
}
