package import JSONLines
import SyncCore

extension PairingPayload {
  /// Reads the text of a QR symbol: Base64 of a JSON object, that object itself, or a typed code.
  ///
  /// White space around the text and missing padding are accepted. Unknown members are skipped, and a known
  /// member must not appear twice.
  package init(parsing text: Span<UInt8>) throws(PairingPayloadProblem) {
    if let code = try TypedCode(parsing: text) {
      self = code.payload
      return
    }
    let json = try Self.json(in: text)
    try self.init(json: json.span)
  }

  /// The text for the symbol: strict Base64 of the unchanged bytes of the JSON, or a typed code.
  package static func symbolText(of text: Span<UInt8>) throws(PairingPayloadProblem) -> [UInt8] {
    if let code = try TypedCode(parsing: text) { return Array(code.text.utf8) }
    let json = try json(in: text)
    _ = try PairingPayload(json: json.span)
    var base64: [UInt8] = []
    Base64.append(json.span, to: &base64)
    return base64
  }

  /// The JSON without surrounding white space, decoded if it is in Base64.
  private static func json(in text: Span<UInt8>) throws(PairingPayloadProblem) -> [UInt8] {
    guard text.count <= longestText else { throw .invalid("longer than a QR symbol can hold") }
    let inked = text.indices.filter { ![32, 9, 10, 13].contains(text[$0]) }
    guard let first = inked.first, let last = inked.last else { throw .invalid("the text is empty") }
    if text[first] == UInt8(ascii: "{") { return (first...last).map { text[$0] } }
    var bytes: [UInt8] = []
    do throws(Base64.Failure) {
      try Base64.decode(text, into: &bytes)
    } catch {
      throw .invalid("\(error.message) at byte \(error.offset + 1) of the Base64")
    }
    return bytes
  }

  private init(json text: Span<UInt8>) throws(PairingPayloadProblem) {
    let members = try PayloadMembers(parsing: text)
    guard let sessionId = UUIDText(try members.word(.pairingSessionId)) else {
      throw members.error(.pairingSessionId, "not a UUID")
    }
    guard let expiresAt = Instant(try members.word(.expiresAt)) else {
      throw members.error(.expiresAt, "not an RFC 3339 date-time")
    }
    self.sessionId = sessionId
    self.expiresAt = expiresAt
    serviceType = try members.text(.bonjourServiceType)
    expectedPeer = try members.optionalName(.expectedPeerDeviceId)
    // An empty secret is weak, like every secret that is not 128 bits.
    secret = PairingSecret(try members.text(.pairingSecret))
    protocolVersion = try members.require(MemberName.protocolVersion.rawValue, as: "a whole number") {
      $0.intValue
    }
    // Later versions may replace this member with others, which are unknown here.
    publicKeyFingerprint = version == .two ? try members.digest(.publicKeyFingerprint) : nil
  }
}

private typealias PayloadMembers = Members<PairingPayloadProblem>

extension PayloadMembers {
  fileprivate func error(_ name: PairingPayload.MemberName, _ flaw: String) -> PairingPayloadProblem {
    error(name.rawValue, .wrong(flaw))
  }

  fileprivate func text(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> String {
    try require(name.rawValue, as: "a text") { $0.stringValue }
  }

  /// A string with at least one character.
  fileprivate func word(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> String {
    let word = try text(name)
    guard !word.isEmpty else { throw error(name, "not a text") }
    return word
  }

  /// A name under which a service can be found; nil if the member is missing.
  fileprivate func optionalName(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> String? {
    guard try self[name.rawValue] != nil else { return nil }
    let word = try word(name)
    if let problem = DeviceName.problem(of: word) { throw error(name, "not a device name: \(problem)") }
    return word
  }

  fileprivate func digest(_ name: PairingPayload.MemberName) throws(PairingPayloadProblem) -> String {
    let digest = try word(name)
    guard HexDigits.isDigest(digest) || HexDigits.isLower(digest, count: TypedCode.keyDigits) else {
      throw error(name, "not 64 lower-case hex digits")
    }
    return digest
  }
}

extension PairingPayloadProblem: MemberFailure {
  package static func member(_ error: MemberError) -> PairingPayloadProblem {
    switch error.fault {
    case .json(let fault): .invalid(fault.message(in: "JSON"))
    case .duplicate: .invalid("duplicate member '\(error.name)'")
    default: .invalid(error.message)
    }
  }
}
