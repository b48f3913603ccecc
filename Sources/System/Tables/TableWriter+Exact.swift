import JSONLines
import Store
import SyncCore

extension TableWriter {
  /// Throws if the table would store a value of a line as another value: as the key of another record, or
  /// with other digits.
  ///
  /// Otherwise the line of one record would replace the row of another one, and a rounded number would look
  /// like an edit each time.
  package func requireExact(_ line: RowLine) throws {
    for member in line.members {
      guard let column = table.columns.first(where: { $0.name.utf8.elementsEqual(member.name.utf8) })
      else { continue }
      if case .number(let text) = member.value, column.rounds(text) {
        throw TableError.unfit(
          column: column.name, "\(text) has more digits than a REAL column stores", remedy: nil)
      }
      guard let place = table.key.firstIndex(where: { $0.utf8.elementsEqual(member.name.utf8) }) else {
        continue
      }
      if let (reason, remedy) = keyComparisons[place].misreading(of: member.value, as: column.form) {
        throw TableError.unfit(column: column.name, "\(reason), which is another key", remedy: remedy)
      }
    }
    try requireOwnRow(line)
  }

  /// Throws if the row that a line would change has a different key, which the columns of the key treat as
  /// equal.
  private func requireOwnRow(_ line: RowLine) throws {
    guard keyComparisons.contains(where: \.foldsTexts) else { return }
    let key = try table.key(of: line)
    let isOther = key.enumerated().map { "\($1.column.quotedName) IS NOT ?\($0 + 1) COLLATE BINARY" }
      .joined(separator: " OR ")
    let names = key.map(\.column.quotedName).joined(separator: ", ")
    let look = "SELECT \(names) FROM \(table.quotedName) WHERE \(key.matching(from: 0)) AND (\(isOther))"
    let found = try bound(look, key).first { row in
      key.indices.contains { index in
        guard case .text(let text) = key[index].value, row.kind(Int32(index)) == .text else { return false }
        return text != row.text(Int32(index)) && !Self.isSameUUID(text, row.text(Int32(index)))
      }
    }
    guard found == true else { return }
    throw TableError.refused("a row has this key in another spelling, which the table treats as equal")
  }

  /// Whether two texts are spellings of one UUID, which is one key.
  private static func isSameUUID(_ one: String, _ other: String) -> Bool {
    guard let uuid = UUIDText(one) else { return false }
    return uuid == UUIDText(other)
  }
}

extension Column {
  /// Whether the column would store an integer as a double with other digits.
  fileprivate func rounds(_ text: String) -> Bool {
    guard form == .plain, let integer = Int64(text), Int64(exactly: Double(integer)) != integer else {
      return false
    }
    // The rules by which SQLite derives the affinity of a column from its type, in their order.
    let type = type.uppercased()
    if ["INT", "CHAR", "CLOB", "TEXT", "BLOB"].contains(where: { type.contains($0) }) { return false }
    return ["REAL", "FLOA", "DOUB"].contains { type.contains($0) }
  }
}
