import Foundation
@testable import Store
import SyncCore
import TestSupport
import Testing

/// What a store keeps, and when its tokens are valid.
@Suite(.onEveryEngine) struct TokenTests {
  private let store: TestStore
  init() throws { store = try TestStore() }

  @Test func keepsTheNewestChangeOfEveryKeyItsRawLineItsOriginAndASequence() throws {
    let line =
      #"{ "identity" : {"id":1}, "title":"\u0061", "updatedAt":"2025-05-02T00:00:00Z","entityName":""}"#
    try store.apply(TestStore.line(1, "old", 1), line, TestStore.line(2, "b", 1), from: "phone")
    #expect(try store.lines == [line, TestStore.line(2, "b", 1)])
    let row = try #require(try store.place(of: line))
    #expect(try row.origin == store.peer("phone").number)
    #expect(try row.sequence < #require(try store.place(of: TestStore.line(2, "b", 1))).sequence)
  }

  @Test func sinceCostsWhatChangedNotWhatIsStored() throws {
    guard TestEngine.isFile else { return }
    let plan = try store.store.database.statement(
      "EXPLAIN QUERY PLAN SELECT sequence, origin, line FROM changes WHERE sequence > ?1 ORDER BY sequence")
    #expect(try plan.first { $0.text(3) } == "SEARCH changes USING INTEGER PRIMARY KEY (rowid>?)")
  }

  @Test func aTokenIsOpaqueBase64OfStoreSequenceAndMark() throws {
    try store.put(TestStore.line(1, "a", 1))
    let token = try store.token
    #expect(StoreToken(token.text) == token)
    #expect(token.text.utf8.count == 44)
    #expect(try store.since(token).lines == [])
    for text in ["", "AAAA", "x", String(token.text.dropLast(4)), token.text + "AAAA"] {
      #expect(StoreToken(text) == nil, "\(text)")
    }
  }

  @Test func ofAnotherStoreIsForeign() throws {
    let other = try TestStore()
    try other.put(TestStore.line(1, "a", 1))
    let token = try other.token
    #expect(throws: StoreError.foreignToken) { try store.since(token) }
  }

  @Test func ofARestoredStoreIsForeign() throws {
    try store.put(TestStore.line(1, "a", 1))
    let (old, copy) = (try store.token, store.folder.appending(path: "copy.db").path)
    try store.store.backup(to: ChangeStore.created(copy))
    try store.put(TestStore.line(1, "b", 2))
    let lost = try store.token
    let restored = try ChangeStore(copy, creating: false, wait: .zero)
    #expect(try restored.standing(of: old) == .valid)
    #expect(try restored.standing(of: lost) == .foreign)
    try restored.write { _ = try LocalIntake(restored, store.shape, now: store.now) }
    #expect(try restored.standing(of: lost) == .foreign, "beyond the last sequence")
  }

  /// A record that has changed is after the page; in the restored store it is before the page's end again.
  @Test func ofAPageThatWasReadInAHistoryThatIsGoneIsForeign() throws {
    try store.put(TestStore.line(1, "a", 1))
    let token = try store.token
    try store.put(TestStore.line(2, "b", 1), TestStore.line(3, "c", 1))
    let copy = store.folder.appending(path: "copy.db").path
    try store.store.backup(to: ChangeStore.created(copy))
    try store.put(TestStore.line(2, "d", 2))
    let restored = try ChangeStore(copy, creating: false, wait: .zero)
    for (since, end) in [(token, Int64(3)), (nil, 1)] {
      let page = try store.since(since, limits: .init(bytes: 100)).end
      #expect(page.hasMore && page.token.sequence == end)
      #expect(try store.store.standing(of: page.token) == .valid)
      #expect(try restored.standing(of: page.token) == .foreign)
      #expect(StoreToken(page.token.text) == page.token)
    }
  }

  /// The same sequence in another history.
  @Test func ofAnotherMarkIsForeign() throws {
    try store.put(TestStore.line(1, "a", 1))
    var token = try store.token
    token.mark ^= 1
    #expect(throws: StoreError.foreignToken) { try store.since(token) }
  }

  @Test func belowTheCompactionLineIsExpired() throws {
    try store.put(TestStore.line(1, "a", 1))
    let token = try store.token
    try store.put(TestStore.delete(1, 2))
    try store.acknowledge("phone", store.token)
    #expect(
      try store.store.write {
        try store.store.compact(retireAfter: .seconds(1), now: store.now, drift: DriftGuard.default).removed
      } == 1)
    #expect(throws: StoreError.expiredToken) { try store.since(token) }
    #expect(try store.since(nil).lines == [])
  }

  @Test func aPageTokenOfACompleteAnswerExpiresOnlyIfTheCompactionLinePassesItsStart() throws {
    try store.put(TestStore.line(1, "a", 1), TestStore.delete(2, 1), TestStore.line(3, "c", 1))
    let page = try store.since(nil, limits: .init(lines: 1)).end
    #expect(page.hasMore)
    #expect(page.token.start == 3)
    try store.acknowledge("phone", store.token)
    try store.store.write {
      _ = try store.store.compact(retireAfter: .seconds(1), now: store.now, drift: DriftGuard.default)
    }
    #expect(try store.since(page.token).lines == [TestStore.line(3, "c", 1)], "begun after the tombstone")
    try store.put(TestStore.delete(4, 2))
    try store.acknowledge("phone", store.token)
    try store.store.write {
      _ = try store.store.compact(retireAfter: .seconds(1), now: store.now, drift: DriftGuard.default)
    }
    #expect(throws: StoreError.expiredToken) { try store.since(page.token) }
  }

  @Test func pagesTogetherAreTheWholeAnswer() throws {
    let lines = (1...9).map { TestStore.line($0, "a", 1) }
    try store.apply(lines, from: "phone")
    for limits in [ChangeStore.PageLimits(lines: 2), .init(bytes: 1), .init(bytes: 130), .init()] {
      var (all, token, more) = ([String](), StoreToken?.none, true)
      while more {
        let page = try store.since(token, for: "phone", limits: limits)
        (token, more) = (page.end.token, page.end.hasMore)
        all += page.lines
      }
      #expect(all == lines)
      #expect(try token == store.token)
    }
  }
}

extension ChangeStore {
  /// An empty file for a backup.
  static func created(_ path: String) throws -> String {
    _ = try ChangeStore(path, creating: true, wait: .zero)
    return path
  }
}
