import SystemIO

/// A completion script for bash 3.2 and later; it does not need other packages.
struct BashCompletion {
  let tool: Command

  var text: String {
    let name = ShellWord.function(tool.name)
    return """
      # bash completion for \(tool.name), made by '\(tool.name) --generate bash'.

      # Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
      # choices, or print with a list.
      \(name)_value() {
        choices=()
        case "$1 $2" in
      \(valueCases)    *) value= ;;
        esac
      }

      # The names of the options of command $1.
      \(name)_options() {
        choices=()
        case "$1" in
      \(optionCases)  esac
      }

      # Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
      # print with a list.
      \(name)_operand() {
        value=none
        case "$1" in
      \(operandCases)  esac
      }

      \(ShellLists(tool).posix(name))\(Self.body(name, tool: tool.name))
      complete -F \(name) \(tool.name)

      """
  }

  private var tree: [(path: String, command: Command)] { tool.tree(path: tool.name) }

  private var valueCases: String {
    let own = tree.flatMap { path, command in
      command.options.map { valueCase($0) { ShellWord.posix("\(path) \($0)") } }
    }
    return (own + OptionsOfAllTools.options.map { valueCase($0.help) { "*" + ShellWord.posix(" \($0)") } })
      .joined()
  }

  private func valueCase(_ option: OptionHelp, pattern: (String) -> String) -> String {
    guard option.value != nil else { return "" }
    let patterns = option.names.map(pattern).joined(separator: " | ")
    return "    \(patterns)) \(action(option.completion)) ;;\n"
  }

  private func action(_ completion: OptionHelp.Completion) -> String {
    switch completion {
    case .nothing: "value='free'"
    case .file: "value='file'"
    case .choices(let choices): choice(choices)
    case .printed(let list): choice([list.name], or: "print")
    }
  }

  private var optionCases: String {
    tree.map { path, command in
      let names = command.everyOption.flatMap(\.names).map(ShellWord.posix).joined(separator: " ")
      return "    \(ShellWord.posix(path))) choices=(\(names)) ;;\n"
    }.joined()
  }

  private var operandCases: String {
    tree.map { "    \(ShellWord.posix($0.path))) \(operand($0.command)) ;;\n" }.joined()
  }

  private func operand(_ command: Command) -> String {
    if !command.subcommands.isEmpty {
      return choice(command.subcommands.map(\.name), or: command.isMixed ? "mixed" : "choice")
    }
    if command.operands.isCommand { return "value='command'" }
    return command.operands.count.upperBound > 0 ? action(command.operands.completion) : "value='none'"
  }

  private func choice(_ words: [String], or kind: String = "choice") -> String {
    "value='\(kind)' choices=(\(words.map(ShellWord.posix).joined(separator: " ")))"
  }
}
