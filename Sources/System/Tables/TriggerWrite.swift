package import Store

/// A statement of a trigger that adds or changes rows.
package struct TriggerWrite: Equatable, Sendable {
  package var trigger: String
  /// The table whose rows fire the trigger.
  package var table: String
  /// The table that the statement writes to.
  package var target: String
  /// Whether the statement adds rows, and does not change existing rows.
  package var adds: Bool

  /// The statements of all triggers of a database, each once, in the order of the triggers' names.
  package static func all(in database: Database) throws -> [TriggerWrite] {
    var found: [TriggerWrite] = []
    try database.statement(
      "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql IS NOT NULL ORDER BY name"
    ).forEachRow { row in
      for (target, adds) in targets(of: row.text(2)) {
        let write = TriggerWrite(trigger: row.text(0), table: row.text(1), target: target, adds: adds)
        if !found.contains(write) { found.append(write) }
      }
    }
    return found
  }

  /// The tables from which triggers of a database delete rows.
  static func tablesOfDeletions(in database: Database) throws -> [String] {
    var tables: [String] = []
    try database.statement(
      "SELECT sql FROM main.sqlite_schema WHERE type = 'trigger' AND sql LIKE '%DELETE%' ORDER BY name"
    ).forEachRow { row in
      let words = SQLWords(of: row.text(0), withStrings: true).words
      for index in words.indices.dropLast(2)
      where words[index].isKeyword("DELETE") && words[index + 1].isKeyword("FROM") {
        tables.append(words[index + 2].text)
      }
    }
    return tables
  }

  /// Whether a trigger runs when a row is deleted or inserted, and changes rows.
  static func writesOnReplacing(_ sql: String) -> Bool {
    let words = SQLWords(of: sql).words
    func isAny(_ keywords: [String], in words: ArraySlice<SQLWords.Word>) -> Bool {
      words.contains { word in keywords.contains { word.isKeyword($0) } }
    }
    let event = words.prefix { !$0.isKeyword("ON") }
    let statements = words.drop { !$0.isKeyword("BEGIN") }
    return isAny(["DELETE", "INSERT"], in: event)
      && isAny(["DELETE", "INSERT", "REPLACE", "UPDATE"], in: statements)
  }

  /// Whether the two names mean the same table; SQLite compares ASCII letters without regard to case.
  package static func isSame(_ name: String, _ other: String) -> Bool {
    name.utf8.elementsEqual(other.utf8) { ($0 | folded($0)) == ($1 | folded($1)) }
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? 32 : 0
  }

  /// The tables in the statements after BEGIN that INSERT, REPLACE or UPDATE.
  static func targets(of sql: String) -> [(target: String, adds: Bool)] {
    let words = SQLWords(of: sql).words
    guard let begin = words.firstIndex(where: { $0.isKeyword("BEGIN") }) else { return [] }
    var found: [(String, Bool)] = []
    for index in words.indices.dropFirst(begin + 1) {
      if words[index].isKeyword("INTO"), index + 1 < words.count {
        found.append((words[index + 1].text, true))
      } else if words[index].isKeyword("UPDATE"), !words[index - 1].isKeyword("DO") {
        // UPDATE OR IGNORE name
        let place = index + 1 < words.count && words[index + 1].isKeyword("OR") ? index + 3 : index + 1
        if place < words.count { found.append((words[place].text, false)) }
      }
    }
    return found
  }
}
