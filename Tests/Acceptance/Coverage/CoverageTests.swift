import JSONLines
@testable import CommandLine
import Testing

/// Every option, every error code and every example is shown in a transcript or a document.
@Suite struct CoverageTests {
  /// The codes that no transcript can provoke, each with its reason.
  private static let unprovoked: [ErrorCode: String] = [
    .bug: "there would have to be one"
  ]

  private let usage: Usage

  init() throws {
    let paths = Repository.transcripts + Repository.documents
    usage = Usage(paths.compactMap { try? Repository.transcript(at: $0) })
  }

  @Test func everyOptionIsUsed() throws {
    let unused = try Tools.commands.get().flatMap { unusedOptions(of: $0) }
    #expect(unused == [])
  }

  /// The parser, the pages and the completions rely on it.
  @Test func everyTableIsGood() throws { #expect(try Tools.commands.get().flatMap { lint($0) } == []) }

  @Test func everyShortHelpHasAnExample() throws {
    let helps = try Tools.commands.get().flatMap { tool in
      tool.tree(path: tool.name).map { ShortHelp(command: $0.command, path: $0.path).text }
    }
    #expect(helps.filter { !$0.contains("\n  $ ") } == [])
  }

  /// Options that all tools share need to be used with only one of them.
  @Test func everyCommonOptionIsUsed() {
    let unused = OptionsOfAllTools.options.map(\.help).filter { option in
      !Tools.names.contains { usage.hasOption(option, of: [$0]) }
    }
    #expect(unused.map(\.long) == [])
  }

  @Test func everyCodeIsShownAsJSON() {
    let (exceptions, codes) = (Self.unprovoked.keys, ErrorCode.allCases)
    let unseen = codes.filter { !exceptions.contains($0) && !usage.hasCode($0) }
    let seen = exceptions.filter { usage.hasCode($0) }
    #expect(unseen.map(\.rawValue) == [])
    #expect(seen.map(\.rawValue) == [], "these need no exception")
  }

  @Test func everyExampleShowsWhatItDoes() throws {
    let all = try Set(Tools.commands.get().flatMap { examples(of: $0) })
    let unshown = all.filter { !usage.showsEffect(of: $0, among: all) }
    #expect(
      unshown.sorted() == [],
      "each prints something in a transcript, or a step follows that uses what it made")
  }

  /// As `frame decode --annotate`, of a command and its subcommands.
  private func unusedOptions(of command: Command, below path: [String] = []) -> [String] {
    let path = path + [command.name]
    let own = command.options.filter { !usage.hasOption($0, of: path) }.map { option in
      path.joined(separator: " ") + " --" + option.long
    }
    return own + command.subcommands.flatMap { unusedOptions(of: $0, below: path) }
  }

  private func examples(of command: Command) -> [String] {
    command.examples.map(\.command) + command.subcommands.flatMap { examples(of: $0) }
  }
}
