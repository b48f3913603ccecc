import CommandLineTool
import JSONLines
import SyncCore
import SystemIO

extension LwwmergeTool {
  static func runExplain(_ settings: Settings, on console: Console) throws -> ExitStatus {
    if settings.identity.isEmpty { throw UsageError.conflict("explain needs --identity") }
    let wanted = IdentityPattern(settings.identity, entity: settings.records.entityName)
    return try BadLines.collecting(settings.badLines, inputs: settings.files, on: console) { badLines in
      var set = try read(settings, &badLines)
      let count = badLines.count
      try leaveOutDrifted(&set, settings, &badLines, among: wanted.matches)
      let isLeftOut = badLines.count > count
      var output = ByteOutput.standardOutput
      var isFound = false
      Merge.forEachKey(in: set) { lines, winner in
        guard wanted.matches(set.key(of: winner)) else { return }
        isFound = true
        let contest = Contest(lines, winner: winner, in: set)
        if settings.json {
          contest.append(contest.losers, in: set, to: &output.buffer)
        } else {
          output.buffer += Array(contest.explanation(in: set).utf8)
        }
      }
      try output.flush()
      console.note(passedOver: set.checkpoints)
      if !isFound, !isLeftOut { console.note("no line has the identity '\(settings.identity)'") }
      return isFound ? .done : .no
    }
  }

  static func runCheckLaws(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(settings.badLines, inputs: settings.files, on: console) { badLines in
      let set = try read(settings, &badLines)
      let lines = set.entries.map { Array(set.sources[$0.source].bytes[$0.range]) }
      let check = try LawCheck(lines) { texts in try ChangeRules(shape).merge(texts) }
      var holds = true
      for law in LawCheck.Law.allCases {
        let first = UInt64(bitPattern: Int64(settings.seed))
        let seeds = (0..<UInt64(settings.seeds.value)).lazy.map { first &+ $0 }
        let violation = try seeds.compactMap { try check.violation(of: law, seed: $0) }.first
        if violation != nil { holds = false }
        try Descriptor.standardOutput.write(report(law, settings.seeds.value, violation, in: set).text + "\n")
      }
      return holds ? .done : .no
    }
  }

  private static func report(
    _ law: LawCheck.Law, _ seeds: Int, _ violation: LawCheck.Violation?, in set: ChangeSet
  ) -> JSONValue {
    var members: [JSONMember] = [
      JSONMember("law", .string(law.rawValue)), JSONMember("seeds", .integer(seeds)),
      JSONMember("holds", .bool(violation == nil)),
    ]
    if let violation {
      members += [
        JSONMember("seed", .integer(violation.seed)),
        JSONMember("expected", record(violation.expected, in: set)),
        JSONMember("actual", record(violation.actual, in: set)),
      ]
    }
    return .object(members)
  }

  /// A line that came out, the rule that it is merged by, and where it stands.
  private static func record(_ line: [UInt8], in set: ChangeSet) -> JSONValue {
    let change = (try? JSONValue(parsing: line.span)) ?? .null
    guard let entry = set.entries.first(where: { set.sources[$0.source].bytes[$0.range] == line[...] }) else {
      return .object([JSONMember("change", change)])
    }
    return .object([
      JSONMember("rule", .string(entry.line.facts.ruleName)),
      JSONMember("file", .string(set.sources[entry.source].name)),
      JSONMember("line", .integer(entry.lineNumber)),
      JSONMember("change", change),
    ])
  }
}
