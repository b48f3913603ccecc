internal import JSONLines

extension Command {
  /// The text of `--help`; `path` is how the command is called: `frame decode`.
  package func helpPage(path: String) -> String { HelpPage(command: self, path: path).text }

  /// The man page, a completion script or the table of a whole tool.
  func generated(_ kind: CommonSettings.Request) -> String {
    switch kind {
    case .manual: ManualPage(tool: self).text
    case .bash: BashCompletion(tool: self).text
    case .zsh: ZshCompletion(tool: self).text
    case .fish: FishCompletion(tool: self).text
    case .table: table.text + "\n"
    }
  }
}
