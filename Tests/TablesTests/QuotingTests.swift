import Store
import Tables
import Testing

/// Names and texts in SQL statements, in which a quote is a byte.
@Suite struct QuotingTests {
  @Test(arguments: ["a", "a\"b", "a\"\u{301}, x", "\u{D4E}\"", "'\u{301}; DROP TABLE t --", "''\u{301}"])
  func sqliteReadsItBack(text: String) throws {
    let database = try Database(Database.inMemory, wait: .zero)
    try database.run("CREATE TABLE t (\(text.quotedName) TEXT)")
    var found: [String] = []
    let query = "SELECT name FROM pragma_table_info('t') UNION ALL SELECT \(text.quotedText)"
    try database.statement(query).forEachRow { row in found.append(row.text(0)) }
    #expect(found.map { Array($0.utf8) } == [Array(text.utf8), Array(text.utf8)])
  }
}
