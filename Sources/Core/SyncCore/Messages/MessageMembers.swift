package import JSONLines

/// The places of the members of a message in its text.
package typealias MessageMembers = PlacedMembers<MessageName, MessageError>

extension MessageMembers {
  /// The members that prove that two devices may pair; they are never shown.
  package static var secretNames: [String] { ["pairingSecret", "pairingProof"] }

  /// The value of a member that must be a string with at least one character.
  func word(_ name: MessageName, in text: Span<UInt8>) throws(MessageError) -> String {
    let word = try string(name, in: text)
    guard !word.isEmpty else { throw .invalidValue(name.name, expected: "a name") }
    return word
  }

  func uuid(_ name: MessageName, in text: Span<UInt8>) throws(MessageError) -> UUIDText {
    guard let uuid = UUIDText(try string(name, in: text)) else {
      throw .invalidValue(name.name, expected: "a UUID")
    }
    return uuid
  }

  /// The value of a member that must be a SHA-256 digest or an HMAC, in 64 lower-case hex digits.
  func digest(_ name: MessageName, in text: Span<UInt8>) throws(MessageError) -> String {
    let digest = try string(name, in: text)
    guard digest.utf8.count == 64, digest.utf8.allSatisfy({ $0.isLowerHex }) else {
      throw .invalidValue(name.name, expected: "64 lower-case hex digits")
    }
    return digest
  }

  /// The token in a member; nil if the member is absent.
  func token(_ name: MessageName, in text: Span<UInt8>) throws(MessageError) -> [UInt8]? {
    guard let raw = try find(name, in: text) else { return nil }
    guard text.isString(raw) else { throw .wrongType(name.name, expected: "a string") }
    let token: [UInt8]
    do throws(WireError) {
      token = try WireToken.bytes(text, raw)
    } catch {
      throw .invalidValue(name.name, expected: "Base64")
    }
    try Self.check(token, name)
    return token
  }

  /// Limits the length of a token, which is stored and sent with every request, to protect this device's
  /// memory.
  static func check(_ token: [UInt8], _ name: MessageName) throws(MessageError) {
    guard token.count <= SyncResponse.longestToken else {
      throw .invalidValue(
        name.name, expected: "a token of at most \(SyncResponse.longestToken >> 10) KiB")
    }
  }

  /// Whether a member is true; false if it is absent.
  func flag(_ name: MessageName, in text: Span<UInt8>) throws(MessageError) -> Bool {
    guard let raw = try find(name, in: text) else { return false }
    guard text.isTrue(raw) || text.isFalse(raw) else {
      throw .wrongType(name.name, expected: "true or false")
    }
    return text.isTrue(raw)
  }

  /// The places of the elements of an array; nil if the member is absent.
  func elements(_ name: MessageName, in text: Span<UInt8>) throws(MessageError) -> [Range<Int>]? {
    guard let raw = try find(name, in: text) else { return nil }
    guard text.isArray(raw) else { throw .wrongType(name.name, expected: "an array") }
    var elements: [Range<Int>] = []
    var cursor = ContainerCursor(opening: raw.lowerBound)
    while cursor.hasNext(in: text) { elements.append(cursor.passValue(in: text)) }
    return elements
  }

  static func string(
    _ name: MessageName, _ text: Span<UInt8>, _ raw: Range<Int>
  ) throws(MessageError) -> String {
    guard text.isString(raw) else { throw .wrongType(name.name, expected: "a string") }
    return JSONString.decoded(text, text.content(raw))
  }
}

/// The known names of the members of messages.
package enum MessageName: Int, CaseIterable, PlacedName {
  case id, protocolVersion, sentAt, type, inReplyTo
  case pairingSessionId, pairingSecret, pairingProof, publicKeyFingerprint
  case peerId, deviceName
  case sinceTokenData, ackedTokenData, rulesDigest, mergeRules, entities, mixEntities, waitSeconds, resync,
    deflate, window
  case delta, changes, hasMore, continues, remaining, rules, heldTokenData, quarantinedKeys
  case ackTokenData, yourTurn, quarantined
  case errorCode, errorMessage

  package static let spellings = PlacedSpellings(allCases.map { "\($0)" })
}
