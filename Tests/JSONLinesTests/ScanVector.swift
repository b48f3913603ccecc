import JSONLines
import TestSupport
import Testing

/// One case of Tests/Vectors/json-scan.json, an array of such objects for readers in any language.
///
/// The input is `text` as UTF-8, or the bytes in `hex`. If it is `valid`, `canonical` is its canonical
/// form; else `error` is the code and `offset` the first byte that no valid text could have there.
struct ScanVector: Decodable, CustomTestStringConvertible {
  var name: String
  var text: String?
  var hex: String?
  var valid: Bool
  var error: String?
  var offset: Int?
  var canonical: String?

  var testDescription: String { name }

  /// The input, from `text` or `hex`.
  var bytes: [UInt8] {
    if let text { return Array(text.utf8) }
    return Array(hex: hex ?? "")
  }

  /// The error expected, nil for a valid text.
  var expectedError: JSONError? {
    guard let error, let offset else { return nil }
    return JSONError(JSONError.Code(rawValue: error)!, at: offset)
  }

  static let all: [ScanVector] = VectorFile.load("json-scan")

  static let allValid = all.filter(\.valid)
}
