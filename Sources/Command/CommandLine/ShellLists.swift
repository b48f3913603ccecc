import SystemIO

/// The lists that a tool's completions read on demand.
struct ShellLists {
  private let lists: [OptionHelp.ShellList]

  init(_ tool: Command) {
    var lists: [OptionHelp.ShellList] = []
    for (_, command) in tool.tree(path: tool.name) {
      for case .printed(let list) in command.everyOption.map(\.completion) + [command.operands.completion]
      where !lists.contains(list) {
        lists.append(list)
      }
    }
    self.lists = lists
  }

  var isEmpty: Bool { lists.isEmpty }

  /// A function for bash and zsh that prints list $1, one value per line; empty without lists.
  func posix(_ function: String) -> String {
    guard !isEmpty else { return "" }
    let cases = lists.map { "    \($0.name)) \($0.command) ;;\n" }.joined()
    return """
      # Prints list $1, one value per line.
      \(function)_print() {
        case $1 in
      \(cases)  esac 2>/dev/null
      }


      """
  }

  /// The same function for fish.
  func fish(_ function: String) -> String {
    guard !isEmpty else { return "" }
    let cases = lists.map { list in
      "        case \(list.name)\n            sh -c \(ShellWord.fish(list.command)) 2>/dev/null\n"
    }.joined()
    return """
      # Prints list $argv[1], one value per line.
      function \(function)_print
          switch $argv[1]
      \(cases)    end
      end


      """
  }
}
