/// Texts as single words of a shell's own syntax.
package enum ShellWord {
  /// For sh, bash and zsh: nothing between single quotes has a meaning, and a quote is put between two such words.
  package static func posix(_ text: String) -> String {
    if isPlain(text) { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  /// A path as a word that is no option, whatever it begins with.
  package static func path(_ path: String) -> String { posix(path.hasPrefix("-") ? "./\(path)" : path) }

  /// Needs no quotes in any shell.
  package static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
  }
}
