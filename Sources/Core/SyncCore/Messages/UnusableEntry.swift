package import JSONLines

/// An entry of a delta that cannot be read.
package struct UnusableEntry: Equatable, Sendable {
  /// Its JSON.
  package var text: [UInt8]
  /// A code of docs/exit-status.md.
  package var code: ErrorCode
  /// A line that has the same key, if the entry has one.
  package var outline: [UInt8] = []

  package init(text: [UInt8], code: ErrorCode) { (self.text, self.code) = (text, code) }

  /// Of a change that no store takes, whatever it is: its beginning, as a JSON string.
  package init(excerptOf change: Span<UInt8>, code: ErrorCode, outline: [UInt8] = []) {
    var beginning: [UInt8] = []
    beginning.append(change.extracting(0..<min(change.count, Self.longestExcerpt)))
    let text = String(decoding: beginning, as: UTF8.self)
    self.init(text: Array(JSONValue.string(text).text.utf8), code: code)
    self.outline = outline
  }

  /// So that a peer that has many of them does not fill the quarantine.
  private static let longestExcerpt = 64 << 10
}
