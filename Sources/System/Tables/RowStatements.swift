/// The SQL for rows whose lines have the same columns.
final class RowStatements {
  /// Finds the row; the columns after the first one are whether an assignment changes it.
  ///
  /// It compares the stored values exactly, without the collation of the column.
  let look: String
  /// The columns that a row gets, each with the SQL expression of its value.
  private let assigned: [(column: String, value: String)]
  /// The quoted name of the table.
  private let table: String
  private let orAbort: String
  /// The condition for the row.
  private let condition: String
  private var lastUpdate: (places: [Int], text: String)?
  private var insertion: String?

  init(
    of table: Table, _ orAbort: String, _ assigned: [(column: String, value: String)], where condition: String
  ) {
    (self.table, self.orAbort) = (table.quotedName, orAbort)
    (self.assigned, self.condition) = (assigned, condition)
    let columns = ["1"] + assigned.map { "\($0.column) IS NOT \($0.value) COLLATE BINARY" }
    look = "SELECT \(columns.joined(separator: ", ")) FROM \(self.table) WHERE \(condition)"
  }

  /// Sets the columns at `places`; all others keep equal values, because a trigger may run for each column
  /// that a statement sets.
  func update(of places: [Int]) -> String {
    if let lastUpdate, lastUpdate.places == places { return lastUpdate.text }
    let sets = places.map { "\(assigned[$0].column) = \(assigned[$0].value)" }.joined(separator: ", ")
    let text = "UPDATE \(orAbort)\(table) SET \(sets) WHERE \(condition)"
    lastUpdate = (places, text)
    return text
  }

  /// Adds a row; the cells are always of the same columns.
  func insertion(of cells: [Cell]) -> String {
    if let insertion { return insertion }
    let names = cells.map(\.column.quotedName).joined(separator: ", ")
    let values = cells.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let text = "INSERT \(orAbort)INTO \(table) (\(names)) VALUES (\(values))"
    insertion = text
    return text
  }

  /// The statements of the last line, because most lines of an input have the same columns.
  final class Recent {
    private var last: (columns: [String], emptied: [String], statements: RowStatements)?

    func statements(
      for columns: [String], emptying emptied: [String], isReusable: Bool, _ make: () -> RowStatements
    ) -> RowStatements {
      if isReusable, let last, last.columns == columns, last.emptied == emptied { return last.statements }
      let statements = make()
      if isReusable { last = (columns, emptied, statements) }
      return statements
    }
  }
}
