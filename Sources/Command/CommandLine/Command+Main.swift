internal import CCommit
import JSONLines
import SystemIO

extension Command {
  /// Runs the process's command line and ends the process.
  package func main() -> Never {
    StandardStreams.reserve()
    Interruption.install()
    guard let words = Environment.words else {
      SystemIO.exit(
        console(OptionsOfAllTools(), Environment.repairedWords)
          .report(Diagnostic(.wrongOperands, "an argument is not UTF-8")).rawValue)
    }
    SystemIO.exit(run(Array(words.dropFirst())).rawValue)
  }

  /// Runs a command line and returns how the process should end; only this function turns errors into output.
  func run(_ words: [String]) -> ExitStatus {
    var common = OptionsOfAllTools()
    var path: [Command] = []
    let action: Action
    do {
      action = try prepare(words, &common, &path)
    } catch {
      let console = console(common, words)
      if error == .missingCommand, console.format == .text {
        console.write(ShortHelp(command: path.last ?? self, path: spelling(path)).text)
        return error.diagnostic(in: name).exit
      }
      return console.report(error.diagnostic(in: spelling(path)))
    }
    let console = console(common)
    if let wrong = Self.wrongVariable { return console.report(wrong) }
    do {
      if let text = information(common, path) {
        try Descriptor.standardOutput.write(text)
        return .done
      }
      return try action(console)
    } catch {
      return report(error, spelling(path), console)
    }
  }

  /// Selects the subcommand of a command line; `path` receives the subcommands, even before an error.
  private func prepare(
    _ words: [String], _ common: inout OptionsOfAllTools, _ path: inout [Command]
  ) throws(UsageError) -> Action {
    // Then a small run does not create the table of subcommands.
    if !isGroup, OperandHelp.areAll(words), words.first.map(Self.isSpelledAsFile) ?? true {
      return try prepare(words, &common)
    }
    if subcommands.isEmpty { return try prepare(words, &common) }
    var early = common
    let rest: [String]
    do throws(UsageError) {
      rest = try leadingWords(words, &early)
    } catch {
      // The option may belong to a subcommand.
      if isGroup { throw belonging(error, among: words) }
      if case .unknownOption(let option, _) = error, let next = laterCommand(in: words) {
        if next.options.contains(where: { $0.names.contains(option) }) {
          throw .optionBeforeCommand(option, command: next.name)
        }
        path.append(next)
        throw .conflict("'\(next.name)' does not have the option '\(option)'")
      }
      return try prepare(words, &common)
    }
    if let next = subcommands.first(where: { $0.name == rest.first }) {
      common = early
      path.append(next)
      return try next.prepare(Array(rest.dropFirst()), &common, &path)
    }
    if !isGroup {
      if let word = rest.first { try checkOperand(word) }
      return try prepare(words, &common)
    }
    common = early
    if common.endsEarly { return { _ in .done } }
    guard let word = rest.first else { throw .missingCommand }
    let near = Spelling.command(for: word, among: subcommands.map(\.name))
    throw near == nil && Self.isFile(word) ? .fileBeforeCommand(word) : .unknownCommand(word, near: near)
  }

  /// The error about an unknown option; if a subcommand follows, the option may belong to it.
  private func belonging(_ error: UsageError, among words: [String]) -> UsageError {
    guard case .unknownOption(let option, nil) = error else { return error }
    if let next = words.lazy.compactMap({ word in subcommands.first { $0.name == word } }).first {
      return .optionBeforeCommand(option, command: next.name)
    }
    let isOfCommand = subcommands.contains { $0.options.contains { $0.names.contains(option) } }
    return isOfCommand ? .missingCommand : error
  }

  /// The subcommand that is the first operand after options of this command; nil if that is a file.
  private func laterCommand(in words: [String]) -> Command? {
    var ignored = OptionsOfAllTools()
    guard let word = (try? leadingWords(words, of: options, &ignored))?.first, !FileMode.exists(word) else {
      return nil
    }
    return subcommands.first { $0.name == word }
  }

  /// Throws if a subcommand may appear, and a word is not a file.
  ///
  /// A word is a file if the file exists or the word is spelled like a file.
  private func checkOperand(_ word: String) throws(UsageError) {
    guard !subcommands.isEmpty, !Self.isFile(word) else { return }
    guard let near = Spelling.command(for: word, among: subcommands.map(\.name)) else {
      throw .neitherCommandNorFile(word)
    }
    throw .unknownCommand(word, near: near)
  }

  private static func isFile(_ word: String) -> Bool { isSpelledAsFile(word) || FileMode.exists(word) }

  /// Whether a word has a dot or a slash, as no subcommand has, or is `-`.
  private static func isSpelledAsFile(_ word: String) -> Bool {
    word == "-" || word.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }
  }

  /// The words after the leading options, common ones and those of `options`.
  ///
  /// After `--` they are empty, because then a subcommand cannot follow.
  private func leadingWords(
    _ words: [String], of options: [OptionHelp] = [], _ common: inout OptionsOfAllTools
  ) throws(UsageError) -> [String] {
    if OperandHelp.areAll(words) { return words }
    var parser = OptionParser<Void>(
      options: options.map { Option<Void>(help: $0) { _, _ in [] } }, operands: Self.groupOperands)
    var nothing: Void = ()
    let rest = try parser.parse(words, into: &nothing, common: &common)
    return words.dropLast(rest.count).last == "--" ? [] : rest
  }

  private func spelling(_ path: [Command]) -> String { ([self] + path).map(\.name).joined(separator: " ") }

  private func information(_ common: OptionsOfAllTools, _ path: [Command]) -> String? {
    if let kind = common.generate { return generated(kind) }
    switch common.help {
    case .whole?: return (path.last ?? self).helpPage(path: spelling(path))
    case .short?: return ShortHelp(command: path.last ?? self, path: spelling(path)).text
    case nil: break
    }
    if common.wantsVersion { return "\(name) \(Self.version)\n" }
    return nil
  }

  /// The version number, with the commit if it is known.
  package static var version: String {
    let commit = unsafe String(cString: peersync_commit_text())
    return JSONLines.version + (commit.isEmpty ? "" : " (\(commit))")
  }

  /// The error for an environment variable with an invalid value; otherwise the value would be ignored
  /// silently.
  private static var wrongVariable: Diagnostic? {
    if let fault = Places.fault { return Diagnostic(.invalidOptionValue, fault) }
    guard let value = Environment.value("PEERSYNC_ERRORS"), Console.Format(rawValue: value) == nil else {
      return nil
    }
    return Diagnostic(.invalidOptionValue, "PEERSYNC_ERRORS: '\(value)' is not \(Console.Format.expectation)")
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

  /// The console for reporting a wrong command line: in the format that `words` request, even if they were
  /// not parsed completely.
  private func console(_ common: OptionsOfAllTools, _ words: [String] = []) -> Console {
    let asked =
      words.contains("--errors=json") || zip(words, words.dropFirst()).contains { $0 == ("--errors", "json") }
    let preset = Environment.value("PEERSYNC_ERRORS").flatMap(Console.Format.init(rawValue:))
    return Console(
      tool: name, format: common.errors ?? (asked ? .json : preset ?? .text), quiet: common.quiet)
  }
}
