import Foundation
import Testing

/// What every command of every tool answers before it reads anything else.
@Suite struct QuestionTests {
  /// One process of the shell asks all of them; a sandbox for each would take minutes.
  @Test func helpVersionAndPagesTakeAnyNumberOfOperands() throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    try sandbox.write(Self.script, to: "ask")
    let outcome = try sandbox.run("sh ask \(Tools.names.joined(separator: " "))", limit: .seconds(120))
    #expect(outcome.errors.isEmpty)
    let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.dropLast() == [])
    // The subcommands are read from the help: more than three for each tool.
    let asked = lines.last.flatMap { Int($0.split(separator: " ")[0]) } ?? 0
    #expect(asked > 3 * Tools.names.count, "\(asked) commands")
  }

  /// Prints each command line that fails or prints a diagnostic, then how many commands were asked.
  private static let script = #"""
    many="a b c d e f g h i j k l m n o p q r s t"
    asked=0
    ask() {
      "$@" >answer 2>complaint
      status=$?
      [ "$status" = 0 ] && [ -s answer ] && [ ! -s complaint ] && return
      echo "$*: status $status: $(head -n 1 complaint)"
    }
    visit() {
      asked=$((asked + 1))
      for kind in man bash zsh fish; do
        for words in '' a "$many"; do ask "$@" --generate $kind $words; done
      done
      for words in '' a "$many"; do
        ask "$@" --version $words
        ask "$@" --no-such-option $words --help
        ask "$@" --help $words
      done
      subcommands=$(sed -n '/^Commands:$/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' answer)
      case $(sed '/^$/q' answer) in
        # What follows the first operand belongs to the subcommand or the program.
        *COMMAND*) ;;
        *) for words in a "$many"; do ask "$@" $words --help; done ;;
      esac
      for name in $subcommands; do visit "$@" "$name"; done
    }
    for tool; do visit "$tool"; done
    echo "$asked commands"
    """#
}
