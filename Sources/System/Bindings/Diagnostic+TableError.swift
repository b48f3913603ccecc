import JSONLines
import Store
import SystemIO
import Tables

extension Diagnostic {
  /// An error of a bound table; if commands help, its hint contains them.
  ///
  /// `binding` is the binding as it was made.
  init(_ error: TableError, of binding: Binding, store: String) {
    self.init(error, file: binding.source)
    guard let (remedy, column, row) = error.valueRemedy, let table = binding.table else { return }
    let place = [binding.source, table].map(ShellWord.path).joined(separator: " ")
    let name = column.quotedName
    switch remedy {
    case .base64: hint = binding.bindHint(with: "base64", of: [column], store: store)
    case .nested: hint = binding.bindHint(with: "nested", of: [column], store: store)
    case .notBase64 where !row.isEmpty:
      // In SQLite a text is less than bytes.
      let texts = ShellWord.posix("\(name) < zeroblob(0)")
      let columns = (row.map(\.name) + [column]).map { " --column " + ShellWord.posix($0) }.joined()
      hint =
        "to turn Base64 into bytes: tablerows read --where \(texts)\(columns) \(place) | "
        + "tablerows write --base64 \(ShellWord.posix(column)) \(place)"
    case .notNested:
      // SQLite takes some texts for JSON that are none here, so the condition names the row too.
      let key = row.map(\.condition).joined(separator: " AND ")
      let change =
        "UPDATE \(table.quotedName) SET \(name) = json_quote(\(name)) "
        + "WHERE NOT json_valid(\(name))" + (key.isEmpty ? "" : " OR " + key)
      hint =
        "to make texts JSON: sqlite3 \(ShellWord.path(binding.source)) \(ShellWord.posix(change)); "
        + "or bind the table without --nested on each device"
    // The text is valid in the app's own JSON, so no command should change it.
    case .tooDeep: hint = "bind the table without --nested on each device"
    case .notBase64, .boolean, .number, .text: break
    }
  }
}

extension JSONMember {
  /// The SQL condition that a column has the value of this member.
  fileprivate var condition: String {
    let literal =
      switch value {
      case .null, .bool, .number: value.text
      case .string(let text): text.quotedText
      case .array, .object: value.text.quotedText
      }
    return "\(name.quotedName) = \(literal)"
  }
}
