import Foundation
@testable import Server
import Store
import SyncCore
import TestSupport
import Testing

/// The open stores of a worker, and files without a store.
@Suite struct HouseholdStoresTests {
  private let folder: TemporaryFolder
  private let households: Households
  private let rules: HouseholdRules

  init() throws {
    folder = try TemporaryFolder()
    let places = HouseholdPlaces.folder(folder.url.path)
    households = Households(places, wait: .seconds(10))
    rules = HouseholdRules(places) { TestServer.now }
  }

  /// Whether a peer's session was kept since the last call.
  private func hasSession(_ household: OpenHousehold) throws -> Bool {
    try household.asPeerStore(rules, peer: "a", continuing: true) { session in
      defer { session.countsRemaining = true }
      return (session.countsRemaining, goesOn: true)
    }
  }

  /// The beginning of an answer in pages would be lost with its store.
  @Test func aSessionSurvivesManyOtherHouseholds() throws {
    let stores = HouseholdStores(rules)
    for number in 0...HouseholdStores.most { try households.add("h\(number)") }
    #expect(try !hasSession(try stores.household("h0")))
    for number in 1...HouseholdStores.most { _ = try stores.household("h\(number)") }
    #expect(try hasSession(try stores.household("h0")))
  }

  @Test func storesWithSessionsAreLimitedToo() throws {
    let stores = HouseholdStores(rules)
    for number in 0...HouseholdStores.mostWithSessions {
      try households.add("h\(number)")
      #expect(try !hasSession(try stores.household("h\(number)")))
    }
    #expect(try !hasSession(try stores.household("h0")))
  }

  /// A deleted file keeps its space on the disk while it is open.
  @Test func aStoreThatIsGoneIsClosed() throws {
    let stores = HouseholdStores(rules)
    for name in ["gone", "home"] {
      try households.add(name)
      _ = try stores.household(name)
    }
    try households.purge("gone")
    stores.closeReplaced()
    #expect(!stores.close("gone") && stores.close("home"))
  }

  /// Such a name is part of a path.
  @Test func aNameIsNoPath() {
    #expect(HouseholdPlaces.isSetAside("home.removed-1"))
    for name in ["home.removed-/x", "home.removed-/\u{301}x", "home.removed-\u{D4E}/x"] {
      #expect(!HouseholdPlaces.isSetAside(name))
    }
    #expect(HouseholdPlaces("a\u{D4E}//") == .folder("a\u{D4E}"))
  }

  /// A process that was killed while it made a household leaves an empty file.
  @Test func anEmptyFileBecomesAHousehold() throws {
    let file = folder.path("home.db")
    try Data().write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    #expect(try !households.exists("home"))
    try households.add("home")
    #expect(try households.exists("home") && households.open("home").read { true })
    #expect(throws: StoreError.self) { try households.add("home") }
  }
}
