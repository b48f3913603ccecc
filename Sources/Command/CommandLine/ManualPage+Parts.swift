// The pieces that a page is made of, each a list of source lines.

extension ManualPage {
  /// `.Nm` and the command's words, options and operands.
  func usage(_ path: String, _ command: Command) -> [String] {
    let words = path.split(separator: " ").dropFirst().map { ".Cm \($0)" }
    return [".Nm"] + words + command.synopsis.split(separator: " ").flatMap(operand)
  }

  /// `[FILE]...` as an optional argument; brackets may hold several words.
  private func operand(_ word: Substring) -> [String] {
    let opened = word.prefix { $0 == "[" }
    let name = word.dropFirst(opened.count).prefix { $0 != "]" }
    let closed = word[name.endIndex...].prefix { $0 == "]" }
    let tail = word[closed.endIndex...]
    var lines = opened.map { _ in ".Oo" } + [macro(name)] + closed.map { _ in ".Oc" }
    if !tail.isEmpty { lines[lines.count - 1] += " Ns " + Mdoc.argument(String(tail)) }
    return lines
  }

  private func macro(_ name: Substring) -> String {
    name.hasPrefix("-")
      ? ".Fl " + Mdoc.argument(String(name.dropFirst())) : ".Ar " + Mdoc.argument(String(name))
  }

  func paragraphs(_ texts: [String]) -> [String] {
    Array(texts.map(Mdoc.lines).joined(separator: [".Pp"]))
  }

  func list(_ options: [OptionHelp]) -> [String] {
    [".Bl -tag -width Ds"] + options.flatMap { [item($0)] + Mdoc.lines($0.explanation) } + [".El"]
  }

  private func item(_ option: OptionHelp) -> String {
    let short = option.short.map { " Fl \(Mdoc.argument(String($0))) ," } ?? ""
    let value = option.value.map { " Ar \(Mdoc.argument($0))" } ?? ""
    return ".It\(short) Fl \(Mdoc.argument("-" + option.long))\(value)"
  }

  func example(_ example: Command.Example) -> [String] {
    Mdoc.lines(example.heading) + [".Bd -literal -offset indent"] + example.lines.map(Mdoc.literal) + [".Ed"]
  }
}
