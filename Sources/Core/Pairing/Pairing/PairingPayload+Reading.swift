import JSONLines
import SyncCore

extension PairingPayload {
  /// Reads the text of a QR symbol, which is Base64 of a JSON object, or that object itself.
  ///
  /// White space around it and missing padding are accepted; members that are not listed are passed over, and one
  /// that is listed must not stand twice.
  package init(parsing text: Span<UInt8>) throws(PairingPayloadProblem) {
    let json = try Self.json(in: text)
    try self.init(json: json.span)
  }

  /// The text that a symbol of a payload holds: strict Base64 of the JSON, whose bytes are kept as they are.
  package static func symbolText(of text: Span<UInt8>) throws(PairingPayloadProblem) -> [UInt8] {
    let json = try json(in: text)
    _ = try PairingPayload(json: json.span)
    var base64: [UInt8] = []
    Base64.append(json.span, to: &base64)
    return base64
  }

  /// The JSON without white space around it, out of its Base64 where it is in that.
  private static func json(in text: Span<UInt8>) throws(PairingPayloadProblem) -> [UInt8] {
    guard text.count <= longestText else { throw .invalid("longer than a QR symbol can say") }
    let inked = text.indices.filter { ![32, 9, 10, 13].contains(text[$0]) }
    guard let first = inked.first, let last = inked.last else { throw .invalid("the text is empty") }
    if text[first] == UInt8(ascii: "{") { return (first...last).map { text[$0] } }
    var bytes: [UInt8] = []
    do throws(Base64.Failure) {
      try Base64.decode(text, into: &bytes)
    } catch {
      throw .invalid("\(error.message) at byte \(error.offset) of the Base64")
    }
    return bytes
  }

  private init(json text: Span<UInt8>) throws(PairingPayloadProblem) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: text)
    } catch {
      throw .invalid("\(error.message) at byte \(error.offset) of the JSON")
    }
    guard let members = value.objectValue else { throw .invalid("not a JSON object") }
    try self.init(PayloadMembers(members))
  }

  private init(_ members: PayloadMembers) throws(PairingPayloadProblem) {
    guard let sessionId = UUIDText(try members.word(.pairingSessionId)) else {
      throw .invalid("'pairingSessionId' is not a UUID")
    }
    guard let expiresAt = Instant(try members.word(.expiresAt)) else {
      throw .invalid("'expiresAt' is not an RFC 3339 date-time")
    }
    self.sessionId = sessionId
    self.expiresAt = expiresAt
    serviceType = try members.text(.bonjourServiceType)
    expectedPeer = try members.has(.expectedPeerDeviceId) ? members.name(.expectedPeerDeviceId) : nil
    // One that is empty is a weak one, as are all that are not 128 bits.
    secret = PairingSecret(try members.text(.pairingSecret))
    protocolVersion = try members.wholeNumber(.protocolVersion)
    // What later versions have in place of it is not known.
    publicKeyFingerprint = version == .two ? try members.digest(.publicKeyFingerprint) : nil
  }
}

/// The members of a payload, each looked up by its name.
private struct PayloadMembers {
  private let members: [JSONMember]

  init(_ members: [JSONMember]) { self.members = members }

  /// `null` is as good as absent.
  private func find(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> JSONValue? {
    let found = members.filter { $0.name.utf8.elementsEqual(name.rawValue.utf8) }
    guard found.count < 2 else { throw .invalid("'\(name.rawValue)' stands twice") }
    return found.first.flatMap { $0.value == .null ? nil : $0.value }
  }

  func has(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> Bool { try find(name) != nil }

  private func require(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> JSONValue {
    guard let value = try find(name) else { throw .invalid("no member '\(name.rawValue)'") }
    return value
  }

  func text(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> String {
    guard let text = try require(name).stringValue else { throw .invalid("'\(name.rawValue)' is not a text") }
    return text
  }

  /// A string with at least one character.
  func word(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> String {
    let word = try text(name)
    guard !word.isEmpty else { throw .invalid("'\(name.rawValue)' is not a text") }
    return word
  }

  /// A name that a service can be found under.
  func name(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> String {
    let word = try word(name)
    if let problem = DeviceName.problem(of: word) {
      throw .invalid("'\(name.rawValue)' is not a device name: \(problem)")
    }
    return word
  }

  func wholeNumber(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> Int {
    guard let number = try require(name).intValue else {
      throw .invalid("'\(name.rawValue)' is not a whole number")
    }
    return number
  }

  func digest(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> String {
    let digest = try word(name)
    guard HexDigits.isDigest(digest) else {
      throw .invalid("'\(name.rawValue)' is not 64 lower-case hex digits")
    }
    return digest
  }
}
