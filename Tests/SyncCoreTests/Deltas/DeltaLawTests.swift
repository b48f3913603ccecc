import Foundation
import SyncCore
import TestSupport
import Testing

/// A delta applied by hand to the old snapshot gives the new one; the seed is the argument.
@Suite struct DeltaLawTests {
  /// The content of each live record, by id.
  private typealias Model = [Int: String]

  /// A snapshot of some of the ids 1 to 12, in any order, some of them tombstones.
  private static func snapshot(_ random: inout SplitMix64) -> String {
    var lines = (1...12).compactMap { id -> String? in
      if random.oneIn(3) { return nil }
      if random.oneIn(6) { return "{\"id\":\(id),\"deletedAt\":\(random.pick([1, 2]))}" }
      let spellings = ["\(id)", "\(id).0", "\(id)0e-1"]
      return "{\"id\":\(random.pick(spellings)),\"x\":\(random.pick(["1", "1.0", "2", "\"1\""]))}"
    }
    lines.shuffle(using: &random)
    return lines.map { $0 + "\n" }.joined()
  }

  private static func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private static func id(_ object: [String: Any]) throws -> Int {
    let identity = object["identity"] as? [String: Any] ?? object
    return try #require(identity["id"] as? NSNumber).intValue
  }

  private static func apply(_ text: String, to model: inout Model) throws {
    for object in try objects(text) {
      let value =
        (object["x"] as? String).map { "text \($0)" } ?? (object["x"] as? NSNumber)?.doubleValue.description
      model[try id(object)] = object["deletedAt"] == nil ? value : nil
    }
  }

  @Test(arguments: Tries.seeds(200))
  func oldPlusDeltaIsNew(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (old, new) = (Self.snapshot(&random), Self.snapshot(&random))
    var (patched, expected): (Model, Model) = ([:], [:])
    try Self.apply(old, to: &patched)
    let before = patched
    try Self.apply(new, to: &expected)
    let delta = Snapshots.diff(old, new)
    try Self.apply(delta, to: &patched)
    #expect(patched.keys.sorted() == expected.keys.sorted(), "\(delta)")
    // One line for each difference and no others: 1 and 1.0 are the same to both sides.
    let changed = Set(before.keys).union(expected.keys).filter { before[$0] != expected[$0] }
    #expect(try Set(Self.objects(delta).map(Self.id)) == changed, "\(delta)")
    #expect(delta.split(separator: "\n").count == changed.count)
  }

  @Test(arguments: Tries.seeds(200))
  func deltaMergesToNew(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (old, new) = (Self.snapshot(&random), Self.snapshot(&random))
    let later = new.replacing("\"x\"", with: "\"modifiedAt\":5,\"x\"").replacing(
      "\"deletedAt\":", with: "\"deletedAt\":1")
    let delta = Snapshots.diff(old, later)
    var (merged, expected): (Model, Model) = ([:], [:])
    try Self.apply(Lines.merged([old, delta]), to: &merged)
    try Self.apply(later, to: &expected)
    #expect(merged == expected, "\(delta)")
  }

  @Test(arguments: Tries.seeds(200))
  func emptyForTheSameAndInKeyOrder(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (old, new) = (Self.snapshot(&random), Self.snapshot(&random))
    #expect(Snapshots.diff(old, old) == "")
    let keys = try Self.objects(Snapshots.diff(old, new)).map { "[\"\",{\"id\":\(try Self.id($0))}]" }
    #expect(keys == keys.sorted())
    let again = new.split(separator: "\n").shuffled(using: &random).map { $0 + "\n" }.joined()
    #expect(Snapshots.diff(old, again) == Snapshots.diff(old, new))
  }
}
