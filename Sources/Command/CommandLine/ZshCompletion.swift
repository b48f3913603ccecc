import SystemIO

/// A completion script for zsh: a function for each command, around `_arguments`.
struct ZshCompletion {
  let tool: Command

  var text: String {
    let name = ShellWord.function(tool.name)
    let functions = tool.tree(path: tool.name).map(function).joined(separator: "\n")
    let lists = ShellLists(tool)
    return """
      #compdef \(tool.name)
      # zsh completion, made by '\(tool.name) --generate zsh'.

      \(lists.posix(name))\(lists.isEmpty ? "" : Self.offer(name))\(functions)
      # If autoloaded, this file is the function; if sourced, it only defines the function.
      if [[ $funcstack[1] == \(name) ]]; then
        \(name) "$@"
      else
        compdef \(name) \(tool.name)
      fi

      """
  }

  private static func offer(_ name: String) -> String {
    """
    \(name)_offer() {
      local -a values=("${(@f)$(\(name)_print $1)}")
      compadd -- ${values:#}
    }


    """
  }

  private func function(_ path: String, _ command: Command) -> String {
    let specifications = command.everyOption.flatMap(specifications) + operands(command)
    let arguments = specifications.map { " \\\n    \(ShellWord.posix($0))" }.joined()
    return """
      \(ShellWord.function(path))() {
        local curcontext=$curcontext state line
        local -A opt_args
      \(leave(path, command))  _arguments -s -S -C :\(arguments)
      \(dispatch(path, command))}

      """
  }

  /// `-l+` has its value in the same word or the next; `--limit=` has it after the sign or in the next word.
  private func specifications(_ option: OptionHelp) -> [String] {
    option.names.map { name in
      let isLong = name.hasPrefix("--")
      let others = option.isRepeatable ? "*" : "(\(option.names.joined(separator: " ")))"
      let sign = option.value == nil ? "" : isLong ? "=" : "+"
      return others + name + sign + "[\(ShellWord.zshPart(option.brief))]" + value(of: option)
    }
  }

  private func value(of option: OptionHelp) -> String {
    guard let name = option.value else { return "" }
    return ":\(ShellWord.zshPart(name)):\(action(option.completion))"
  }

  private func action(_ completion: OptionHelp.Completion) -> String {
    switch completion {
    case .nothing: " "
    case .file: "_files"
    case .choices(let words): "(\(words.map(ShellWord.zshPart).joined(separator: " ")))"
    // With a leading blank, the function is called without options of compadd.
    case .printed(let list): " \(ShellWord.function(tool.name))_offer \(list.name)"
    }
  }

  private func operands(_ command: Command) -> [String] {
    if command.isMixed { return ["1:command or file:->first", "*:file:_files"] }
    if !command.subcommands.isEmpty { return ["(-)1:command:->command", "(-)*:::argument:->argument"] }
    if command.operands.isCommand { return ["(-)1:command:_command_names -e", "*::argument:_normal"] }
    guard command.operands.count.upperBound > 0 else { return [] }
    let name =
      switch command.operands.completion {
      case .printed(let list): list.name
      case .nothing, .choices: "argument"
      case .file: "file"
      }
    return ["*:\(name):\(action(command.operands.completion))"]
  }

  /// If the first word is a subcommand, the subcommand's function handles the rest of the line; common
  /// options may precede that word.
  private func leave(_ path: String, _ command: Command) -> String {
    guard command.isMixed else { return "" }
    let common = OptionsOfAllTools.options.map(\.help)
    let valued = common.filter { $0.value != nil }.flatMap(\.names).joined(separator: "|")
    let flags = "-[\(common.compactMap(\.short).map(String.init).joined())]##"
    let cases = command.subcommands.map { subcommand in
      """
          \(subcommand.name))
            shift $((first - 1)) words
            ((CURRENT -= first - 1))
            \(ShellWord.function("\(path) \(subcommand.name)"))
            return ;;

      """
    }
    return """
        setopt localoptions extendedglob
        local -i first=2
        while ((first < CURRENT)); do
          case $words[first] in
            \(valued)) ((first += 2)) ;;
            \(flags)|--(\(common.map(\.long).joined(separator: "|")))(|=*)) ((first += 1)) ;;
            *) break ;;
          esac
        done
        ((first < CURRENT)) && case $words[first] in
      \(cases.joined())  esac

      """
  }

  private func dispatch(_ path: String, _ command: Command) -> String {
    guard !command.subcommands.isEmpty else { return "" }
    if command.isMixed {
      let names = command.subcommands.map(\.name).joined(separator: " ")
      return """
          if [[ $state == first ]]; then
            local -a kinds=('files:file:_files')
            ((CURRENT == first)) && kinds+=('commands:command:(\(names))')
            _alternative $kinds
          fi

        """
    }
    let descriptions = command.subcommands.map { subcommand in
      "      " + ShellWord.posix("\(subcommand.name):\(subcommand.abstract)") + "\n"
    }
    let cases = command.subcommands.map { subcommand in
      "      \(subcommand.name)) \(ShellWord.function("\(path) \(subcommand.name)")) ;;\n"
    }
    return """
        case $state in
        command)
          local -a subcommands=(
      \(descriptions.joined())    )
          _describe -t commands command subcommands
          ;;
        argument)
          words=("$line[1]" "${words[@]}")
          ((CURRENT += 1))
          curcontext=${curcontext%:*:*}:\(ShellWord.function(path).dropFirst())-$line[1]:
          case $line[1] in
      \(cases.joined())    esac
          ;;
        esac

      """
  }
}

extension ShellWord {
  /// A word for fish, in which a backslash is special even between single quotes.
  static func fish(_ text: String) -> String {
    if isPlain(text) { return text }
    return "'" + escaping(#"\'"#, in: text) + "'"
  }

  /// A part of an option specification of zsh, in which brackets and colons end the part.
  static func zshPart(_ text: String) -> String { escaping(#"\[]:"#, in: text) }

  /// The text with a backslash before each of these scalars.
  private static func escaping(_ special: String, in text: String) -> String {
    text.unicodeScalars.map { special.unicodeScalars.contains($0) ? #"\\#($0)"# : String($0) }.joined()
  }

  /// A name for a shell function: `frame check-laws` as `_frame_check_laws`.
  static func function(_ path: String) -> String {
    "_" + path.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
  }
}
