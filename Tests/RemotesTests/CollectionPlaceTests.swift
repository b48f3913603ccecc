@testable import Remotes
import Testing

/// The place of a collection, and the progress of a reading in it.
@Suite struct CollectionPlaceTests {
  @Test(arguments: [
    "firestore://p/tasks", "firestore://p/users/ann/tasks", "firestore://p-1.x:y/größe",
    "firestore://p/a/b/\u{301}c",
  ])
  func urlIsACollection(_ url: String) { #expect(CollectionPath(url)?.url == url) }

  @Test(arguments: [
    "firestore://", "firestore://p", "firestore://p/", "firestore://p/a/b", "firestore://p//b",
    "firestore:///a",
    "firestore://p/__a__", "firestore://p/..", "firestore://../a", "firestore://p/tasks-peersync",
    "firestore://p/a/\u{301}b", "firestore://p/__\u{301}a__",
    "firestore://p q/a", "firestore://p/a b", "https://p/a",
  ])
  func urlIsNone(_ url: String) { #expect(CollectionPath(url) == nil) }

  @Test func placeComesBackFromItsToken() {
    var place = FirestorePlace()
    (place.phase, place.after, place.at) = (.changes, "a\"b", "2025-05-01T00:00:00Z")
    (place.from, place.began, place.swept) = ("1", "2", "3")
    #expect(FirestorePlace(token: place.token) == place)
    #expect(FirestorePlace(token: Array("places\n".utf8)) == nil)
    #expect(place.finished.from == "2" && place.finished.after == nil && place.finished.phase == .removals)
  }

  @Test(arguments: [
    ("127.0.0.1:8080", true), ("localhost:1", true), ("[::1]:8080", true), ("firestore.test:65535", true),
    ("127.0.0.1", false), (":8080", false), ("localhost:", false), ("localhost:0", false),
    ("localhost:65536", false), ("http://localhost:8080", false), ("a b:1", false), ("user@host:1", false),
    ("localhost:8080/", false),
  ])
  func emulatorIsHostAndPort(_ word: String, _ isOne: Bool) {
    #expect((try? FirestoreClient.emulator { _ in word }) == (isOne ? word : nil))
  }
}
