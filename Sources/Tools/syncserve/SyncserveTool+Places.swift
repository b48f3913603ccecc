import CommandLine
import CommonInputs
import Crypto
import JSONLines
import Server
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SyncserveTool {
  static func runAdd(_ settings: PlaceSettings, on console: Console) throws -> ExitStatus {
    let households = try settings.households()
    let (name, label) = try household(settings.name, in: households.places, isNew: true)
    return try Diagnostic.naming(store: label) {
      func taken() -> Diagnostic {
        Diagnostic(.cannotCreate, "the household '\(name)' exists already", file: label)
      }
      guard try !households.isBeingMoved(name) else {
        throw Diagnostic(
          .cannotCreate, "the household '\(name)' is being moved", file: label,
          hint: "run 'syncserve move' again to finish the move, or with --cancel to undo it")
      }
      if try households.exists(name) { throw taken() }
      // With a database, the folder of the keys may be unknown.
      let ring = try? settings.keyRing(households.places)
      let isOpen = try ring.map { try hasKeys(name, in: $0, at: settings.store.present) } ?? false
      do { try households.add(name) } catch StoreError.nameTaken { throw taken() }
      if isOpen {
        console.warn(
          "keys of an earlier household '\(name)' are valid for this one",
          hint: "\(settings.keyList) shows them")
      }
      try Descriptor.standardOutput.write(line: line(name, label))
      return .done
    }
  }

  static func runList(_ settings: PlaceSettings, on console: Console) throws -> ExitStatus {
    let households = try settings.households()
    var listing = Listing(
      [
        .init("household", "household"), .init("records", "records", as: .count), .init("store", "store"),
        .init("tells loser", "tellsLoser"), .init("moving", "moving"),
      ], settings.listing)
    var round = HouseholdRound(on: console)
    try settings.requirePlace(households)
    for name in try settings.movingNames(of: households) {
      let moving = name + ChangeStore.movingEnd
      let label = households.places.label(of: moving)
      try round.visit(label) {
        let store = try households.open(moving, takingOlder: true)
        let live = try store.read { store.live }
        try listing.add(line(name, label, [.init("records", .integer(live)), .init("moving", .bool(true))]))
      }
    }
    for name in try settings.names(of: households) {
      let label = households.places.label(of: name)
      try round.visit(label) {
        let store = try households.open(name, takingOlder: true)
        let live = try store.read { store.live }
        var more = [JSONMember("records", .integer(live))]
        if !store.isOlder, try store.tellsLosers() { more.append(.init("tellsLoser", .bool(true))) }
        // The move was interrupted before the file got its temporary name.
        if try store.isFenced { more.append(.init("moving", .bool(true))) }
        try listing.add(line(name, label, more))
      }
    }
    try listing.finish(none: "no households; 'syncserve household add' makes one", on: console)
    return round.status
  }

  static func runSet(_ settings: PlaceSettings, on console: Console) throws -> ExitStatus {
    let households = try settings.households()
    let (name, label) = try household(settings.name, in: households.places)
    guard let tells = settings.tellsLosers else {
      throw UsageError.conflict("a setting is required: --tell-loser or --no-tell-loser")
    }
    return try Diagnostic.naming(store: label) {
      guard try households.exists(name) else { throw try missing(name, households, settings.place?.path) }
      try households.open(name).setTellsLosers(tells)
      try Descriptor.standardOutput.write(line: line(name, label, [.init("tellsLoser", .bool(tells))]))
      return .done
    }
  }

  static func runRemove(_ settings: PlaceSettings, on console: Console) throws -> ExitStatus {
    let households = try settings.households()
    if HouseholdPlaces.isSetAside(settings.name) { return try purge(settings, households) }
    let (name, label) = try household(settings.name, in: households.places)
    let ring = try settings.keyRing(households.places)
    let now = settings.store.present
    return try Diagnostic.naming(store: label) {
      guard try households.exists(name) else {
        let isMoving = try households.isBeingMoved(name)
        var error = try missing(name, households, settings.place?.path)
        // The household may be in another place with the same keys, so only a person can decide.
        if !isMoving, try hasKeys(name, in: ring, at: now) {
          error.hint = "its keys are still valid; \(settings.keyList) shows them"
        }
        throw error
      }
      // Revoke the keys first, because they must not give access to a new household of the same name.
      try revokeKeys(of: name, in: ring, at: now)
      let aside = try households.setAside(name, at: now)
      // Revoke the keys again, because a key may have been made before the household was set aside.
      try revokeKeys(of: name, in: ring, at: now)
      let removedAs = JSONMember("removedAs", .string(aside))
      try Descriptor.standardOutput.write(line: line(name, households.places.label(of: aside), [removedAs]))
      return .done
    }
  }

  /// Revokes all keys of a household.
  private static func revokeKeys(of name: String, in ring: KeyRing, at now: Instant) throws {
    // Check first, so that a file is not made or written needlessly.
    guard try hasKeys(name, in: ring, at: now) else { return }
    try ring.change { records in
      for index in records.indices where records[index].isValid(for: name, at: now) {
        records[index].revoke(at: now)
      }
    }
  }

  private static func hasKeys(_ name: String, in ring: KeyRing, at now: Instant) throws -> Bool {
    try ring.load().contains { $0.isValid(for: name, at: now) }
  }

  /// Deletes the store of a household that was already removed.
  private static func purge(_ settings: PlaceSettings, _ households: Households) throws -> ExitStatus {
    let (name, label) = try household(settings.name, in: households.places)
    return try Diagnostic.naming(store: label) {
      guard try households.exists(name) else { throw try missing(name, households, settings.place?.path) }
      try households.purge(name)
      try Descriptor.standardOutput.write(line: line(name, label, [.init("purged", .bool(true))]))
      return .done
    }
  }

  static func line(_ name: String, _ path: String, _ more: [JSONMember] = []) -> JSONValue {
    .object([.init("household", .string(name)), .init("store", .string(path))] + more)
  }

  /// Checks a household's name, which can be that of a removed household unless `isNew`.
  static func household(
    _ name: String, in places: HouseholdPlaces, isNew: Bool = false
  ) throws -> (name: String, label: String) {
    let isAside = !isNew && HouseholdPlaces.isSetAside(name)
    guard places.canHave(isAside ? HouseholdPlaces.base(of: name) : name) else {
      throw UsageError.conflict(
        HouseholdPlaces.isName(name)
          ? "a store that is one file has only the household '\(HouseholdPlaces.only)'"
          : "invalid name '\(name)': use up to 63 lower-case letters, digits and hyphens")
    }
    return (name, places.label(of: name))
  }

  static func missing(_ name: String, _ households: Households, _ place: String?) throws -> Diagnostic {
    if try households.isBeingMoved(name) {
      return Diagnostic(StoreError.beingMoved, store: households.places.label(of: name))
    }
    return Diagnostic(
      .fileNotFound, "unknown household '\(name)'",
      hint: "syncserve household list --store \(ShellWord.path(place ?? ""))")
  }

  // MARK: Keys

  static func runCreate(_ settings: KeySettings, on console: Console) throws -> ExitStatus {
    let households = try settings.households()
    let ring = try settings.keyRing(households.places)
    try SecretSource.checkStandardOutput()
    try settings.requirePlace(households)
    let names = try settings.names(of: households)
    guard let wanted = settings.household ?? (names.count == 1 ? names[0] : nil) else {
      throw UsageError.conflict("the server has \(names.count) households: name one with --household")
    }
    let (name, label) = try household(wanted, in: households.places)
    guard names.contains(name) else { throw try missing(name, households, settings.place?.path) }
    if settings.lifetime == .zero { throw UsageError.conflict("'--expires-in' must be more than 0s") }
    var record = KeyRecord(id: try newID(), household: name, createdAt: settings.store.present)
    (record.member, record.device) = (settings.member, settings.device)
    record.isReadOnly = settings.isReadOnly
    record.expiresAt = settings.lifetime.map { settings.store.present.advanced(by: $0) }
    if let member = settings.member {
      let store = try Diagnostic.naming(store: label) { try households.open(name, takingOlder: true) }
      if try store.hasMember(member) == false {
        console.note("the household does not have a member '\(member)' yet")
      }
    }
    let new = record
    let text = try ring.text(of: new)
    try ring.change { $0.append(new) }
    try print(text, new.id, settings.place?.path)
    return .done
  }

  /// A key that could not be printed is lost, but its record remains until it is revoked or rotated.
  ///
  /// A device keeps its checkpoints only if the lost key is rotated.
  private static func print(
    _ text: String, _ id: String, _ place: String?, remedy: String = "revoke"
  ) throws {
    do {
      try Descriptor.standardOutput.write("\(text)\n")
    } catch {
      var diagnostic = Diagnostic(error)
      diagnostic.hint =
        "the key is lost: syncserve key \(remedy) \(id) --store \(ShellWord.path(place ?? ""))"
      throw diagnostic
    }
  }

  static func runKeys(_ settings: KeySettings, on console: Console) throws -> ExitStatus {
    var listing = Listing(
      [
        .init("key", "keyId", as: .id), .init("household", "household"), .init("device", "device"),
        .init("member", "member"),
        .init("created", "createdAt", as: .age), .init("expires", "expiresAt", as: .age),
        .init("revoked", "revokedAt", as: .age), .init("read-only", "readOnly"),
      ], settings.listing)
    let households = try settings.households()
    let records = try settings.keyRing(households.places).load()
    if records.isEmpty { try settings.requirePlace(households) }
    for record in records { try listing.add(record.json) }
    try listing.finish(none: "no keys; 'syncserve key create' makes one", on: console)
    return .done
  }

  static func runRevoke(_ settings: KeySettings, on console: Console) throws -> ExitStatus {
    let ring = try settings.keyRing(settings.places())
    let now = settings.store.present
    var revoked: KeyRecord?
    // Check first, so that a lock file is not made needlessly.
    _ = try find(settings.id, in: ring.load())
    try ring.change { records in
      let index = try find(settings.id, in: records)
      records[index].revoke(at: now)
      revoked = records[index]
    }
    if let revoked { try Descriptor.standardOutput.write(line: revoked.json) }
    return .done
  }

  static func runRotate(_ settings: KeySettings, on console: Console) throws -> ExitStatus {
    let ring = try settings.keyRing(settings.places())
    try SecretSource.checkStandardOutput()
    let (id, now) = (try newID(), settings.store.present)
    var text = ""
    _ = try find(settings.id, in: ring.load())
    try ring.change { records in
      let index = try find(settings.id, in: records)
      if let refusal = records[index].refusal(at: now) {
        throw Diagnostic(.refusedByPeer, refusal.message, hint: "make one: syncserve key create")
      }
      var new = records[index]
      (new.id, new.createdAt, new.revokedAt) = (id, now, nil)
      text = try ring.text(of: new)
      let end = now.advanced(by: settings.overlap)
      records[index].replace(at: end)
      records.append(new)
    }
    try print(text, id, settings.place?.path, remedy: "rotate")
    return .done
  }

  private static func newID() throws -> String { HexDigits.text(try RandomBytes.make(8)) }

  private static func find(_ id: String, in records: [KeyRecord]) throws -> Int {
    guard let index = records.firstIndex(where: { $0.id == id }) else {
      throw Diagnostic(.unknownPeer, "unknown key '\(id)'", hint: "syncserve key list prints the ids")
    }
    return index
  }
}

extension KeyRecord {
  fileprivate func isValid(for household: String, at now: Instant) -> Bool {
    self.household == household && refusal(at: now) == nil
  }
}
