import Foundation

/// The files of Tests/Vectors.
package enum VectorFile {
  package static func load<Vector: Decodable>(_ name: String, of _: Vector.Type = Vector.self) -> [Vector] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Vectors/\(name).json")
    return try! JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
  }
}

extension Array<UInt8> {
  /// The bytes for pairs of hex digits.
  package init(hex: String) {
    let digits = Array<UInt8>(hex.utf8)
    self = stride(from: 0, to: digits.count, by: 2).map { index in
      UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)!
    }
  }

  /// Two lower-case digits for each byte.
  package var hex: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
