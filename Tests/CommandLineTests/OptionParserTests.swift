@testable import CommandLine
import Testing

@Suite struct OptionParserTests {
  private func parse(
    _ words: String..., operands: ClosedRange<Int> = 0...Int.max, isCommand: Bool = false
  ) throws -> (settings: Fixture.Settings, common: OptionsOfAllTools, operands: [String]) {
    var settings = Fixture.Settings()
    var common = OptionsOfAllTools()
    let help = OperandHelp(synopsis: "OLD NEW", count: operands, isCommand: isCommand)
    var parser = OptionParser(options: Fixture.options + Option.badLines, operands: help)
    let rest = try parser.parse(words, into: &settings, common: &common)
    return (settings, common, rest)
  }

  @Test("A one-letter literal before the long name is the short name, not a long one")
  func names() {
    let shorts = Fixture.options.map(\.help.short)
    #expect(shorts == ["c", "l", nil, "p", "n", nil, nil, nil])
    let spellings = Fixture.options.map(\.help.spelling)
    #expect(spellings.contains("-l, --limit SIZE"))
    #expect(spellings.contains("-n, --name NAME"))
    #expect(spellings.contains("--count TIMES"))
  }

  @Test(arguments: [
    ["-l16M"], ["-l", "16M"], ["--limit=16M"], ["--limit", "16M"], ["-cl16M"], ["-cl", "16M"],
  ])
  func valueForms(words: [String]) throws {
    var settings = Fixture.Settings()
    var common = OptionsOfAllTools()
    var parser = OptionParser(
      options: Fixture.options, operands: OperandHelp(synopsis: "", count: 0...0, isCommand: false))
    #expect(try parser.parse(words, into: &settings, common: &common) == [])
    #expect(settings.limit == ByteSize(bytes: 16 << 20))
    #expect(settings.check == (words[0].hasPrefix("-c")))
  }

  @Test func groupedFlagsOfBothTables() throws {
    let result = try parse("-cq")
    #expect(result.settings.check)
    #expect(result.common.quiet)
  }

  @Test func emptyAndOddValuesAreTaken() throws {
    #expect(try parse("--note=").settings.note == "")
    #expect(try parse("--note=a=b").settings.note == "a=b")
    #expect(try parse("--note", "--").settings.note == "--")
    #expect(try parse("--note=\u{301}a").settings.note == "\u{301}a")
    #expect(try parse("--note", "-c").settings.note == "-c")
  }

  @Test func operandsAndOptionsMix() throws {
    let result = try parse("a", "-c", "-", "b")
    #expect(result.operands == ["a", "-", "b"])
    #expect(result.settings.check)
  }

  @Test func nothingIsAnOptionAfterTwoHyphens() throws {
    let result = try parse("a", "--", "-c", "--", "--help")
    #expect(result.operands == ["a", "-c", "--", "--help"])
    #expect(!result.settings.check && result.common.help == nil)
  }

  @Test func theLastOneHoldsAndRepeatedOnesAreKept() throws {
    let result = try parse("-l1", "-na", "--limit=2", "--name", "b", "-n", "a")
    #expect(result.settings.limit == ByteSize(bytes: 2))
    #expect(result.settings.names == ["a", "b", "a"])
  }

  @Test func aCommandToRunKeepsItsOptions() throws {
    let result = try parse("-c", "jq", "-c", "--", "--help", isCommand: true)
    #expect(result.operands == ["jq", "-c", "--", "--help"])
    #expect(result.settings.check && result.common.help == nil)
    #expect(try parse("--", "jq", "-c", isCommand: true).operands == ["jq", "-c"])
  }

  @Test func unknownOptions() {
    #expect(throws: UsageError.unknownOption("--limt", near: "--limit")) { try parse("--limt=3") }
    #expect(throws: UsageError.unknownOption("--quite", near: "--quiet")) { try parse("--quite") }
    #expect(throws: UsageError.unknownOption("--elephant", near: nil)) { try parse("--elephant") }
    #expect(throws: UsageError.unknownOption("-x", near: nil)) { try parse("-cx") }
    #expect(throws: UsageError.unknownOption("--l", near: "--limit")) { try parse("--l") }
    #expect(throws: UsageError.unknownOption("--qui", near: "--quiet")) { try parse("--qui") }
    #expect(throws: UsageError.unknownOption("--", near: nil)) { try parse("--=3") }
  }

  @Test func missingAndUnwantedValues() {
    #expect(throws: UsageError.missingValue(option: "limit", name: "SIZE")) { try parse("--limit") }
    #expect(throws: UsageError.missingValue(option: "limit", name: "SIZE")) { try parse("-cl") }
    #expect(throws: UsageError.unexpectedValue(option: "check")) { try parse("--check=yes") }
    #expect(throws: UsageError.self) { try parse("--prefix=be64") }
  }

  @Test func operandCounts() {
    #expect(throws: UsageError.missingOperand("OLD")) { try parse(operands: 2...2) }
    #expect(throws: UsageError.missingOperand("NEW")) { try parse("a", operands: 2...2) }
    #expect(throws: UsageError.extraOperand("c")) { try parse("a", "b", "c", operands: 2...2) }
  }

  @Test(arguments: [
    ["--help"], ["a", "-h"], ["--bogus", "--help"], ["--limit=x", "-h"], ["-c", "--help", "--bogus"], ["-ch"],
  ])
  func helpWinsWhereverItStands(words: [String]) throws {
    var settings = Fixture.Settings()
    var common = OptionsOfAllTools()
    let operands = OperandHelp(synopsis: "OLD NEW", count: 2...2, isCommand: false)
    var parser = OptionParser(options: Fixture.options, operands: operands)
    _ = try parser.parse(words, into: &settings, common: &common)
    #expect(common.help != nil)
  }

  @Test func helpAfterTwoHyphensIsNoHelp() {
    #expect(throws: UsageError.unknownOption("--bogus", near: nil)) { try parse("--bogus", "--", "--help") }
  }
}
