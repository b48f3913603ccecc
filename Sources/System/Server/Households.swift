import Postgres
package import Store
package import SyncCore
import SystemIO

/// The stores of a server's households, for one thread.
package final class Households {
  package let places: HouseholdPlaces
  private let wait: Duration
  /// The connection to the database, once there is one.
  private var connected: PostgresHouseholds?

  package init(_ places: HouseholdPlaces, wait: Duration) { (self.places, self.wait) = (places, wait) }

  /// Whether an open store is still the one that it was.
  enum Identity: Equatable {
    case file(FileStamp.Identity?)
    /// How often the connection was made: another server may have less than the one before.
    case connection(Int)
  }

  /// The households of a database; nil if these are files.
  private func database() throws -> PostgresHouseholds? {
    guard case .database(let address) = places else { return nil }
    if let connected { return connected }
    let made = try PostgresHouseholds(address, wait: wait)
    connected = made
    return made
  }

  func identity(of name: String) throws -> Identity {
    guard let database = try database() else {
      return .file(places.path(of: name).flatMap { FileStamp(of: $0)?.identity })
    }
    try database.connection.refresh()
    return .connection(database.connection.generation)
  }

  /// All that exist.
  package func names() throws -> [String] { try database()?.names() ?? places.names }

  /// Throws `missing` where the household has no store; with `takingOlder`, one of an earlier version is opened to be read.
  package func open(_ name: String, takingOlder: Bool = false) throws -> ChangeStore {
    if let database = try database() { return try database.store(name) }
    guard let path = places.path(of: name) else { throw StoreError.missing }
    return try ChangeStore(path, creating: false, wait: wait, takingOlder: takingOlder)
  }

  package func exists(_ name: String) throws -> Bool {
    if let path = places.path(of: name) { return FileMode.exists(path) }
    return try names().contains(name)
  }

  /// Makes an empty store.
  package func add(_ name: String) throws {
    if let database = try database() {
      var random = SystemRandomNumberGenerator()
      let id = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try database.add(name, id: id)
    } else if let path = places.path(of: name) {
      _ = try ChangeStore(path, creating: true, wait: wait)
    }
  }

  /// Takes a household off the server; gives the name that its store has from now on.
  package func setAside(_ name: String, at now: Instant) throws -> String {
    if let database = try database() {
      guard try database.rename(name, to: "\(name).removed-\(now.seconds)") else { throw StoreError.missing }
      return places.label(of: "\(name).removed-\(now.seconds)")
    }
    guard let path = places.path(of: name) else { throw StoreError.missing }
    // Nobody writes to it while it gets its new name, and nothing is left in its log.
    let aside = "\(path).removed-\(now.seconds)"
    try open(name).moveAside(to: aside)
    return aside
  }

  // MARK: Moving

  /// The names of all households, those too that were set aside or are moved.
  func allNames() throws -> [String] {
    if let database = try database() { return try database.allNames() }
    return places.allNames
  }

  /// Lets nobody write to a household any more, which gets a name by which nobody finds it.
  func fence(_ name: String, as other: String) throws {
    if let database = try database() { return try database.fence(name, as: other) }
    guard let path = places.anyPath(of: other) else { throw StoreError.missing }
    let store = try open(name)
    try store.fence()
    try store.moveAside(to: path)
  }

  func openFenced(_ name: String) throws -> ChangeStore {
    if let database = try database() { return try database.store(name, isMover: true) }
    guard let path = places.anyPath(of: name) else { throw StoreError.missing }
    return try ChangeStore(path, creating: false, wait: wait)
  }

  func rename(_ name: String, to other: String) throws {
    if let database = try database() {
      guard try database.rename(name, to: other) else { throw StoreError.missing }
      return
    }
    guard let path = places.anyPath(of: name), let new = places.anyPath(of: other) else {
      throw StoreError.missing
    }
    try ChangeStore(path, creating: false, wait: wait).moveAside(to: new)
  }

  /// Makes a household that is a copy, whole or not at all.
  func add(_ name: String, copying store: ChangeStore) throws {
    if let database = try database() {
      guard try database.add(name, copying: store) else { throw StoreError.replaced }
      return
    }
    guard let path = places.path(of: name) else { throw StoreError.missing }
    let new = path + ".new"
    for end in ["", "-wal", "-shm"] { FileMode.remove(new + end) }
    let copy = try ChangeStore(new, creating: true, wait: wait)
    try store.copy(to: copy)
    try copy.moveAside(to: path)
  }

  /// Up to which sequence the stores have got, by their names; of a database alone.
  func sequences(of names: [String]) throws -> [String: Int64] { try database()?.sequences(of: names) ?? [:] }
}
