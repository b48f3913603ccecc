import SystemIO

extension Command {
  /// Runs the process's command line and ends the process.
  package func main() -> Never {
    Interruption.install()
    let words = Array(CommandLine.arguments.dropFirst())
    SystemIO.exit(run(words).rawValue)
  }

  /// Runs a command line and says how the process should end; only this function turns errors into output.
  private func run(_ words: [String]) -> ExitStatus {
    let (command, path, rest) = select(words)
    var common = CommonSettings()
    do {
      let action: Action
      do {
        action = try command.prepare(rest, &common)
      } catch {
        throw error.diagnostic(in: path)
      }
      if let text = information(common, command, path) {
        try Descriptor.standardOutput.write(text)
        return .done
      }
      return try action(console(common))
    } catch {
      return report(error, path, console(common, words))
    }
  }

  /// Follows the leading words down the subcommands.
  private func select(_ words: [String]) -> (command: Command, path: String, rest: [String]) {
    guard let word = words.first, let next = subcommands.first(where: { $0.name == word }) else {
      return (self, name, words)
    }
    let (command, path, rest) = next.select(Array(words.dropFirst()))
    return (command, "\(name) \(path)", rest)
  }

  private func information(_ common: CommonSettings, _ command: Command, _ path: String) -> String? {
    if let kind = common.generate { return generated(kind) }
    if common.wantsHelp { return command.helpPage(path: path) }
    if common.wantsVersion { return "\(name) \(version)\n" }
    return nil
  }

  private func report(_ error: any Error, _ path: String, _ console: Console) -> ExitStatus {
    switch error {
    case let error as SystemError where error.isBrokenPipe: Interruption.end(by: SIGPIPE)
    case let error as SystemError where error.isInterruption:
      Interruption.end(by: Interruption.pending ?? SIGINT)
    case let error as SystemError: return console.report(Diagnostic(error))
    case let error as Diagnostic: return console.report(error)
    case let error as UsageError: return console.report(error.diagnostic(in: path))
    default: return console.report(Diagnostic(.bug, "unexpected error: \(error)"))
    }
  }

  /// A wrong command line is reported in the format that it asks for, though it was not read to its end.
  private func console(_ common: CommonSettings, _ words: [String] = []) -> Console {
    let asked =
      words.contains("--errors=json") || zip(words, words.dropFirst()).contains { $0 == ("--errors", "json") }
    let preset = Environment.value("PEERSYNC_ERRORS").flatMap(Console.Format.init(rawValue:))
    return Console(
      tool: name, format: common.errors ?? (asked ? .json : preset ?? .text), quiet: common.quiet)
  }
}
