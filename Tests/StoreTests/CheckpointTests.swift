import JSONLines
@testable import Store
import SyncCore
import TestSupport
import Testing

@Suite(.onEveryEngine) struct CheckpointTests {
  /// A token that no request can contain would be ignored silently.
  @Test(arguments: [#"a"b"#, "not Base64", String(repeating: "AAAA", count: 21_846)])
  func aTokenThatCannotBeSentIsRefused(_ token: String) throws {
    let store = try TestStore()
    try store.apply(TestStore.line(1, "a", 1), from: "phone")
    let peer = try store.peer("phone")
    #expect(throws: StoreError.invalidToken) {
      try store.store.write { try store.store.setCheckpoint(peer, .outgoing, token, now: store.now) }
    }
    #expect(try store.store.checkpoint(peer, .outgoing) == nil)
  }

  @Test(arguments: ["QUI=", String(repeating: "AAAA", count: 21_845)])
  func tokensOfOtherProgramsAreKept(_ token: String) throws {
    let store = try TestStore()
    try store.apply(TestStore.line(1, "a", 1), from: "phone")
    let peer = try store.peer("phone")
    try store.store.write { try store.store.setCheckpoint(peer, .outgoing, token, now: store.now) }
    #expect(try store.store.checkpoint(peer, .outgoing) == token)
  }
}
