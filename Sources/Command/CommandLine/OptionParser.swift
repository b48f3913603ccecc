/// Reads a command line by an option table: GNU long options, grouped short ones, `--` and `-`.
struct OptionParser<Settings: Sendable> {
  let options: [Option<Settings>]
  let operands: OperandHelp

  private var rest: ArraySlice<String> = []
  private var found: [String] = []
  /// The files that options name.
  private(set) var files: [String] = []

  init(options: [Option<Settings>], operands: OperandHelp) {
    self.options = options
    self.operands = operands
  }

  /// Returns the operands; a request for help or the version ends the checks.
  mutating func parse(
    _ words: [String], into settings: inout Settings, common: inout OptionsOfAllTools
  ) throws(UsageError) -> [String] {
    rest = words[...]
    do throws(UsageError) {
      try parseWords(into: &settings, common: &common)
      if common.endsEarly { return [] }
      try operands.checkCount(of: found)
    } catch {
      guard let help = laterHelp else { throw error }
      common.help = help
    }
    return found
  }

  private mutating func parseWords(
    into settings: inout Settings, common: inout OptionsOfAllTools
  ) throws(UsageError) {
    while let word = rest.popFirst(), !common.endsEarly {
      if word == "--" {
        return takeRest()
      } else if word.utf8.starts(with: "--".utf8) {
        try parseLong(Substring(word.utf8.dropFirst(2)), into: &settings, common: &common)
      } else if word.utf8.first == UInt8(ascii: "-"), word != "-" {
        try parseShort(Substring(word.utf8.dropFirst()), into: &settings, common: &common)
      } else {
        found.append(word)
        if operands.isCommand { return takeRest() }
      }
    }
  }

  private mutating func takeRest() {
    found += rest
    rest = []
  }

  /// Help is printed even if the rest of the command line is wrong.
  private var laterHelp: OptionsOfAllTools.Help? {
    rest.prefix { $0 != "--" }.lazy.compactMap { $0 == "--help" ? .whole : $0 == "-h" ? .short : nil }.first
  }

  private mutating func parseLong(
    _ word: Substring, into settings: inout Settings, common: inout OptionsOfAllTools
  ) throws(UsageError) {
    // A value may begin with a combining mark, which forms one character with the sign before it.
    let parts = word.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      .map { Substring($0) }
    let value = parts.count == 2 ? String(parts[1]) : nil
    if let option = options.first(where: { $0.help.long == parts[0] }) {
      files += try option.apply(argument(of: option.help, given: value), &settings)
    } else if let option = OptionsOfAllTools.options.first(where: { $0.help.long == parts[0] }) {
      _ = try option.apply(argument(of: option.help, given: value), &common)
    } else {
      let names = options.map(\.help.long) + OptionsOfAllTools.options.map(\.help.long)
      let near = Spelling.option(for: String(parts[0]), among: names).map { "--" + $0 }
      throw .unknownOption("--\(parts[0])", near: near)
    }
  }

  private mutating func parseShort(
    _ word: Substring, into settings: inout Settings, common: inout OptionsOfAllTools
  ) throws(UsageError) {
    var letters = word
    while let letter = letters.popFirst() {
      if let option = options.first(where: { $0.help.short == letter }) {
        files += try option.apply(shortArgument(of: option.help, &letters), &settings)
      } else if let option = OptionsOfAllTools.options.first(where: { $0.help.short == letter }) {
        _ = try option.apply(shortArgument(of: option.help, &letters), &common)
        if common.help != nil { common.help = .short }
      } else {
        throw .unknownOption("-\(letter)", near: nil)
      }
    }
  }

  /// In a group of short options, the text after an option that takes a value is its value: `-l16M`.
  private mutating func shortArgument(
    of option: OptionHelp, _ letters: inout Substring
  ) throws(UsageError) -> String {
    guard option.value != nil, !letters.isEmpty else { return try argument(of: option, given: nil) }
    defer { letters = "" }
    return String(letters)
  }

  private mutating func argument(of option: OptionHelp, given: String?) throws(UsageError) -> String {
    guard let name = option.value else {
      if given != nil { throw .unexpectedValue(option: option.long) }
      return ""
    }
    guard let value = given ?? rest.popFirst() else { throw .missingValue(option: option.long, name: name) }
    return value
  }
}
