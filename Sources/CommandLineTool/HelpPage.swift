extension Command {
  func helpPage(path: String) -> String { "usage: \(path)\n" }

  func generated(_ kind: CommonSettings.Request) -> String { "" }
}
