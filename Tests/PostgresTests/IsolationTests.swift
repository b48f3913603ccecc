@testable import Postgres
@testable import Store
import TestSupport
import Testing

/// A household cannot read or change data of another one, regardless of its statements.
@Suite(.enabled(if: PostgresCluster.isTried, "PostgreSQL is not installed")) struct IsolationTests {
  private let database: TestDatabase

  init() throws {
    database = try TestDatabase()
    try database.add("ours", "theirs")
    for name in ["ours", "theirs"] {
      let store = try database.households().store(name)
      try store.put([TestDatabase.line(1, name)])
    }
  }

  /// Statements of a transaction for a household, or nil for none.
  private func run(_ household: Int64?, _ sql: String...) throws -> PostgresResult? {
    let connection = try database.connection()
    try connection.refresh()
    connection.begin(["BEGIN", PostgresSchema.settings(of: household, wait: .seconds(1))])
    defer { connection.rollback() }
    for sql in sql { try connection.sendInside(sql) }
    return try connection.finish()
  }

  private func refused(_ sql: String...) throws -> Bool {
    let connection = try database.connection()
    try connection.refresh()
    connection.begin(["BEGIN", PostgresSchema.settings(of: 1, wait: .seconds(1))])
    defer { connection.rollback() }
    do {
      for sql in sql { try connection.sendInside(sql) }
      try connection.finish()
      return false
    } catch {
      return true
    }
  }

  @Test(arguments: PostgresSchema.tables) func otherRowsAreNotThere(_ table: String) throws {
    let all = try run(1, "SELECT count(*) FROM \(table) WHERE store <> 1")
    #expect(all?.integer(0, 0) == 0)
    #expect(try run(nil, "SELECT count(*) FROM \(table)")?.integer(0, 0) == 0)
    #expect(try run(1, "UPDATE \(table) SET store = store WHERE store = 2")?.changes == 0)
    #expect(try run(1, "DELETE FROM \(table) WHERE store = 2 OR true")?.changes ?? 0 <= 1)
    #expect(try database.households().store("theirs").told(after: nil).lines.count == 1)
  }

  @Test func noRowIsPutIntoAnother() throws {
    let values =
      "(sequence, origin, tombstone, base, checksum, key, line, store) VALUES (9, 0, false, 0, 0, 'k', 'l'"
    #expect(try refused("INSERT INTO changes \(values), 2)"))
    #expect(try !refused("INSERT INTO changes \(values), 1)"))
    #expect(try refused("UPDATE changes SET store = 2"))
    #expect(
      try refused(
        "INSERT INTO store (id, sequence, compacted, live, tombstones, rules, store) VALUES ('i', 0, 0, 0, 0, '', 2)"
      ))
  }

  /// If it is switched off, a statement fails instead of seeing everything.
  @Test func thePolicyCannotBeLeftAside() throws {
    #expect(try refused("SET LOCAL row_security = off", "SELECT count(*) FROM changes"))
    #expect(try refused("SET LOCAL ROLE postgres", "SELECT count(*) FROM changes"))
  }

  /// Neither an error message nor the order of conditions reveals other rows.
  @Test func conditionsSeeNoOtherRows() throws {
    #expect(
      try run(1, "SELECT count(*) FROM changes WHERE 1 / (CASE WHEN store = 2 THEN 0 ELSE 1 END) = 1")?
        .integer(0, 0) == 1)
  }

  @Test func lookingTellsNoContent() throws {
    let connection = try database.connection()
    for table in PostgresSchema.tables where table != "store" {
      let found = try connection.runAlone(
        ["BEGIN", PostgresSchema.settings(forLooking: .seconds(1))], "SELECT count(*) FROM \(table)", .init())
      #expect(found?.integer(0, 0) == 0)
    }
    #expect(throws: StoreError.self) {
      try connection.runAlone(
        ["BEGIN", PostgresSchema.settings(forLooking: .seconds(1))],
        "INSERT INTO hooks (command, told) VALUES ('x', 1)", .init())
    }
  }

  @Test func aRoleThatSeesAllIsRefused() throws {
    let address = try PostgresAddress(database.url.replacing("peersync@", with: "postgres@"))
    #expect(throws: StoreError.unguarded(role: "postgres")) {
      try PostgresHouseholds(address, wait: .seconds(1))
    }
  }

  /// A statement finds its household's rows by an index, regardless of the number of households.
  @Test func householdsAreFoundByAnIndex() throws {
    for table in PostgresSchema.tables {
      for sql in ["SELECT * FROM \(table)", "DELETE FROM \(table)"]
        + (table == "store" ? ["SELECT 1 FROM store FOR UPDATE"] : [])
      {
        let plan = try run(1, "SET LOCAL enable_seqscan = off", "EXPLAIN \(sql)")
        let lines = (0..<(plan?.count ?? 0)).map { plan?.text($0, 0) ?? "" }
        #expect(lines.contains { $0.contains("Index Cond: (") && $0.contains("store") }, "\(sql): \(lines)")
      }
    }
  }

  @Test func asAStoreNothingMixes() throws {
    let households = try database.households()
    let stores = try ["ours", "theirs"].map { try households.store($0) }
    for (index, store) in stores.enumerated() {
      try store.put((2...50).map { TestDatabase.line($0, "\(index)") })
    }
    #expect(try stores[0].told(after: nil).lines.allSatisfy { $0.contains("ours") || $0.contains(#":"0""#) })
    #expect(stores[0].id != stores[1].id)
    let token = try stores[0].currentToken()
    #expect(throws: StoreError.foreignToken) { try stores[1].told(after: token) }
  }
}
