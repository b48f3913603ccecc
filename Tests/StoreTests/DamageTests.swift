@testable import Store
import SyncCore
import Testing

/// A row that does not match its checksum is never sent, and nothing is compared with it.
@Suite struct DamageTests {
  private let store: TestStore
  private let before: StoreToken

  init() throws {
    store = try TestStore()
    try store.put(TestStore.line(1, "a", 1))
    before = try store.token
    try store.put(TestStore.line(2, "b", 1), TestStore.line(3, "c", 1))
    try store.store.database.run("UPDATE changes SET line = replace(line, '\"b\"', '\"x\"')")
  }

  private static let damage = StoreError.corrupt(#"["",{"id":2}]: the checksum does not match"#)

  @Test func noTokenGoesPastIt() throws {
    #expect(throws: Self.damage) { try store.since(nil) }
    #expect(throws: Self.damage) { try store.since(before) }
    let first = try store.since(nil, limits: .init(lines: 1))
    #expect(first.lines == [TestStore.line(1, "a", 1)] && first.end.hasMore)
  }

  @Test func aDumpLeavesItOutAndSaysSo() throws {
    var (lines, faults): ([String], [String]) = ([], [])
    try store.store.forEachLine(tombstones: true, isBaseline: false, leavingOut: { faults.append($0) }) {
      line, _ in
      lines.append(TestStore.text(line))
    } finish: {
    }
    #expect(lines == [TestStore.line(1, "a", 1), TestStore.line(3, "c", 1)])
    #expect(faults == [#"["",{"id":2}]: the checksum does not match"#])
  }

  @Test func aBaselineIsNotTakenOfWhatIsLeft() throws {
    #expect(throws: Self.damage) {
      try store.store.forEachLine(tombstones: false, isBaseline: true) { _, _ in
      } finish: {
      }
    }
    #expect(try store.row(of: TestStore.line(1, "a", 1))?.base == .newer)
  }

  @Test func nothingIsComparedWithIt() throws {
    let later = TestStore.line(2, "d", 9)
    #expect(throws: Self.damage) { try store.put(later) }
    #expect(throws: Self.damage) { try store.apply(later, from: "phone") }
    #expect(throws: Self.damage) { try store.record(TestStore.line(1, "a", 1), later) }
    #expect(throws: Self.damage) {
      try store.store.write { try store.store.prune("", before: store.now, store.shape) }
    }
  }

  @Test func nothingIsRemovedForItsAbsence() throws {
    let token = try store.token
    try store.acknowledge("phone", token)
    #expect(throws: Self.damage) {
      try store.store.write {
        let peer = try store.peer("phone")
        try store.store.beginReplacement(from: peer)
        _ = try store.store.finishReplacement(from: peer, theirs: token, store.shape, .off)
      }
    }
  }

  @Test func amongTheConflictsItIsFoundAndCanBeDropped() throws {
    let key = try store.key(TestStore.line(1, "z", 1))
    try store.store.write { try store.store.keepTakenAway(key, Array(TestStore.line(1, "z", 1).utf8)) }
    try store.store.database.run("UPDATE conflicts SET line = replace(line, '\"z\"', '\"x\"')")
    let fault = "conflict 1: the checksum does not match"
    var faults: [String] = []
    try store.store.verify(store.shape) { faults.append($0) }
    #expect(faults.contains(fault))
    #expect(throws: StoreError.corrupt(fault)) { try store.store.conflicts() }
    #expect(try store.store.write { try store.store.dropConflict(1) })
    #expect(try store.store.conflicts().isEmpty)
  }

  @Test func inQuarantineItCanOnlyBeDropped() throws {
    try store.store.write {
      let peer = try store.store.peer(seen: "phone", now: store.now)
      let line = Array(TestStore.line(4, "d", 1).utf8)
      try store.store.quarantine(line.span, key: nil, reason: "clockAhead", from: peer, now: store.now)
    }
    try store.store.database.run("UPDATE quarantine SET line = replace(line, '\"d\"', '\"x\"')")
    #expect(throws: StoreError.corrupt("quarantined line 1: the checksum does not match")) {
      try store.store.write { try store.store.retryQuarantine(store.shape, nil) }
    }
    #expect(try store.store.write { try store.store.dropQuarantined(1) })
    #expect(try store.store.quarantined() == [])
  }
}
