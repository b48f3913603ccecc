import JSONLines

extension RegisteredValue {
  /// Reads a line: the key, where it may be, how it goes, and its value as `data` (Base64), `text` or `json`.
  package init(parsing line: Span<UInt8>) throws(ContextError) {
    try self.init(try ContextLine(parsing: line))
  }

  init(_ line: ContextLine) throws(ContextError) {
    self.init(
      key: try line.string("key"), availability: try line.word("availability"),
      policy: try line.word("policy"),
      data: try Self.value(line))
  }

  private static let forms = ["data", "text", "json"]

  /// Null and absent are no value, and two are one too many.
  private static func value(_ line: ContextLine) throws(ContextError) -> [UInt8]? {
    let given = forms.filter { line[$0] != nil }
    guard given.count < 2 else { throw .severalValues(given) }
    if let data = line["data"] { return try ContextText.bytes(data, named: "data") }
    if let text = line["text"] {
      guard let string = text.stringValue else { throw .wrongType("text", expected: "a string") }
      return Array(string.utf8)
    }
    return line["json"].map { Array($0.text.utf8) }
  }
}
