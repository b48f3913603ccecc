/// The files about a tool that `--generate` prints.
enum ShellFile: String, CaseIterable {
  case man, bash, zsh, fish

  func path(of tool: String) -> String {
    switch self {
    case .man: "man/\(tool).1"
    case .bash: "completions/\(tool).bash"
    case .zsh: "completions/_\(tool)"
    case .fish: "completions/\(tool).fish"
    }
  }
}
