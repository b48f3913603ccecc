import SystemIO

/// A completion script for fish.
struct FishCompletion {
  let tool: Command

  var text: String {
    let name = ShellWord.function("_" + tool.name)
    let lines = tool.tree(path: tool.name).flatMap { path, command in
      options(path, command) + operands(path, command, function: name)
    }
    return """
      # fish completion for \(tool.name), made by '\(tool.name) --generate fish'.

      # Whether option $argv[2] of command $argv[1] takes a value.
      function \(name)_takes_value
          switch "$argv"
      \(valueCases)            return 0
          end
          return 1
      end

      \(ShellLists(tool).fish(name))\(Self.body(name, tool: tool.name, parents: parents, children: children, wrappers: wrappers))

      complete -c \(tool.name) -f
      \(lines.joined(separator: "\n"))

      """
  }

  private var valueCases: String {
    let own = tool.tree(path: tool.name).flatMap { path, command in patterns(path, command.options) }
    let common = patterns("*", OptionsOfAllTools.options.map(\.help))
    return "        case " + (own + common).joined(separator: " \\\n            ") + "\n"
  }

  private func patterns(_ path: String, _ options: [OptionHelp]) -> [String] {
    options.filter { $0.value != nil }.flatMap(\.names).map { ShellWord.fish("\(path) \($0)") }
  }

  /// The commands that require a subcommand.
  private var parents: String { paths { $0.isGroup } }

  /// The subcommands of commands with an action of their own, with full paths, as `_words` looks for them.
  private var children: String {
    let mixed = tool.tree(path: tool.name).filter(\.command.isMixed)
    let words = mixed.flatMap { path, command in
      command.subcommands.map { ShellWord.fish("first \(path) \($0.name)") }
    }
    return words.joined(separator: " ")
  }

  /// The commands that have a program and its arguments as operands.
  private var wrappers: String { paths { $0.operands.isCommand && $0.subcommands.isEmpty } }

  private func paths(where condition: (Command) -> Bool) -> String {
    tool.tree(path: tool.name).filter { condition($0.command) }.map { ShellWord.fish($0.path) }
      .joined(separator: " ")
  }

  private func options(_ path: String, _ command: Command) -> [String] {
    command.everyOption.map { option in
      let short = option.short.map { "-s \(ShellWord.fish(String($0))) " } ?? ""
      let description = "-d " + ShellWord.fish(option.brief)
      return line(path, "\(short)-l \(ShellWord.fish(option.long)) \(value(of: option))\(description)")
    }
  }

  private func value(of option: OptionHelp) -> String {
    guard option.value != nil else { return "" }
    switch option.completion {
    case .nothing: return "-x "
    case .file: return "-r -F "
    case .choices(let words): return "-x -a \(ShellWord.fish(words.joined(separator: " "))) "
    case .printed(let list): return "-x -a \(call(list)) "
    }
  }

  private func call(_ list: OptionHelp.ShellList) -> String {
    "'(\(ShellWord.function("_" + tool.name))_print \(list.name))'"
  }

  private func operands(_ path: String, _ command: Command, function: String) -> [String] {
    if !command.subcommands.isEmpty {
      let names = command.subcommands.map {
        let offer = "-a \(ShellWord.fish($0.name)) -d \(ShellWord.fish($0.abstract))"
        return command.isMixed ? line(path, offer, while: "first") : line(path, "-x \(offer)")
      }
      return command.isMixed ? names + [line(path, "-F")] : names
    }
    if command.operands.isCommand {
      return [path, path + " --"].map { line($0, "-x -a '(\(function)_command)'") }
    }
    guard command.operands.count.upperBound > 0 else { return [] }
    switch command.operands.completion {
    case .nothing: return []
    case .file: return [line(path, "-F")]
    case .choices(let words): return [line(path, "-a \(ShellWord.fish(words.joined(separator: " ")))")]
    case .printed(let list): return [line(path, "-a \(call(list))")]
    }
  }

  private func line(_ path: String, _ rest: String, while condition: String = "at") -> String {
    let name = ShellWord.function("_" + tool.name) + "_" + condition
    return "complete -c \(tool.name) -n \(ShellWord.fish("\(name) " + ShellWord.fish(path))) \(rest)"
  }
}
