import JSONLines
import Store
import Tables
import Testing

/// Rows that refer to others, with foreign keys that are checked at the end of a transaction.
@Suite struct RowQueueTests {
  private let database: Database

  init() throws {
    database = try Database(Database.inMemory, wait: .zero)
    try database.run(
      "PRAGMA foreign_keys = ON; CREATE TABLE lists (id TEXT PRIMARY KEY, name TEXT UNIQUE);"
        + "CREATE TABLE items (id TEXT PRIMARY KEY, late TEXT REFERENCES items DEFERRABLE INITIALLY DEFERRED, "
        + "early TEXT REFERENCES items, name TEXT REFERENCES lists (name) DEFERRABLE INITIALLY DEFERRED)")
  }

  /// Writes the lines in one transaction; returns the ids of refused rows.
  private func refused(_ lines: [JSONValue], in name: String = "items") throws -> [String] {
    try database.transaction {
      let table = try Table(name, in: database)
      var queue = RowQueue<String>(try TableWriter(table, in: database, isSelective: true))
      var refused: [String] = []
      for line in lines {
        let row = try #require(try RowLine(Array(line.text.utf8).span, of: table))
        _ = try queue.write(row, line["id"]?.stringValue ?? "")
      }
      try queue.finish { id, result in
        if case .failure = result { refused.append(id) }
      }
      return refused
    }
  }

  private func ids() throws -> [String] {
    var ids: [String] = []
    try database.statement("SELECT id FROM items ORDER BY id").forEachRow { ids.append($0.text(0)) }
    return ids
  }

  @Test func aRowWithoutItsOtherRowIsRefusedAlone() throws {
    #expect(try refused([["id": "a", "late": "x"], ["id": "b"], ["id": "c", "late": "a"]]) == ["a", "c"])
    #expect(try ids() == ["b"])
  }

  /// One by one, this order would take 3,000 rounds.
  @Test func aLongChainInTheWrongOrderIsWritten() throws {
    let count = 3_000
    let lines = (0..<count).map { number -> JSONValue in
      number == count - 1
        ? ["id": .string("\(number)")] : ["id": .string("\(number)"), "late": .string("\(number + 1)")]
    }
    #expect(try refused(lines).isEmpty)
    #expect(try ids().count == count)
  }

  @Test func rowsThatReferToEachOtherAreWritten() throws {
    #expect(try refused([["id": "a", "late": "b"], ["id": "b", "late": "a"]]).isEmpty)
    // One of them is checked at once, the other at the end.
    #expect(try refused([["id": "c", "late": "d"], ["id": "d", "early": "c"]]).isEmpty)
    #expect(try ids() == ["a", "b", "c", "d"])
  }

  @Test func referredRowsExchangeTheirValues() throws {
    #expect(try refused([["id": "1", "name": "red"], ["id": "2", "name": "blue"]], in: "lists").isEmpty)
    #expect(try refused([["id": "a", "name": "red"], ["id": "b", "name": "blue"]]).isEmpty)
    #expect(try refused([["id": "1", "name": "blue"], ["id": "2", "name": "red"]], in: "lists").isEmpty)
    #expect(try refused([["id": "1", "name": "green"]], in: "lists") == ["1"])
  }
}
