import Postgres
package import Store
package import SyncCore
import SystemIO

/// The stores of a server's households, for one thread.
package final class Households {
  package let places: HouseholdPlaces
  private let wait: Duration
  private let patience: Duration?
  /// The connection to the database; nil before it was made.
  private var connected: PostgresHouseholds?

  /// A database that is silent for longer than `patience` counts as lost.
  package init(_ places: HouseholdPlaces, wait: Duration, patience: Duration? = nil) {
    (self.places, self.wait, self.patience) = (places, wait, patience)
  }

  /// The identity of an open store, to detect a replaced store.
  enum Identity: Equatable {
    case file(FileStamp.Identity?)
    /// The number of times that the connection was made: another server may have less data than the previous
    /// one.
    case connection(Int)
  }

  /// The households of a database; nil for files.
  private func database() throws -> PostgresHouseholds? {
    guard case .database(let address) = places else { return nil }
    if let connected { return connected }
    let made = try PostgresHouseholds(address, wait: wait, patience: patience)
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

  /// All existing households.
  package func names() throws -> [String] { try database()?.names() ?? places.names }

  /// The households being moved, by their original names.
  package func movingNames() throws -> [String] {
    try allNames().filter { $0.hasSuffix(ChangeStore.movingEnd) }.map(HouseholdPlaces.base).sorted()
  }

  /// Opens a store.
  ///
  /// Throws `missing` if the household does not have a store, and `beingMoved` during a move; with `takingOlder`, a
  /// store of an earlier version is opened for reading. With `onlyRead`, it is opened even if the disk is full.
  ///
  /// A household that was set aside or is being moved is opened by its present name.
  package func open(_ name: String, onlyRead: Bool = false, takingOlder: Bool = false) throws -> ChangeStore {
    if let database = try database() { return try database.store(name, isMover: name.contains(".")) }
    guard let path = places.anyPath(of: name) else { throw StoreError.missing }
    return try ChangeStore(path, creating: false, wait: wait, onlyRead: onlyRead, takingOlder: takingOlder)
  }

  /// Whether a household exists; an empty file is a household whose creation was interrupted, and does not count.
  package func exists(_ name: String) throws -> Bool {
    if let path = places.anyPath(of: name) { return FileMode.exists(path) && !isEmpty(path) }
    return try allNames().contains(name)
  }

  private func isEmpty(_ path: String) -> Bool { FileMode.size(of: path) == 0 }

  package func isBeingMoved(_ name: String) throws -> Bool { try exists(name + ChangeStore.movingEnd) }

  /// Whether a household is closed for writing but still has its name, as after an interrupted `fence`.
  ///
  /// A database closes and renames a household in one transaction.
  func isClosed(_ name: String) throws -> Bool {
    guard places.path(of: name) != nil, try exists(name) else { return false }
    return try open(name, takingOlder: true).isFenced
  }

  /// Makes an empty store; throws `nameTaken` if the household exists, and `beingMoved` during a move.
  package func add(_ name: String) throws {
    if let database = try database() {
      var random = SystemRandomNumberGenerator()
      let id = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      guard try database.add(name, id: id) else { throw StoreError.nameTaken(name) }
    } else if let path = places.path(of: name) {
      // An empty file is from a creation that was interrupted, or has just begun.
      guard try Database.createNew(path) || isEmpty(path) else { throw StoreError.nameTaken(name) }
      // If several processes make the store at once, one of them succeeds.
      let lock = try FileLock(on: path, patience: wait)
      // The lock file can be removed: a process that waits for the lock then finds a file that is not empty.
      defer { FileMode.remove("\(FileMode.resolved(path)).lock") }
      guard isEmpty(path) else { throw StoreError.nameTaken(name) }
      do {
        _ = try ChangeStore(path, creating: true, wait: wait)
      } catch {
        if FileMode.size(of: path) == 0 { FileMode.remove(path) }
        throw error
      }
      lock.release()
    } else {
      throw StoreError.missing
    }
  }

  /// Removes a household from the server; returns the new name of its store.
  package func setAside(_ name: String, at now: Instant) throws -> String {
    let aside = try freeName("\(name).removed-\(now.seconds)")
    try rename(name, to: aside)
    return aside
  }

  /// The name if it is free, otherwise the next free name.
  private func freeName(_ name: String) throws -> String {
    let taken = Set(try allNames())
    if !taken.contains(name) { return name }
    return (2...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) } ?? name
  }

  /// Deletes a household that was set aside, with all its data.
  package func purge(_ name: String) throws {
    if let database = try database() {
      guard try database.remove(name) else { throw StoreError.missing }
    } else if let path = places.anyPath(of: name) {
      ChangeStore.remove(path)
    }
  }

  // MARK: Moving

  /// The names of all households, including those that were set aside or are being moved.
  package func allNames() throws -> [String] {
    if let database = try database() { return try database.allNames() }
    return try places.allNames
  }

  /// Prevents further writes to a household, and gives it a name that no request can use.
  func fence(_ name: String, as other: String) throws {
    if let database = try database() { return try database.rename(name, to: other, isFenced: true) }
    try rename(name, to: other, isFenced: true)
  }

  /// Gives a fenced household its name back, and allows writes again.
  func reopen(_ name: String, as other: String) throws {
    if let database = try database() { return try database.rename(name, to: other, isFenced: false) }
    if let path = places.anyPath(of: other), FileMode.exists(path) { throw StoreError.nameTaken(path) }
    completeMove(of: other, to: name)
    try rename(name, to: other, isFenced: false)
  }

  /// Opens a household by its temporary name; other programs do not write to it.
  func openFenced(_ name: String) throws -> ChangeStore {
    completeMove(of: HouseholdPlaces.base(of: name), to: name)
    let store = try open(name)
    // An interrupted `reopen` may have removed the fence.
    try store.fence()
    return store
  }

  /// Completes the renaming of an interrupted `fence` or `reopen`.
  private func completeMove(of name: String, to begun: String) {
    guard begun.hasSuffix(ChangeStore.movingEnd), let path = places.path(of: name),
      let other = places.anyPath(of: begun)
    else { return }
    ChangeStore.completeRename(path, to: other)
  }

  /// Renames a household; it is then no longer available under its old name.
  func rename(_ name: String, to other: String) throws {
    if let database = try database() { return try database.rename(name, to: other, isFenced: true) }
    try rename(name, to: other, isFenced: nil)
  }

  /// Renames a household's file, and blocks or allows writes if `isFenced` is not nil.
  private func rename(_ name: String, to other: String, isFenced: Bool?) throws {
    guard let path = places.anyPath(of: name), let new = places.anyPath(of: other) else {
      throw StoreError.missing
    }
    do {
      try Self.use(try open(name)) { store in
        // Wait for readers before the fence, so that the household stays open if the wait is interrupted.
        try store.emptyLog()
        guard let isFenced else { return }
        try isFenced ? store.fence() : store.unfence()
        try store.emptyLog()
      }
      try ChangeStore.rename(path, to: new, returns: isFenced == false)
    } catch {
      if isFenced == true { try? open(name).unfence() }
      throw error
    }
  }

  /// Runs `body`, then closes the store; after that, a log remains only if another process has the store
  /// open.
  private static func use(_ store: consuming ChangeStore, _ body: (ChangeStore) throws -> Void) throws {
    try body(store)
  }

  /// Renames a moved household to a free name that contains `.moved-`.
  func setMovedAside(_ name: String, at now: Instant) throws {
    try rename(name, to: freeName("\(HouseholdPlaces.base(of: name)).moved-\(now.seconds)"))
  }

  /// Whether a name is free, and no household is about to get it.
  func isFree(_ name: String) throws -> Bool {
    if let database = try database() { return try database.isFree(name) }
    return places.anyPath(of: name).map { !FileMode.exists($0) } ?? true
  }

  /// Makes a household as a copy; after an error it does not exist.
  func add(_ name: String, copying store: ChangeStore) throws {
    if let database = try database() {
      guard try database.add(name, copying: store) else { throw StoreError.nameTaken(name) }
      return
    }
    guard let path = places.path(of: name) else { throw StoreError.missing }
    let new = path + ".new"
    ChangeStore.remove(new)
    do {
      try Self.use(try ChangeStore(new, creating: true, wait: wait)) { try store.copy(to: $0) }
      try ChangeStore.rename(new, to: path)
    } catch {
      ChangeStore.remove(new)
      throw error
    }
  }

  /// The latest sequence of each store by its name; only for a database.
  func sequences(of names: [String]) throws -> [String: Int64] { try database()?.sequences(of: names) ?? [:] }
}
