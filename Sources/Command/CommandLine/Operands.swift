/// What a command takes besides options.
package struct Operands<Settings: Sendable>: Sendable {
  package var help: OperandHelp
  let store: @Sendable ([String], inout Settings) -> Void

  /// `name` is a synopsis such as `[FILE...]` or `OLD NEW`, `count` how many words it stands for.
  ///
  /// `store` gets as many words as `count` allows, or more if they are a program and its arguments.
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

  /// Whether none of the words is an option or `--`: then no table of options has to be made to read them.
  static func areAll(_ words: [String]) -> Bool {
    words.allSatisfy { $0 == "-" || $0.utf8.first != UInt8(ascii: "-") }
  }

  func checkCount(of words: [String]) throws(UsageError) {
    if words.count < count.lowerBound {
      let names = synopsis.split(separator: " ")
      throw .missingOperand(String(names[min(words.count, names.count - 1)]))
    }
    if words.count > count.upperBound, !isCommand { throw .extraOperand(words[count.upperBound]) }
  }
}
