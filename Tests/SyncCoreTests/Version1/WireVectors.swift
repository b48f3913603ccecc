import Foundation
import Testing

/// Tests/Vectors/wire-delta.json.
struct WireVectors: Decodable {
  /// A typed value and its form in plain JSON.
  struct Value: Decodable, CustomTestStringConvertible {
    var name: String
    var typed: String
    var plain: String
    /// The typed value in the wire's own form, if that is different.
    var packed: String?
    var testDescription: String { name }
  }

  struct Delta: Decodable, CustomTestStringConvertible {
    var name: String
    var delta: String
    var lines: [String]
    var testDescription: String { name }
  }

  /// A delta with an error, and whether `--lossy` accepts it.
  struct UnpackError: Decodable, CustomTestStringConvertible {
    var name: String
    var delta: String
    var error: String
    var place: String
    var lossy: Bool
    var testDescription: String { name }
  }

  /// A line that the wire cannot carry, and the delta that `--lossy` makes of it.
  struct PackError: Decodable, CustomTestStringConvertible {
    var name: String
    var line: String
    var error: String
    var place: String
    var types: String?
    var lossy: String?
    var testDescription: String { name }
  }

  var values: [Value]
  var plain: [Value]
  var deltas: [Delta]
  var unpackErrors: [UnpackError]
  var packErrors: [PackError]

  static let all: WireVectors = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Vectors/wire-delta.json")
    return try! JSONDecoder().decode(WireVectors.self, from: Data(contentsOf: file))
  }()
}
