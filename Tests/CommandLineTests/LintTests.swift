@testable import CommandLine
import Testing

@Suite struct LintTests {
  @Test func theFixtureIsGood() {
    #expect(lint(Fixture.tool) == [])
    #expect(lint(Fixture.filter) == [])
  }

  @Test func theCommonOptionsAreGood() {
    let empty = Command("empty", "do nothing", examples: [.init("Do it", "empty")], subcommands: [])
    #expect(lint(empty) == [])
    for option in OptionsOfAllTools.options {
      #expect(option.help.summary.hasSuffix("."), "\(option.help.long)")
    }
  }

  @Test(arguments: [
    ("name", "tool decode: the name is not made of a-z, 0-9 and hyphens"),
    ("abstract", "tool decode: the abstract ends in a period"),
    ("paragraph", "tool decode: a paragraph does not end in a period: Read on:"),
    ("example", "tool decode: an example is missing"),
    ("operands", "tool decode: operands without a synopsis"),
    ("status", "tool decode: status 99 is not in the table"),
    ("clash", "tool decode: --limit is a duplicate"),
    ("common clash", "tool decode: -q is a duplicate"),
    ("long", "tool decode: --l: the name is not made of a-z, 0-9 and hyphens"),
    ("short", "tool decode: --check: the short name is not a letter or digit"),
    ("summary", "tool decode: --check: the summary does not end in a period"),
    ("value", "tool decode: --limit: size is not in capitals"),
    ("choices", "tool decode: --prefix: a choice is not made of letters, digits, hyphens and periods"),
  ])
  func everyFaultIsFoundDeepInTheTree(fault: String, finding: String) {
    var decode = Fixture.decode
    spoil(&decode, fault)
    var tool = Fixture.tool
    tool.subcommands[0] = decode
    #expect(lint(tool).map { fault == "name" ? $0.replacing("Decode", with: "decode") : $0 } == [finding])
  }

  private func spoil(_ command: inout Command, _ fault: String) {
    switch fault {
    case "name": command.name = "Decode"
    case "abstract": command.abstract += "."
    case "paragraph": command.discussion.append("Read on:")
    case "example": command.examples = []
    case "operands": command.operands.synopsis = ""
    case "status": command.statuses.append(ExitStatus(rawValue: 99))
    case "clash": command.options[0].long = "limit"
    case "common clash": command.options[0].short = "q"
    case "long": command.options[1].long = "l"
    case "short": command.options[0].short = "-"
    case "summary": command.options[0].summary = "Check"
    case "value": command.options[1].value = "size"
    default: command.options[3].completion = .choices(["two words"])
    }
  }
}
