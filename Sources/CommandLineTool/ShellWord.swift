/// Texts as single words of a shell's own syntax.
package enum ShellWord {
  /// For bash and zsh: nothing between single quotes has a meaning, and a quote is put between two such words.
  package static func posix(_ text: String) -> String {
    if isPlain(text) { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  /// For fish, where a backslash keeps its meaning between single quotes.
  static func fish(_ text: String) -> String {
    if isPlain(text) { return text }
    return "'" + text.map { #"\'"#.contains($0) ? #"\\#($0)"# : String($0) }.joined() + "'"
  }

  /// For a part of one of zsh's option specifications, where brackets and colons end the part.
  static func zshPart(_ text: String) -> String {
    text.map { #"\[]:"#.contains($0) ? #"\\#($0)"# : String($0) }.joined()
  }

  /// Needs no quotes in any shell.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
  }

  /// A name for a shell function: `frame check-laws` as `_frame_check_laws`.
  static func function(_ path: String) -> String {
    "_" + path.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
  }
}
