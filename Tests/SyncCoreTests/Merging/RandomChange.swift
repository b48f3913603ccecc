import SyncCore
import TestSupport

/// A change as a model, and the line for it in one of many spellings.
struct RandomChange {
  var id: Int
  /// Milliseconds; nil means no clock.
  var clock: Int?
  var isTombstone: Bool
  var version: Int?
  var content: Int

  /// Few choices for each member, so that ties of every kind are common.
  init(using random: inout SplitMix64) {
    id = Int.random(in: 1...6, using: &random)
    isTombstone = random.oneIn(4)
    // As a number, the clock 0 of a tombstone would mean that the record is not deleted.
    clock = isTombstone ? random.pick([1, 1_000]) : random.oneIn(6) ? nil : random.pick([0, 1, 1_000])
    version = random.oneIn(2) ? nil : random.pick([1, 2])
    content = random.pick(0...2)
  }

  /// The larger rank wins; nil instead of the steps that need the text.
  var rank: [Int] { [clock ?? -1, isTombstone ? 1 : 0, version ?? 0] }

  func line(using random: inout SplitMix64) -> String {
    var members = ["\"entityName\":\"E\"", "\"identity\":{\"id\":\(random.pick(["\(id)", "\(id).0"]))}"]
    if let clock {
      let texts = [
        "\(clock)e-3", "\"1970-01-01T00:00:0\(clock / 1_000).\(clock % 1_000 == 0 ? "000" : "001")Z\"",
      ]
      members.append("\"\(isTombstone ? "deletedAt" : "modifiedAt")\":\(random.pick(texts))")
    }
    if let version { members.append("\"version\":\(random.pick(["\(version)", "\(version)e0"]))") }
    members.append("\"fields\":{\"x\":\(random.pick(["\(content)", "\(content).0", " \(content)"]))}")
    members.shuffle(using: &random)
    return "{" + members.joined(separator: random.pick([",", ", "])) + "}"
  }
}
