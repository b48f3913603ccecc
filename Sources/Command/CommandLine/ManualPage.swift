import JSONLines
/// The man page of a tool in mdoc(7), its subcommands as subsections; `mandoc -T lint` has nothing to say on it.
struct ManualPage {
  let tool: Command

  var text: String {
    let lines = head + synopsis + description + options + commands + environment + exitStatus + examples
    return (lines + diagnostics + seeAlso).map { $0 + "\n" }.joined()
  }

  private var head: [String] {
    [
      ".Dd \(releaseDate)", ".Dt \(tool.name.uppercased()) 1", ".Os",
      ".Sh NAME", ".Nm \(tool.name)", ".Nd " + Mdoc.lines(tool.abstract).joined(separator: " "),
    ]
  }

  private var synopsis: [String] {
    [".Sh SYNOPSIS"] + tool.tree(path: tool.name).filter { !$0.command.isGroup }.flatMap(usage)
  }

  private var description: [String] {
    [".Sh DESCRIPTION"] + paragraphs([tool.sentence] + tool.discussion)
  }

  private var options: [String] {
    let common = list(CommonSettings.options.map(\.help))
    let own = tool.options.isEmpty ? [] : list(tool.options) + [".Pp"]
    return [".Sh OPTIONS"] + own + ["Every command takes these:"] + common
  }

  private var commands: [String] {
    guard !tool.subcommands.isEmpty else { return [] }
    return [".Sh COMMANDS"] + tool.tree(path: tool.name).dropFirst().flatMap(subsection)
  }

  private func subsection(_ path: String, _ command: Command) -> [String] {
    let options = command.options.isEmpty ? [] : list(command.options)
    return [".Ss \(path)", ".Bd -ragged -offset indent -compact"] + usage(path, command) + [".Ed", ".Pp"]
      + paragraphs([command.sentence] + command.discussion) + options
      + command.examples.flatMap { [".Pp"] + example($0) }
  }

  private var environment: [String] {
    [
      ".Sh ENVIRONMENT", ".Bl -tag -width Ds",
      ".It Ev PEERSYNC_ERRORS", "The default of", ".Fl \\-errors :", ".Cm text", "or", ".Cm json .",
      ".It Ev NO_COLOR", "If set and not empty, nothing is coloured, not even on a terminal.",
      ".El",
    ]
  }

  private var exitStatus: [String] {
    let rows = tool.allStatuses.flatMap { [".It \($0.name)"] + Mdoc.lines($0.meaning) }
    return [".Sh EXIT STATUS", ".Bl -tag -width Ds"] + rows + [".El"]
  }

  private var examples: [String] {
    guard !tool.examples.isEmpty else { return [] }
    return [".Sh EXAMPLES"] + tool.examples.map(example).joined(separator: [".Pp"])
  }

  private var diagnostics: [String] {
    [
      ".Sh DIAGNOSTICS",
      "Errors are written to standard error, one line each,",
      "with the place where there is one.",
      "A line that begins with", ".Ql \(tool.name): hint", "names a remedy.",
      "With", ".Fl \\-errors Cm json", "each of them is a JSON object,",
      "whose member", ".Ql code", "never changes its meaning;",
      "docs/exit\\-status.md lists all codes.",
    ]
  }

  private var seeAlso: [String] {
    let others = toolNames.filter { $0 != tool.name }
    return [".Sh SEE ALSO"] + others.map { ".Xr \($0) 1" + ($0 == others.last ? "" : " ,") }
  }
}
