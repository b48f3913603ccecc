/// The values of a row's key, or of a reference to it, to find the lines of one row.
///
/// SQLite may compare values as equal that differ here, such as 1 and `"1"`, or texts in another case. Such values
/// have one spelling. It decides only the order of writes, so it may also be the same for different rows.
struct RowKey: Hashable {
  private let spellings: [String]

  init(_ values: [ColumnValue]) { spellings = values.map(\.spelling) }
}

extension ColumnValue {
  fileprivate var spelling: String {
    switch self {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .real(let number): Self.spelling(of: number)
    case .text(let text): Int64(text).map { "\($0)" } ?? Double(text).map(Self.spelling) ?? Self.folded(text)
    case .blob(let bytes): "\(bytes)"
    }
  }

  private static func spelling(of number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  private static func folded(_ text: String) -> String {
    // As the collations NOCASE and RTRIM compare.
    let end = text.utf8.lastIndex { $0 != 32 }.map { text.utf8.index(after: $0) } ?? text.startIndex
    return text[..<end].lowercased()
  }
}
