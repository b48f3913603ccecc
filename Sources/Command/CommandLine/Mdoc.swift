/// The mdoc(7) source of texts that are not ours to choose.
enum Mdoc {
  /// A text as source lines: each sentence begins a line, and none is longer than 80 bytes unless a word is.
  static func lines(_ text: String) -> [String] {
    Wrapping.sentences(text).flatMap { Wrapping.lines(escaped($0), width: 78) }.map(guarded)
  }

  /// A line that is printed as it stands, between `.Bd -literal` and `.Ed`.
  static func literal(_ line: String) -> String { guarded(escaped(line)) }

  /// One argument of a macro: never taken for a macro or for punctuation itself.
  static func argument(_ text: String) -> String {
    let text = escaped(text, quote: "\\(dq")
    return text.contains(" ") ? "\"\(text)\"" : "\\&" + text
  }

  /// The characters that roff gives a meaning to, or prints as something prettier than what was typed.
  private static func escaped(_ text: String, quote: String = "\"") -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "\"": quote
      case " "..."~": String(scalar)
      default: unicode(scalar)
      }
    }.joined()
  }

  private static func unicode(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
  }

  /// A period at the start of a line would make it a macro.
  private static func guarded(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }
}
