import CommandLine

extension Fixture {
  /// A tool that does something itself and has a subcommand besides; it notes its operands.
  static let mixed = Command(
    "tool", "merge things", settings: Settings(),
    options: [
      .flag("verbose", short: "v", "Say more.") { $0.check = true },
      .value("limit", short: "l", "Refuse more.") { $0.limit = $1 },
    ],
    operands: Operands("[FILE]...", count: 0...Int.max) { $1.words = $0 }, statuses: [.badData],
    examples: [.init("Merge two files", "tool a b")], subcommands: [compare]
  ) { settings, console in
    console.note("\(settings.check) \(settings.words)")
    return .done
  }
}
