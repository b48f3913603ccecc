/// What a command takes besides options.
package struct Operands<Settings: Sendable>: Sendable {
  package var help: OperandHelp
  let store: @Sendable ([String], inout Settings) -> Void

  /// `name` is a synopsis such as `[FILE...]` or `OLD NEW`, `count` how many words it stands for.
  package init(
    _ name: String, count: ClosedRange<Int>, isCommand: Bool = false,
    store: @escaping @Sendable ([String], inout Settings) -> Void
  ) {
    help = OperandHelp(synopsis: name, count: count, isCommand: isCommand)
    self.store = store
  }

  package static var none: Operands {
    Operands(help: OperandHelp(synopsis: "", count: 0...0, isCommand: false)) { _, _ in }
  }

  private init(help: OperandHelp, store: @escaping @Sendable ([String], inout Settings) -> Void) {
    self.help = help
    self.store = store
  }
}

/// The part of the operands that does not depend on the settings.
package struct OperandHelp: Sendable, Equatable {
  package var synopsis: String
  package var count: ClosedRange<Int>
  /// The operands are a program and its arguments: options end at the first of them.
  package var isCommand: Bool
}
