import SyncCore
import TestSupport
import Testing

/// A delta leads from one snapshot to the other, and its inverse leads back.
@Suite struct InverseLawTests {
  private static let now = Instant("2025-06-01T00:00:00Z")!

  @Test(arguments: LawProfile.all, Tries.some(Tries.isSoak ? 0..<6 : 0..<2))
  func aDeltaLeadsThereAndBack(profile: LawProfile, block: UInt64) throws {
    for seed in block * 50..<(block + 1) * 50 {
      let place: Comment = "profile \(profile.name), seed \(seed)"
      var changes = RandomChanges(seed: seed, profile: profile)
      let devices = changes.devices()
      let old = try snapshot(devices[0] + devices[1], profile)
      let new = try snapshot(devices[1] + devices[2], profile)
      let delta = try Snapshot(old.difference(to: new, at: Self.now), profile: profile.text)
      let result = try Snapshot(old.applying(delta), profile: profile.text)
      #expect(result.live == new.live, place)
      #expect(result.count == new.live.count, place)
      let inverse = try Snapshot(old.inverse(of: delta, at: Self.now), profile: profile.text)
      #expect(try Snapshot(result.applying(inverse), profile: profile.text).live == old.live, place)
      #expect(try result.difference(to: new, at: Self.now) == "", place)
      #expect(try new.difference(to: new, at: Self.now) == "", place)
    }
  }

  /// Whatever the delta contains, undoing it gives the earlier content, even if it does not fit the base.
  @Test(arguments: LawProfile.all)
  func anInverseFitsAnyDelta(profile: LawProfile) throws {
    for seed in Tries.seeds(200) {
      var changes = RandomChanges(seed: seed, profile: profile)
      let devices = changes.devices()
      let base = try snapshot(devices[0], profile)
      let delta = try snapshot(devices[1], profile)
      let inverse = try Snapshot(base.inverse(of: delta, at: Self.now), profile: profile.text)
      let after = try Snapshot(base.applying(delta), profile: profile.text)
      let back = try Snapshot(after.applying(inverse), profile: profile.text)
      #expect(back.live == base.live, "profile \(profile.name), seed \(seed)")
    }
  }

  @Test func theSeedsHoldChangesOfEveryKind() throws {
    var counts = (inserts: 0, updates: 0, deletes: 0, tombstones: 0)
    for seed in 0..<100 as Range<UInt64> {
      var changes = RandomChanges(seed: seed, profile: .chores)
      let devices = changes.devices()
      let (old, new) = (try snapshot(devices[0], .chores), try snapshot(devices[1], .chores))
      old.forEachKey(with: new) { lines, reader in
        switch Delta.difference(lines, &reader) {
        case .line(let index, _) where lines[index].isTombstone: counts.tombstones += 1
        case .line(_, replacing: nil): counts.inserts += 1
        case .line: counts.updates += 1
        case .delete: counts.deletes += 1
        case nil: break
        }
      }
    }
    #expect(min(counts.inserts, counts.updates, counts.deletes, counts.tombstones) > 10, "\(counts)")
  }

  private func snapshot(_ lines: [String], _ profile: LawProfile) throws -> Snapshot {
    try Snapshot(lines.map { $0 + "\n" }.joined(), profile: profile.text, allowingDuplicates: true)
  }
}
