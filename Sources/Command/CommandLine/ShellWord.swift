import SystemIO

extension ShellWord {
  /// For fish, where a backslash keeps its meaning between single quotes.
  static func fish(_ text: String) -> String {
    if isPlain(text) { return text }
    return "'" + text.map { #"\'"#.contains($0) ? #"\\#($0)"# : String($0) }.joined() + "'"
  }

  /// For a part of one of zsh's option specifications, where brackets and colons end the part.
  static func zshPart(_ text: String) -> String {
    text.map { #"\[]:"#.contains($0) ? #"\\#($0)"# : String($0) }.joined()
  }

  /// A name for a shell function: `frame check-laws` as `_frame_check_laws`.
  static func function(_ path: String) -> String {
    "_" + path.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
  }
}
