package import Store
import SystemIO

/// The households of a database, through a connection of one thread.
package final class PostgresHouseholds {
  package let connection: PostgresConnection
  /// The numbers of households by their names; a household that was removed in the meantime throws `missing`
  /// when it is used.
  private var numbers: [String: Int64] = [:]
  private let sizes = HouseholdSizes()

  /// Makes the tables if they do not exist, and refuses tables of a later version.
  ///
  /// A server that is silent for longer than `patience` counts as lost.
  package init(_ address: PostgresAddress, wait: Duration, patience: Duration? = nil) throws {
    connection = try PostgresConnection(address)
    (connection.wait, connection.patience) = (wait, patience)
    try PostgresSchema.prepare(connection)
  }

  private func ask(_ sql: String, _ values: PostgresValues? = nil) throws(StoreError) -> PostgresResult? {
    try connection.runAlone(
      ["BEGIN", PostgresSchema.settings(of: nil, wait: connection.wait)], sql, values?.packed ?? .init())
  }

  /// All names, including those of removed and moved households, which are invalid as names of new ones.
  package func allNames() throws(StoreError) -> [String] {
    guard let result = try ask("SELECT name FROM households ORDER BY name") else { return [] }
    return (0..<result.count).map { result.text($0, 0) }
  }

  /// All existing households.
  package func names() throws(StoreError) -> [String] { try allNames().filter { !$0.contains(".") } }

  private func number(of name: String) throws(StoreError) -> Int64? {
    if let known = numbers[name] { return known }
    var values = PostgresValues(count: 1)
    let text = Array(name.utf8)
    values.bind(1, text.span)
    guard let result = try ask("SELECT store FROM households WHERE name = $1", values), result.count > 0
    else { return nil }
    let number = result.integer(0, 0)
    numbers[name] = number
    return number
  }

  /// The store of a household; throws `missing` if it does not exist.
  ///
  /// A household that is being moved is visible only to the process that moves it.
  package func store(_ name: String, isMover: Bool = false) throws -> ChangeStore {
    let wasKnown = numbers[name] != nil
    guard let number = try number(of: name) else {
      throw try self.number(of: name + ChangeStore.movingEnd) == nil ? StoreError.missing : .beingMoved
    }
    do {
      return try ChangeStore(
        label(name), on: household(number, name, isMover: isMover))
    } catch {
      numbers[name] = nil
      // The name may now belong to another household.
      if wasKnown, case StoreError.missing = error { return try store(name, isMover: isMover) }
      throw error
    }
  }

  private func household(_ number: Int64, _ name: String, isMover: Bool) -> HouseholdDatabase {
    HouseholdDatabase(number, named: name, on: connection, isMover: isMover, sizes: sizes)
  }

  /// The name of a household's store, as messages show it.
  package func label(_ name: String) -> String { "\(connection.address.text)#\(name)" }

  /// Makes the store of a household; false if the name exists, and throws `beingMoved` during a move.
  ///
  /// `fill` stores the id and the content in the same transaction. If another process is making the same
  /// household, this function waits until that is done.
  package func add(
    _ name: String, id: [UInt8], fill: (HouseholdDatabase) throws -> Void = { _ in }
  ) throws -> Bool {
    try connection.refresh()
    connection.begin(["BEGIN", PostgresSchema.settings(of: nil, wait: connection.wait)])
    do {
      var values = PostgresValues(count: 1)
      let text = Array(name.utf8)
      values.bind(1, text.span)
      try connection.sendInside(
        "INSERT INTO households (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING store",
        values.packed)
      guard let result = try connection.finish(), result.count > 0 else {
        connection.rollback()
        return false
      }
      // Check only after the insert: it waits for a transaction that is moving a household of this name.
      try requireNotMoving(text)
      let database = household(result.integer(0, 0), name, isMover: false)
      try database.enter()
      try database.statement(
        "INSERT INTO store (id, sequence, compacted, live, tombstones, rules) VALUES (?1, 0, 0, 0, 0, ?2)"
      ).bind(1, id).bind(2, []).run()
      try fill(database)
      try database.commit()
      return true
    } catch {
      connection.rollback()
      throw error
    }
  }

  private func requireNotMoving(_ name: [UInt8]) throws(StoreError) {
    var values = PostgresValues(count: 1)
    let moving = name + Array(ChangeStore.movingEnd.utf8)
    values.bind(1, moving.span)
    try connection.sendInside("SELECT 1 FROM households WHERE name = $1", values.packed)
    if try connection.finish()?.count ?? 0 > 0 { throw .beingMoved }
  }

  /// Whether this name is free; throws `beingMoved` if a household is being moved to it.
  package func isFree(_ name: String) throws -> Bool {
    struct Trial: Error {}
    do {
      return try add(name, id: []) { _ in throw Trial() }
    } catch is Trial {
      return true
    }
  }

  /// Renames a household, and allows or fences writes in the same transaction; throws `missing` if the name
  /// does not exist, and `nameTaken` if the new name does.
  ///
  /// Transactions that wait for the household, and those of servers that know its number, no longer find it.
  package func rename(_ name: String, to other: String, isFenced: Bool) throws {
    numbers[name] = nil
    guard let number = try number(of: name) else { throw StoreError.missing }
    numbers[name] = nil
    let database = household(number, name, isMover: true)
    try database.transaction {
      try database.statement("UPDATE store SET fenced = \(isFenced)").run()
      guard try database.changes == 1 else { throw StoreError.missing }
      try database.statement("UPDATE households SET name = ?1 WHERE store = ?2").bind(1, other).bind(
        2, number
      ).run()
    }
  }

  /// Copies a store into a new household; false if that name exists.
  package func add(_ name: String, copying store: ChangeStore) throws -> Bool {
    try add(name, id: Array(store.id)) { database in
      try store.copy(into: database)
      // Numbers given later must be higher than the copied ones and those of other households.
      let last = try database.integer("SELECT coalesce(max(number), 0) FROM conflicts") ?? 0
      guard last > 0 else { return }
      _ = try database.integer("SELECT 1 FROM pg_advisory_xact_lock(\(PostgresSchema.numberLock))")
      let numbers = "pg_get_serial_sequence('conflicts', 'number')"
      _ = try database.integer(
        "SELECT CASE WHEN nextval(\(numbers)) <= \(last) THEN setval(\(numbers), \(last)) END")
    }
  }

  /// Removes a household with all its data; false if that name does not exist.
  package func remove(_ name: String) throws -> Bool {
    guard let number = try number(of: name) else { return false }
    let database = household(number, name, isMover: true)
    try database.transaction {
      for table in PostgresSchema.tables { try database.statement("DELETE FROM \(table)").run() }
      try database.statement("DELETE FROM households WHERE store = ?1").bind(1, number).run()
    }
    numbers[name] = nil
    return true
  }

  /// The latest sequence of each household by its name, in one query.
  package func sequences(of names: [String]) throws(StoreError) -> [String: Int64] {
    var values = PostgresValues(count: 1)
    // Without quotes, the name `null` would not be a text. Names contain neither quotes nor backslashes.
    let list = Array("{\(names.map { "\"\($0)\"" }.joined(separator: ","))}".utf8)
    values.bind(1, list.span)
    let found = try connection.runAlone(
      ["BEGIN READ ONLY", PostgresSchema.settings(forLooking: connection.wait)],
      "SELECT name, sequence FROM households JOIN store USING (store) WHERE name = ANY (CAST(CAST($1 AS TEXT) AS TEXT[]))",
      values.packed)
    var sequences: [String: Int64] = [:]
    for row in 0..<(found?.count ?? 0) {
      if let found { sequences[found.text(row, 0)] = found.integer(row, 1) }
    }
    return sequences
  }
}
