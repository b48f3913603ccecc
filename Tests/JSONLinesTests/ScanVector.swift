import Foundation
import JSONLines
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
    let digits = Array((hex ?? "").utf8)
    return stride(from: 0, to: digits.count, by: 2).map { index in
      UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)!
    }
  }

  /// The error expected, nil for a valid text.
  var expectedError: JSONError? {
    guard let error, let offset else { return nil }
    return JSONError(JSONError.Code(rawValue: error)!, at: offset)
  }

  static let all: [ScanVector] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../Vectors/json-scan.json")
    return try! JSONDecoder().decode([ScanVector].self, from: Data(contentsOf: file))
  }()

  static let allValid = all.filter(\.valid)
}
