import CommandLine

extension Fixture {
  /// A tool whose values are printed by a command when a shell asks for them.
  static let listed = Command(
    "tool", "talk to peers", settings: Settings(),
    options: [
      .value("peer", short: "p", named: "PEER", "Talk to this one.", completion: peers) { $0.note = $1 }
    ],
    operands: Operands("[PEER]...", count: 0...Int.max, completion: peers) { $1.words = $0 },
    examples: [.init("Talk to two:", "tool Ann Bob")]
  ) { _, _ in .done }

  private static var peers: OptionHelp.Completion {
    .printed(.init("peers", by: #"printf '%s\n' Ann Bob "Ann's tablet" dir:/stick; echo fault >&2"#))
  }
}
