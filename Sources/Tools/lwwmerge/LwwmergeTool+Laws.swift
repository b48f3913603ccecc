import CommandLine
import JSONLines
import SyncCore
import SystemIO
import RecordInputs

extension LwwmergeTool {
  static func runCheckLaws(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      let changes = try SortedChanges(reading: settings.files, shape, settings.reading, &badLines)
      var lines: [PlacedLine] = []
      try changes.forEachKey([PlacedLine]()) { key, reader, lines in
        for index in key.indices { lines.append(PlacedLine(key, index, settings.files, &reader)) }
      } take: {
        lines += $0
      }
      let check = try LawCheck(lines.map(\.bytes)) { texts in try ChangeRules(shape).merge(texts) }
      var holds = true
      for law in LawCheck.Law.allCases {
        let first = UInt64(bitPattern: Int64(settings.seed))
        let seeds = (0..<UInt64(settings.seeds.value)).lazy.map { first &+ $0 }
        let violation = try seeds.compactMap { try check.violation(of: law, seed: $0) }.first
        if violation != nil { holds = false }
        try Descriptor.standardOutput.write(line: report(law, settings.seeds.value, violation, among: lines))
      }
      return holds ? .done : .no
    }
  }

  /// A line and its position.
  private struct PlacedLine: Sendable {
    var bytes: [UInt8] = []
    var file: String
    var number: Int
    var rule: String

    init(_ lines: KeyLines, _ index: Int, _ names: [String], _ reader: inout ChangeReader) {
      file = names[lines.source(index)]
      number = lines.lineNumber(index)
      rule = reader.change(lines.text(index)).facts.ruleName
      bytes.append(lines.text(index))
    }
  }

  private static func report(
    _ law: LawCheck.Law, _ seeds: Int, _ violation: LawCheck.Violation?, among lines: [PlacedLine]
  ) -> JSONValue {
    var members: [JSONMember] = [
      JSONMember("law", .string(law.rawValue)), JSONMember("seeds", .integer(seeds)),
      JSONMember("holds", .bool(violation == nil)),
    ]
    if let violation {
      members += [
        JSONMember("seed", .integer(violation.seed)),
        JSONMember("expected", record(violation.expected, among: lines)),
        JSONMember("actual", record(violation.actual, among: lines)),
      ]
    }
    return .object(members)
  }

  /// An output line, the rule that it is merged by, and its position.
  private static func record(_ bytes: [UInt8], among lines: [PlacedLine]) -> JSONValue {
    let change = JSONMember("change", (try? JSONValue(parsing: bytes.span)) ?? .null)
    guard let line = lines.first(where: { $0.bytes == bytes }) else { return .object([change]) }
    return .object([
      JSONMember("rule", .string(line.rule)), JSONMember("file", .string(line.file)),
      JSONMember("line", .integer(line.number)), change,
    ])
  }
}
