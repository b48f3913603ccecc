/// What a device may be called.
package enum DeviceName {
  /// What it has to be, for people.
  package static let expectation =
    "1 to \(PairingPayload.longestName) bytes of text without control characters"

  /// What is wrong with a name; nil where nothing is.
  ///
  /// It is the label of a service instance too: 1 to 63 bytes of UTF-8 (RFC 6763 §4.1.1), no control characters.
  package static func problem(of name: String) -> String? {
    let count = name.utf8.count
    if count == 0 { return "it is empty" }
    let limit = PairingPayload.longestName
    if count > limit { return "it has \(count) bytes, more than \(limit)" }
    let hasControls = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return hasControls ? "it has a control character" : nil
  }
}
