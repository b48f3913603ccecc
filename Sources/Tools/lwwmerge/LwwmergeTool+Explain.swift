import CommandLineTool
import JSONLines
import SyncCore
import SystemIO

extension LwwmergeTool {
  static func runExplain(_ settings: Settings, on console: Console) throws -> ExitStatus {
    if settings.identity.isEmpty { throw UsageError.conflict("explain needs --identity") }
    let wanted = IdentityPattern(settings.identity, entity: settings.records.entityName)
    var badLines = try BadLines(settings.badLines, on: console)
    let set = try read(settings, &badLines)
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
    if !isFound { console.note("no line has the identity '\(settings.identity)'") }
    return try badLines.finish(isFound ? .done : .no)
  }

  static func runCheckLaws(_ settings: Settings, on console: Console) throws -> ExitStatus {
    if settings.seeds < 1 {
      throw UsageError.invalidValue(option: "seeds", value: "\(settings.seeds)", expected: "a number above 0")
    }
    let shape = try settings.records.load()
    var badLines = try BadLines(settings.badLines, on: console)
    let set = try read(settings, &badLines)
    let lines = set.entries.map { Array(set.sources[$0.source].bytes[$0.range]) }
    let check = try LawCheck(lines) { texts in try merge(texts, shape) }
    var holds = true
    for law in LawCheck.Law.allCases {
      let first = UInt64(bitPattern: Int64(settings.seed))
      let seeds = (0..<UInt64(settings.seeds)).lazy.map { first &+ $0 }
      let violation = try seeds.compactMap { try check.violation(of: law, seed: $0) }.first
      if violation != nil { holds = false }
      try Descriptor.standardOutput.write(report(law, settings.seeds, violation).text + "\n")
    }
    return try badLines.finish(holds ? .done : .no)
  }

  /// The merge as the tool does it, on texts that have been read before.
  private static func merge(_ texts: [[UInt8]], _ shape: RecordShape) throws -> [UInt8] {
    var set = ChangeSet(shape)
    for text in texts { try set.add(ChangeSource(name: "", bytes: text)) { error, _, _ in throw error } }
    set.sort()
    var output: [UInt8] = []
    Merge.forEachKey(in: set) { _, winner in
      output += set.sources[winner.source].bytes[winner.range]
      output.append(10)
    }
    return output
  }

  private static func report(_ law: LawCheck.Law, _ seeds: Int, _ violation: LawCheck.Violation?) -> JSONValue
  {
    var members: [JSONMember] = [
      JSONMember("law", .string(law.rawValue)), JSONMember("seeds", .integer(seeds)),
      JSONMember("holds", .bool(violation == nil)),
    ]
    if let violation {
      members += [
        JSONMember("seed", .integer(violation.seed)),
        JSONMember("expected", .string(String(decoding: violation.expected, as: UTF8.self))),
        JSONMember("actual", .string(String(decoding: violation.actual, as: UTF8.self))),
      ]
    }
    return .object(members)
  }
}
