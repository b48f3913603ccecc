import Chores
import JSONLines
import SyncCore

/// Turns do not depend on the order of lines, and after merging them nothing more is written.
///
/// Lines that are not records of a household are left out.
func fuzzTurns(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 10).map { Array($0) + [10] }.filter {
    (try? rules.household([$0])) != nil
  }
  guard let text = assign(lines), let reversed = assign(lines.reversed()) else { return }
  require(text == reversed, "order does not matter")
  guard let merged = try? merging.merge([lines.flatMap { $0 }, text]) else { return }
  let again = assign([merged])
  // No time is later than the last instant, so an occurrence there always remains to be changed.
  let hasEnd = text.indices.contains { text[$0...].starts(with: "9999-12-31".utf8) }
  require(hasEnd || again == [], "nothing is left to say")
}

private let rules = AssignmentRules { name in
  ZoneRule(Array(name.utf8).span).map { rule in Zone { rule.offset(at: $0) } }
}

private let merging = { () -> ChangeRules in
  do { return try ChangeRules(profile: "chores") } catch { fatalError("the profile is built in") }
}()

private let horizon = Horizon(now: .epoch, until: .after(.seconds(20 * 86_400)))

private func assign(_ lines: [[UInt8]]) -> [UInt8]? { try? rules.assign([lines.flatMap { $0 }], horizon) }
