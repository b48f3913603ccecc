package import JSONLines
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
  /// Read and write the column's numbers 0 and 1 as booleans.
  case boolean
  /// Give the value as a number.
  case number
  /// Give the value as a string.
  case text
  /// The same as `notNested`, for a text that is JSON but is nested too deep.
  case tooDeep

  /// The remedy in words, for a tool whose options concern one call.
  func text(for column: String) -> String {
    switch self {
    case .base64: "--base64 \(ShellWord.path(column)) writes them as Base64"
    case .nested: "--nested \(ShellWord.path(column)) stores it as JSON text"
    case .notBase64: "leave out --base64 to write it as a string"
    case .boolean: "--bool \(ShellWord.path(column)) reads and writes 0 and 1 as false and true"
    case .number: "write the key as a JSON number"
    case .text: "write the key as a JSON string"
    case .notNested, .tooDeep: "leave out --nested to write it as a string"
    }
  }
}

extension TableError {
  /// The remedy of an error about a value, with its column, and with the key of the row if known.
  package var valueRemedy: (remedy: ValueRemedy, column: String, row: [JSONMember])? {
    switch self {
    case .inRow(let row, let error):
      error.valueRemedy.map { (remedy: $0.remedy, column: $0.column, row: row.members) }
    case .unwritable(let column, _, let remedy?), .unfit(let column, _, let remedy?):
      (remedy: remedy, column: column, row: [])
    default: nil
    }
  }
}
