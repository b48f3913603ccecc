import Foundation
import Testing

/// The programs for which the files are generated accept them.
@Suite struct ShellFileTests {
  /// mandoc finds the other tools' pages, to which each refers, in the folder where it runs.
  @Test(.needs("mandoc"), arguments: Tools.names)
  func mandocHasNoComplaint(tool: String) async throws {
    let complaints = text(try await run("cd '\(folder(.man, tool))' && mandoc -T lint -W all \(tool).1"))
    #expect(complaints == "")
  }

  @Test(.needs("bash"), arguments: Tools.names)
  func bashLoads(tool: String) async throws {
    let script = """
      . '\(path(.bash, tool))'
      complete -p \(tool)
      """
    let outcome = try await run("bash --norc --noprofile -euc \(quoted(script))")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(text(outcome))")
  }

  @Test(.needs("zsh"), arguments: Tools.names)
  func zshLoads(tool: String) async throws {
    let script = """
      fpath=('\(folder(.zsh, tool))' $fpath)
      autoload -Uz compinit
      compinit -D -u
      autoload +X _\(tool)
      print -r -- $_comps[\(tool)]
      """
    let function = text(try await run("zsh -fec \(quoted(script))"))
    #expect(function == "_\(tool)\n")
  }

  @Test(.needs("fish"), arguments: Tools.names)
  func fishLoadsAndOffersHelp(tool: String) async throws {
    let script = """
      source '\(path(.fish, tool))'
      complete -C '\(tool) --hel'
      """
    let offer = text(try await run("fish --no-config -c \(quoted(script))"))
    #expect(offer.hasPrefix("--help"))
  }

  private func run(_ command: String) async throws -> Outcome {
    try await Sandbox(tools: Tools.folder).run(command)
  }

  private func path(_ kind: ShellFile, _ tool: String) -> String {
    Repository.root.appending(path: kind.path(of: tool)).path
  }

  private func folder(_ kind: ShellFile, _ tool: String) -> String {
    URL(filePath: path(kind, tool)).deletingLastPathComponent().path
  }

  private func quoted(_ script: String) -> String { "'" + script.replacing("'", with: #"'\''"#) + "'" }

  private func text(_ outcome: Outcome) -> String {
    String(decoding: outcome.output + outcome.errors, as: UTF8.self)
  }
}
