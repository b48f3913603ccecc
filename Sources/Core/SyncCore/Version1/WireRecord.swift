import JSONLines

/// One entry of a delta, read and checked: where its parts stand in the text.
package struct WireRecord: Equatable, Sendable {
  struct Field: Equatable, Sendable {
    /// The raw name, without quotes.
    var name: Range<Int>
    var value: WireValue
  }

  var kind: WireEntry.Kind
  /// The raw string, without quotes.
  var entityName: Range<Int>
  /// The identity's one member; the name without quotes.
  var identity: Field
  /// `modifiedAt` or `deletedAt`: the raw string, with its quotes.
  var clock: Range<Int>
  /// Empty in a delete.
  var version = 0..<0
  var fields: [Field] = []

  /// Appends the change line and a line feed, each value spelled as it is.
  package func appendLine(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"entityName\":\"".utf8)
    bytes.append(text.extracting(entityName))
    bytes.append(contentsOf: "\",\"identity\":{".utf8)
    Self.append(identity, text, to: &bytes)
    bytes.append(contentsOf: kind == .upsert ? "},\"modifiedAt\":".utf8 : "},\"deletedAt\":".utf8)
    bytes.append(text.extracting(clock))
    if kind == .upsert {
      bytes.append(contentsOf: ",\"version\":".utf8)
      bytes.append(text.extracting(version))
      bytes.append(contentsOf: ",\"fields\":{".utf8)
      appendFields(text, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(contentsOf: "}\n".utf8)
  }

  private func appendFields(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    for index in fields.indices {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      Self.append(fields[index], text, to: &bytes)
    }
  }

  private static func append(_ field: Field, _ text: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(text.extracting(field.name))
    bytes.append(contentsOf: "\":".utf8)
    field.value.appendPlain(text, to: &bytes)
  }

  /// The canonical key of the line that `appendLine` writes.
  func key(_ text: Span<UInt8>) -> [UInt8] {
    var key = [UInt8(ascii: "[")]
    JSONString.appendCanonical(text, entityName, to: &key)
    key.append(contentsOf: ",{".utf8)
    JSONString.appendCanonical(text, identity.name, to: &key)
    key.append(UInt8(ascii: ":"))
    identity.value.appendCanonical(text, to: &key)
    key.append(contentsOf: "}]".utf8)
    return key
  }
}
