@testable import CommandLine
import Foundation
import JSONLines

extension Command {
  struct Unreadable: Error { var tool: String }

  /// The table that a tool prints of itself.
  init(printedBy tool: String) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: Tools.folder).appending(path: tool)
    process.arguments = ["--generate", "table"]
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let command = Command(table: try JSONValue(parsing: [UInt8](text).span))
    else { throw Unreadable(tool: tool) }
    self = command
  }

  /// The inverse of `table`, without the command's action.
  init?(table: JSONValue) {
    guard let name = table["name"]?.stringValue, let abstract = table["abstract"]?.stringValue,
      let operands = table["operands"].flatMap(OperandHelp.init(table:)),
      let options = table["options"]?.arrayValue?.map(OptionHelp.init(table:)),
      let subcommands = table["commands"]?.arrayValue?.map(Command.init(table:)),
      !subcommands.contains(where: { $0 == nil }), !options.contains(where: { $0 == nil })
    else { return nil }
    let below = subcommands.compactMap(\.self)
    let discussion = table["discussion"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let examples = table["examples"]?.arrayValue?.map(Example.init(table:)) ?? []
    if table["isGroup"]?.boolValue == true {
      self.init(name, abstract, discussion: discussion, examples: examples, subcommands: below)
      return
    }
    let statuses = table["statuses"]?.arrayValue?.compactMap(\.intValue) ?? []
    self.init(
      name, abstract, discussion: discussion, settings: (),
      options: options.compactMap(\.self).map { Option(help: $0) { _, _ in [] } },
      operands: Operands(operands.synopsis, count: operands.count, isCommand: operands.isCommand) { _, _ in },
      statuses: statuses.map { ExitStatus(rawValue: Int32($0)) }, examples: examples, subcommands: below
    ) { _, _ in .done }
  }
}

extension Command.Example {
  fileprivate init(table: JSONValue) {
    self.init(table["purpose"]?.stringValue ?? "", table["command"]?.stringValue ?? "")
  }
}

extension OptionHelp {
  fileprivate init?(table: JSONValue) {
    guard let long = table["long"]?.stringValue, let summary = table["summary"]?.stringValue else {
      return nil
    }
    let isFile = table["isFile"]?.boolValue == true
    let choices = table["choices"]?.arrayValue?.compactMap(\.stringValue)
    self.init(
      short: table["short"]?.stringValue?.first, long: long, value: table["value"]?.stringValue,
      summary: summary,
      completion: choices.map(Completion.choices) ?? (isFile ? .file : .nothing),
      isRepeatable: table["isRepeatable"]?.boolValue == true)
  }
}

extension OperandHelp {
  fileprivate init?(table: JSONValue) {
    guard let synopsis = table["synopsis"]?.stringValue, let least = table["least"]?.intValue else {
      return nil
    }
    self.init(
      synopsis: synopsis, count: least...(table["most"]?.intValue ?? .max),
      isCommand: table["isCommand"]?.boolValue == true)
  }
}
