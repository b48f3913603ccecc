package import SyncCore

/// The rule for the names of this device and of peers.
package enum DeviceName {
  /// The rule in words, for people.
  package static let expectation =
    "1 to \(PairingPayload.longestName) bytes of text without control characters"

  /// The fault of a name; nil if it is valid.
  ///
  /// The name is also the label of a service instance: 1 to 63 bytes of UTF-8 without control characters (RFC
  /// 6763 §4.1.1). It must have at least one visible character.
  package static func problem(of name: String) -> String? {
    let count = name.utf8.count
    if count == 0 { return "it is empty" }
    let limit = PairingPayload.longestName
    if count > limit { return "it has \(count) bytes, more than \(limit)" }
    if name.unicodeScalars.contains(where: breaksLines) { return "it has a control character" }
    return likeness(of: name).isEmpty ? "it has no visible character" : nil
  }

  /// A form that is equal for names that look alike.
  ///
  /// It ignores case, the kind and number of blanks, and invisible characters: zero-width characters,
  /// direction marks and variation selectors. Canonically equivalent spellings are equal too. Letters of
  /// different scripts with the same shape are different.
  static func likeness(of name: String) -> String {
    var words: [String] = [""]
    for scalar in name.unicodeScalars {
      if isBlank(scalar) {
        if words[words.count - 1] != "" { words.append("") }
      } else if !isInvisible(scalar) {
        words[words.count - 1].unicodeScalars.append(scalar)
      }
    }
    if words.last == "" { words.removeLast() }
    // Upper case comes first, as some letters have the same upper case but not the same lower case.
    return words.joined(separator: " ").uppercased().lowercased()
  }

  private static func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }

  /// Whether a scalar looks like a blank; U+2800 is the braille pattern without dots.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.value == 0x2800
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format
  }
}

extension PeerIntroduction {
  /// The fault in a peer's introduction of itself over a protocol version; nil if it is valid.
  ///
  /// docs/formats/pairing.md has the form of each member. The text is lower-case, without a final period.
  package func flaw(over version: ProtocolVersion) -> String? {
    if UUIDText(peerId) == nil { return "the id is not a UUID" }
    if let flaw = Self.nameFlaw(deviceName) { return flaw }
    return fingerprintFlaw(over: version).map { "the fingerprint is \($0)" }
  }

  /// The fault in a name alone; nil if it is valid.
  static func nameFlaw(_ name: String) -> String? {
    DeviceName.problem(of: name).map { "invalid device name: \($0)" }
  }

  /// Version 2 has the SHA-256 of a key and version 1 a random number; their lengths differ.
  func fingerprintFlaw(over version: ProtocolVersion) -> String? {
    let count = version == .one ? 32 : 64
    return HexDigits.isLower(publicKeyFingerprint, count: count) ? nil : "not \(count) lower-case hex digits"
  }
}
