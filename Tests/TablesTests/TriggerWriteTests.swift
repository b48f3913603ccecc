import Store
import Testing

@testable import Tables

/// The tables that the statements of triggers write to.
@Suite struct TriggerWriteTests {
  private func writes(_ body: String) throws -> [String] {
    let database = try Database(Database.inMemory, wait: .zero)
    try database.run(
      "CREATE TABLE payment (id, amount); CREATE TABLE account (id PRIMARY KEY, balance); CREATE TABLE \"my log\" (x);"
        + "CREATE TRIGGER pay AFTER UPDATE ON payment \(body)")
    return try TriggerWrite.all(in: database).map { "\($0.table) \($0.adds ? "+" : "=") \($0.target)" }
  }

  @Test func anUpdateAndAnInsertNameTheirTables() throws {
    let body =
      "BEGIN UPDATE account SET balance = balance - new.amount; INSERT INTO \"my log\" VALUES ('UPDATE x'); END"
    #expect(try writes(body) == ["payment = account", "payment + my log"])
  }

  @Test func theWordsOfAConflictClauseAreNoTables() throws {
    let body =
      "BEGIN UPDATE OR IGNORE [account] SET balance = 1; INSERT OR REPLACE INTO account VALUES (1, 2); "
      + "REPLACE INTO `account` VALUES (1, 2); "
      + "INSERT INTO account VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET balance = 3; END"
    #expect(try writes(body) == ["payment = account", "payment + account"])
  }

  @Test func stringsCommentsAndDeletionsAreNoWrites() throws {
    let body =
      "BEGIN SELECT 'INSERT INTO account', 'it''s INTO account'; -- UPDATE account\n"
      + "/* UPDATE account */ DELETE FROM account; END"
    #expect(try writes(body) == [])
  }

  @Test func theTableOfADeletionMayBeInAnyQuotes() throws {
    let database = try Database(Database.inMemory, wait: .zero)
    try database.run(
      "CREATE TABLE notes (id); CREATE TABLE log (id); CREATE TABLE \"my log\" (id);"
        + "CREATE TRIGGER gone AFTER DELETE ON notes BEGIN DELETE FROM log; DELETE FROM 'log'; "
        + "DELETE FROM \"my log\" WHERE id = 'DELETE FROM notes'; END")
    #expect(try TriggerWrite.tablesOfDeletions(in: database) == ["log", "log", "my log"])
  }

  @Test func namesAreComparedWithoutCase() {
    #expect(TriggerWrite.isSame("Account", "aCCOUNT"))
    #expect(!TriggerWrite.isSame("a@b", "a`b"))
    #expect(!TriggerWrite.isSame("ä", "Ä"))
  }
}
