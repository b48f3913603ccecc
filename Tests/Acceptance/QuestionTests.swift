import Foundation
import Testing

/// The answers that every command of every tool gives before it reads anything else.
@Suite struct QuestionTests {
  /// One process of the shell asks all of them; a sandbox for each would take minutes.
  @Test func helpVersionAndPagesTakeAnyNumberOfOperands() async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    try sandbox.write(Self.script, to: "ask")
    let outcome = try await sandbox.run("sh ask \(Tools.names.joined(separator: " "))", limit: .seconds(600))
    #expect(outcome.errors.isEmpty)
    let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
    let counts = lines.compactMap { $0.hasPrefix("asked ") ? Int($0.dropFirst(6)) : nil }
    #expect(lines.filter { !$0.hasPrefix("asked ") } == [])
    #expect(counts.count == Tools.names.count)
    // The subcommands are read from the help: more than three for each tool.
    #expect(counts.reduce(0, +) > 3 * Tools.names.count)
  }

  /// Prints each command line that fails or prints a diagnostic, and how many commands each tool has.
  private static let script = #"""
    many="a b c d e f g h i j k l m n o p q r s t"
    ask() {
      "$@" >answer 2>complaint
      status=$?
      [ "$status" = 0 ] && [ -s answer ] && [ ! -s complaint ] && return
      echo "$*: status $status: $(head -n 1 complaint)"
    }
    visit() {
      asked=$((asked + 1))
      for words in '' \#(Repository.isSet("SOAK") ? "a " : "")"$many"; do
        ask "$@" --version $words
        ask "$@" --generate man $words
        ask "$@" --help $words
      done
      subcommands=$(sed -n '/^Commands:$/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' answer)
      case $(sed '/^$/q' answer) in
        # What follows the first operand belongs to the subcommand or the program.
        *COMMAND*) ;;
        *) ask "$@" $many --help ;;
      esac
      ask "$@" --no-such-option --help
      ask "$@" --generate bash
      ask "$@" --generate zsh a
      ask "$@" --generate fish $many
      for name in $subcommands; do visit "$@" "$name"; done
    }
    for tool; do
      mkdir "$tool"
      (cd "$tool" && asked=0 && visit "$tool" && echo "asked $asked") &
    done
    wait
    """#
}
