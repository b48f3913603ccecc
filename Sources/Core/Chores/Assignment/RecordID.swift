import JSONLines
package import SyncCore

/// An id, as records refer to each other: a UUID in lower case, anything else as it stands.
///
/// The order is that of the bytes, which is the same everywhere.
package struct RecordID: Hashable, Comparable, Sendable {
  package let bytes: [UInt8]
  /// Its value, where it is a UUID.
  package let uuid: UUIDValue?

  /// `decoded` is the UTF-8 of the id.
  package init(_ decoded: [UInt8]) {
    uuid = UUIDValue(decoded.span)
    bytes = uuid == nil ? decoded : decoded.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
  }

  package init(_ text: String) { self.init(Array(text.utf8)) }

  package static func == (a: RecordID, b: RecordID) -> Bool { a.bytes == b.bytes }
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
  package static func < (a: RecordID, b: RecordID) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether it begins so; a UUID may be given in either case.
  func begins(with start: RecordID) -> Bool {
    bytes.starts(with: uuid == nil ? start.bytes : start.lowerCase)
  }

  /// The id in lower case, as far as ASCII goes.
  package var lowerCase: [UInt8] { bytes.map { (65...90).contains($0) ? $0 | 0x20 : $0 } }
}
