/// Elements as text; foreign text is escaped, so that it cannot become markup.
struct XMLText {
  private(set) var text = ""

  /// Appends markup that is already escaped.
  mutating func raw(_ markup: String) { text += markup }

  /// Appends an element; attributes are in the order of their names.
  mutating func element(_ name: String, _ attributes: [String: String], _ content: String = "") {
    text += "<\(name)"
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      text += " \(name)=\"\(Self.escaped(value))\""
    }
    text += content.isEmpty ? "/>\n" : ">\(Self.escaped(content))</\(name)>\n"
  }

  /// Escapes a text; characters that XML 1.0 does not allow are left out.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}", "\u{202A}"..."\u{202E}",
        "\u{2066}"..."\u{2069}":
        break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
