import SyncCore
import TestSupport

/// The lines of some devices, made so that they collide: few keys, few moments, many spellings.
struct RandomChanges {
  private var random: SplitMix64
  private let style: RandomSpelling

  init(seed: UInt64, profile: LawProfile) {
    random = SplitMix64(seed: seed)
    style = profile.style
  }

  /// 3 to 5 devices; some lines are on more than one of them.
  mutating func devices() -> [[String]] {
    var devices: [[String]] = []
    for _ in 0..<Int.random(in: 3...5, using: &random) {
      var lines = (0..<Int.random(in: 0...9, using: &random)).map { _ in line() }
      for line in devices.joined() where random.oneIn(4) { lines.append(line) }
      devices.append(lines.shuffled(using: &random))
    }
    return devices
  }

  private mutating func line() -> String {
    let entity = random.pick(style.entities)
    let members = random.oneIn(3) ? change(entity) : record(entity)
    let glue = random.oneIn(8) ? " , " : ","
    return "{" + members.shuffled(using: &random).joined(separator: glue) + "}"
  }

  private mutating func change(_ entity: String) -> [String] {
    var members = [#""entityName":\#(spelled(entity))"#, #""identity":\#(random.pick(style.identities))"#]
    let hasOwnClock = !random.oneIn(4)
    if hasOwnClock { members += clock(["modifiedAt", "updatedAt", "timestamp"], tombstone: "deletedAt") }
    if random.oneIn(3) { members.append(#""version":\#(version())"#) }
    if !random.oneIn(5) {
      var fields = facts() + (random.oneIn(3) ? [#""title":"\#(random.pick(["a", "\\u0062", "é"]))""#] : [])
      if !hasOwnClock { fields += clock(["modifiedAt", "updatedAt", "timestamp"], tombstone: "deletedAt") }
      members.append(#""fields":{\#(fields.shuffled(using: &random).joined(separator: ","))}"#)
    }
    if random.oneIn(6) { members += facts() }
    return members
  }

  private mutating func record(_ entity: String) -> [String] {
    var members = [#""\#(style.entityMember)":\#(spelled(entity))"#] + random.pick(style.keys)
    if !random.oneIn(6) { members += clock(style.clocks, tombstone: style.tombstone) }
    if random.oneIn(3) { members.append(#""version":\#(version())"#) }
    if random.oneIn(3) { members.append(#""n":\#(random.pick(Self.numbers))"#) }
    return members + facts()
  }

  /// The members that the terminal rule reads, whichever rule the entity has.
  private mutating func facts() -> [String] {
    var members: [String] = []
    if random.oneIn(2) { members.append(#""\#(style.status)":\#(random.pick(style.states))"#) }
    if random.oneIn(3) { members.append(#""completedAt":\#(moment())"#) }
    if random.oneIn(3) { members.append(#""dueDate":\#(moment())"#) }
    return members
  }

  private mutating func clock(_ names: [String], tombstone: String) -> [String] {
    if random.oneIn(4) { return [#""\#(tombstone)":\#(time())"#] }
    let live = [#""\#(random.pick(names))":\#(moment())"#]
    return random.oneIn(6) ? live + [#""\#(tombstone)":null"#] : live
  }

  /// A moment or null.
  private mutating func moment() -> String { random.oneIn(8) ? "null" : time() }

  private mutating func time() -> String { random.pick(random.pick(Self.moments)) }

  private mutating func version() -> String { random.pick(Self.versions) }

  /// The same name, sometimes with its first letter escaped.
  private mutating func spelled(_ name: String) -> String {
    guard random.oneIn(4), let first = name.unicodeScalars.first else { return "\"\(name)\"" }
    let digits = String(first.value, radix: 16)
    return "\"\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)\(name.dropFirst())\""
  }

  /// Each row is one instant in several spellings.
  private static let moments = [
    [
      "\"2025-05-02T10:00:00Z\"", "\"2025-05-02t12:00:00.000+02:00\"", "1746180000", "1746180000000",
      "1.74618e9",
    ],
    [
      "\"2025-05-02T10:00:00.001Z\"", "\"2025-05-02T09:30:00.001000-00:30\"", "1746180000.001",
      "1746180000001",
    ],
    ["\"2025-05-02T10:00:00.000000001Z\"", "1746180000000.000001", "\"2025-05-02T10:00:00.0000000019Z\""],
    ["\"2025-12-31T23:59:60Z\"", "\"2026-01-01T00:00:00Z\"", "\"\\u0032026-01-01T00:00:00Z\""],
    ["\"1969-12-31T23:59:59.5Z\"", "-0.5", "-5e-1"],
  ]

  private static let versions = [
    "1", "1.0", "2", "-0", "0", "10e-1", "98765432109876543210987654321", "98765432109876543210987654320",
    "null",
  ]

  private static let numbers = ["1", "1.0", "1e400", "12345678901234567890123", "0.1", "-0.0"]
}

/// The form of the lines for one profile.
struct RandomSpelling {
  var entities: [String]
  var entityMember: String
  var status: String
  var states: [String]
  var clocks: [String]
  var tombstone: String
  /// The members of a plain record that make its key.
  var keys: [[String]]
  /// The same keys as identities, and some more.
  var identities: [String]
}
