/// Filling lines with words.
enum Wrapping {
  /// The words of `text` on lines of at most `width` characters; a longer word has a line of its own.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in words(text) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Sentences, each with single blanks between its words.
  static func sentences(_ text: String) -> [String] {
    var sentences: [String] = []
    var isOpen = false
    for word in words(text) {
      if isOpen {
        sentences[sentences.count - 1] += " " + word
      } else {
        sentences.append(String(word))
      }
      isOpen = !endsSentence(word)
    }
    return sentences
  }

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { String($0) }
  }

  private static func endsSentence(_ word: String) -> Bool {
    word.last { !"\"')]”’".contains($0) }.map { ".!?".contains($0) } ?? false
  }
}
