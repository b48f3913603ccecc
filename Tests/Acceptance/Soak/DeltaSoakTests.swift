import Testing

/// Deltas of a million records, as processes.
@Suite struct DeltaSoakTests {
  /// Two snapshots of `count` records: of a thousand, 50 differ, 20 are gone, 10 have a tombstone, 30 are new.
  private static func generate(_ count: Int) -> String {
    #"""
    awk -v count=\#(count) '
      function record(file, i, title, clock) {
        printf "{\"id\":\"%07d\",\"entity\":\"Task\",\"title\":\"%s\",\"updatedAt\":%d}\n", i, title, clock >file
      }
      BEGIN {
        for (i = count - 1; i >= 0; i--) {
          kind = i * 7919 % 1000
          if (kind >= 30) record("old", i, "title " i, 1700000000 + i)
          if (kind < 950 && (kind < 60 || kind >= 90)) record("new", i, "title " i, 1700000000 + i)
          if (kind >= 950) record("new", i, "changed " i, 1700000001 + i)
          if (kind >= 80 && kind < 90)
            printf "{\"entityName\":\"Task\",\"identity\":{\"id\":\"%07d\"},\"deletedAt\":%d}\n", i, 1800000000 >"new"
        }
      }'
    """#
  }

  private static let steps = #"""
    set -e
    deltadiff --now 2030-01-01T00:00:00Z old new >delta
    deltadiff apply old delta >after
    lwwmerge --drop-tombstones --max-drift off new | cmp - after
    deltadiff --exit-code after new
    deltadiff invert --now 2030-01-01T00:00:00Z old delta >undo
    deltadiff apply after undo >back
    lwwmerge --drop-tombstones --max-drift off old | cmp - back
    deltadiff apply --strict old delta | cmp - after
    wc -l <delta
    """#

  private func changes(of count: Int) async throws -> [String]? {
    let sandbox = try Sandbox(tools: Tools.folder)
    #expect(try await sandbox.run(Self.generate(count), limit: .seconds(300)).rendering == [])
    return try await sandbox.run(Self.steps, limit: .seconds(600)).rendering
  }

  @Test func aThousandRecordsGoThereAndBack() async throws {
    #expect(try await changes(of: 1_000) == ["110"])
  }

  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func aMillionRecordsGoThereAndBack() async throws {
    #expect(try await changes(of: 1_000_000) == ["110000"])
  }
}
