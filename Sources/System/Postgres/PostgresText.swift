/// A statement of the store in the syntax of PostgreSQL.
struct PostgresText {
  let sql: String
  /// The number of values.
  let values: Int
  let isQuery: Bool

  /// Translates the differences between the engines: places of values, comparisons with null, keys of tables
  /// (which begin with the household here), and hints (which PostgreSQL does not have).
  init(_ text: String) {
    var (sql, values) = ("", 0)
    var rest = Substring(text)
    while let next = rest.first {
      if next == "?" {
        let digits = rest.dropFirst().prefix { $0.isNumber }
        values = max(values, Int(digits) ?? 0)
        sql += "$\(digits)"
        rest = rest.dropFirst(digits.count + 1)
      } else if rest.hasPrefix(" IS NOT ?") {
        sql += " IS DISTINCT FROM "
        rest = rest.dropFirst(8)
      } else if rest.hasPrefix(Self.conflict) {
        sql += Self.conflict + "store, "
        rest = rest.dropFirst(Self.conflict.count)
      } else if rest.hasPrefix(Self.hint) {
        rest = rest.dropFirst(Self.hint.count).drop { $0 != " " }
      } else {
        sql.append(next)
        rest = rest.dropFirst()
      }
    }
    (self.sql, self.values) = (sql, values)
    isQuery = text.hasPrefix("SELECT")
  }

  private static let conflict = "ON CONFLICT ("
  private static let hint = " INDEXED BY "
}
