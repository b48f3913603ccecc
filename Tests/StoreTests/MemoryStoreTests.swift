import JSONLines
@testable import Store
import SyncCore
import Testing

/// Stores without a file, for simulations: the same seed gives the same store.
@Suite struct MemoryStoreTests {
  /// Counts, so that two stores with the same start give the same bits.
  private struct Counter: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      return state
    }
  }

  private func made(_ seed: UInt64) throws -> TestStore {
    try TestStore(try ChangeStore(inMemory: Counter(state: seed)))
  }

  @Test func theSameRandomBitsGiveTheSameStore() throws {
    let stores = try [1, 1, 2].map(made)
    for store in stores { try store.put(TestStore.line(1, "a", 1)) }
    #expect(try stores[0].token == stores[1].token)
    #expect(try stores[0].store.bytes() == stores[1].store.bytes())
    #expect(try stores[0].token.mark != stores[2].token.mark)
    #expect(stores[0].store.id != stores[2].store.id)
  }

  @Test func recordAndApplyWorkInMemoryToo() throws {
    let store = try made(1)
    try store.record(TestStore.line(1, "a", 1), TestStore.line(2, "b", 1))
    try store.apply(TestStore.line(3, "c", 1), from: "phone")
    #expect(try store.record(TestStore.line(2, "b", 2)).counts.stored == 2)
    #expect(try store.lines.count == 3)
  }

  @Test func aRestoredStoreGoesOnFromItsBackup() throws {
    let store = try made(1)
    try store.put(TestStore.line(1, "a", 1))
    let (backup, old) = (try store.store.bytes(), try store.token)
    try store.put(TestStore.line(2, "b", 1))
    let lost = try store.token
    let restored = try TestStore(ChangeStore(restoring: backup, random: Counter(state: 9)))
    #expect(try restored.lines == [TestStore.line(1, "a", 1)])
    #expect(try restored.store.standing(of: old) == .valid)
    try restored.put(TestStore.line(3, "c", 1))
    #expect(try restored.store.standing(of: lost) == .foreign)
  }

  @Test func aFileCanBeRestoredInMemory() throws {
    let store = try TestStore()
    try store.put(TestStore.line(1, "a", 1))
    let restored = try TestStore(ChangeStore(restoring: store.store.bytes(), random: Counter(state: 9)))
    try restored.put(TestStore.line(2, "b", 1))
    #expect(try restored.lines == [TestStore.line(1, "a", 1), TestStore.line(2, "b", 1)])
  }

  @Test func bytesThatAreNoStoreAreRefused() throws {
    for bytes in [[], Array("no store".utf8), [UInt8](repeating: 7, count: 8_192)] {
      #expect(throws: StoreError.notAStore) { try ChangeStore(restoring: bytes, random: Counter(state: 1)) }
    }
  }
}
