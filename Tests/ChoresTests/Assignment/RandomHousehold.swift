@testable import Chores
import SyncCore
import TestSupport

/// A random household, and possible events in it.
struct RandomHousehold {
  private(set) var random: SplitMix64
  private static let zones = ["Europe/Paris", "America/New_York", "Pacific/Auckland", "Asia/Kathmandu"]
  private static let names = ["ann", "ben", "cat", "dan", "eve", "fay"]

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func home(templates: ClosedRange<Int> = 1...3) -> Home {
    var home = Home([])
    let members = Self.names.prefix(Int.random(in: 2...5, using: &random))
    for member in members {
      home.add(member: member, joined: moment(on: Int.random(in: 0...20, using: &random)))
    }
    for number in 1...Int.random(in: templates, using: &random) { add(template: "t\(number)", to: &home) }
    return home
  }

  mutating func add(template: String, at day: Int = 0, to home: inout Home) {
    let (unit, value) = random.pick([("days", 1), ("days", 3), ("weeks", 1), ("weeks", 2), ("months", 1)])
    var more: [String] = []
    if random.oneIn(2) { more.append(#""timeZone":"\#(random.pick(Self.zones))""#) }
    if random.oneIn(2) {
      more.append(#""assignment":"\#(random.pick(["alternate", "rotate", "least-done", "fixed"]))""#)
    }
    if random.oneIn(3) { more.append(#""skip":"\#(random.pick(["keep", "pass"]))""#) }
    if random.oneIn(4) { more.append(#""participantIDs":["ann","ben","eve"]"#) }
    if random.oneIn(6) { more.append(#""isActive":\#(random.oneIn(2))"#) }
    home.add(
      template: template, every: value, unit, from: moment(on: Int.random(in: -30...10, using: &random)),
      at: moment(on: day), more.joined(separator: ","))
  }

  /// Something that a person does on a device on a day.
  mutating func event(on day: Int, in home: inout Home) throws {
    event(on: day, among: try home.turns(), in: &home)
  }

  /// The same, where the occurrences are known.
  mutating func event(on day: Int, among turns: [Turn], in home: inout Home) {
    let now = moment(on: day)
    let turns = turns.filter { $0.status == "pending" }
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3:
      if let turn = turns.first {
        home.complete(turn, by: random.pick(Self.names), at: now, id: "c\(random.next() % 1_000_000)")
      }
    case 4: if let turn = turns.first { home.skip(turn, at: now) }
    case 5:
      if let turn = turns.randomElement(using: &random) {
        home.override(turn, with: random.pick(Self.names), at: now)
      }
    case 6:
      let first = CivilText.date(Self.firstDay + day + Int.random(in: -9...9, using: &random))
      let last = CivilText.date(Self.firstDay + day + Int.random(in: 9...20, using: &random))
      home.absence(of: random.pick(Self.names), first, last, at: now)
    case 7: home.add(member: random.pick(Self.names), joined: now, at: now)
    case 8: add(template: random.pick(["t1", "t2", "t3"]), at: day, to: &home)
    default:
      let entity = random.pick(["Member", "Template", "Override", "Absence", "Occurrence"])
      let id =
        entity == "Occurrence"
        ? random.pick(turns.map(\.id) + ["x"]) : random.pick(["dan", "t2", "o1", "ann-2026-01-20"])
      home.lines.append(#"{"entityName":"\#(entity)","identity":{"id":"\#(id)"},"deletedAt":"\#(now)"}"#)
    }
  }

  mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// The lines in another order, on several texts, some of them twice.
  mutating func scattered(_ lines: [String]) -> [[UInt8]] {
    var texts = [[String]](repeating: [], count: Int.random(in: 1...4, using: &random))
    for line in lines.shuffled(using: &random) {
      texts[Int.random(in: texts.indices, using: &random)].append(line)
      if random.oneIn(5) { texts[Int.random(in: texts.indices, using: &random)].append(line) }
    }
    return texts.map { lines in Array(lines.shuffled(using: &random).map { "\($0)\n" }.joined().utf8) }
  }

  static let firstDay = Civil.day(2026, 1, 5)

  /// A moment some days after 5 January 2026; hours are few, so that clocks meet.
  mutating func moment(on day: Int) -> String {
    let hour = ["00", "06", "18"][Int.random(in: 0...2, using: &random)]
    return "\(CivilText.date(Self.firstDay + day))T\(hour):00:00Z"
  }
}
