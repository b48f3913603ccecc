import JSONLines
import SystemIO

/// What to do about a value that does not fit its column, or that JSON cannot express.
package enum ValueRemedy: Equatable, Sendable {
  /// Read and write the column's bytes as Base64.
  case base64
  /// Keep the column's values as JSON text.
  case nested
  /// Read the column's texts as strings, not as bytes.
  case notBase64
  /// Read the column's texts as strings, not as JSON.
  case notNested

  /// The remedy in words, for a tool whose options concern one call.
  func text(for column: String) -> String {
    switch self {
    case .base64: "--base64 \(ShellWord.path(column)) writes them as Base64"
    case .nested: "--nested \(ShellWord.path(column)) stores it as JSON text"
    case .notBase64: "leave out --base64 to write it as a string"
    case .notNested: "leave out --nested to write it as a string"
    }
  }
}

extension TableError {
  /// The remedy of an error about a value, with its column, and with the columns of the row's key if known.
  package var valueRemedy: (remedy: ValueRemedy, column: String, key: [String])? {
    switch self {
    case .inRow(let row, let error):
      error.valueRemedy.map { (remedy: $0.remedy, column: $0.column, key: row.members.map(\.name)) }
    case .unwritable(let column, _, let remedy?), .unfit(let column, _, let remedy?):
      (remedy: remedy, column: column, key: [])
    default: nil
    }
  }
}
