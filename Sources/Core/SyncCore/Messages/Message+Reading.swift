import JSONLines

extension Message {
  /// Reads one JSON text of any known version, or of the expected version only.
  package init(
    parsing text: Span<UInt8>, over expected: ProtocolVersion? = nil
  ) throws(MessageError) {
    do throws(JSONError) {
      try JSONScanner.validate(text)
    } catch {
      throw .json(error)
    }
    try self.init(text, text.onlyValue, over: expected)
  }

  /// Reads a message from a peer; changes that are nested too deep are separated from the others.
  package init(
    receiving text: Span<UInt8>, over expected: ProtocolVersion? = nil
  ) throws(MessageError) {
    do throws(MessageError) {
      try self.init(parsing: text, over: expected)
    } catch {
      guard error.jsonFault == .nestingTooDeep, let deep = DeepChanges(in: text)
      else { throw error }
      let rest = deep.text
      try self.init(parsing: rest.span, over: expected)
      guard case .syncResponse(var response) = body else { throw error }
      response.unusable = deep.entries
      body = .syncResponse(response)
    }
  }

  /// The id of a message, even if other members are invalid; nil if the id itself is.
  package static func readableID(_ text: Span<UInt8>, _ raw: Range<Int>) -> UUIDText? {
    try? MessageMembers(text, raw).uuid(.id, in: text)
  }

  /// The version that a message names, even if other members are invalid; nil if it is not a known one.
  package static func readableVersion(_ text: Span<UInt8>, _ raw: Range<Int>) -> ProtocolVersion? {
    guard let members = try? MessageMembers(text, raw) else { return nil }
    return try? MessageReader(text: text, members: members).version()
  }

  /// Reads the validated value at `raw`.
  ///
  /// With `expected`, a message of another version is `incompatibleProtocolVersion`, even if other members
  /// are invalid.
  package init(
    _ text: Span<UInt8>, _ raw: Range<Int>, over expected: ProtocolVersion? = nil
  ) throws(MessageError) {
    let reader = MessageReader(text: text, members: try MessageMembers(text, raw))
    // A message of another version may have other types and members.
    let version = try reader.version()
    if let expected, version != expected { throw .incompatibleProtocolVersion("\(version.rawValue)") }
    try self.init(reader, text, version)
  }

  /// Reads the validated value at `raw` as a message of the version that it names.
  package init(_ text: Span<UInt8>, _ raw: Range<Int>, as version: ProtocolVersion) throws(MessageError) {
    try self.init(MessageReader(text: text, members: try MessageMembers(text, raw)), text, version)
  }

  private init(
    _ reader: borrowing MessageReader, _ text: Span<UInt8>, _ version: ProtocolVersion
  ) throws(MessageError) {
    let kind = try reader.kind()
    if version == .two, try reader.has(.pairingSecret) { throw .secretInClear }
    self.init(
      id: try reader.members.uuid(.id, in: text), version: version, sentAt: try reader.sentAt(),
      inReplyTo: try reader.reply(kind, version), body: try reader.body(kind, version))
  }
}

/// Reads the parts of one message.
private struct MessageReader: ~Escapable {
  let text: Span<UInt8>
  let members: MessageMembers

  @_lifetime(copy text)
  init(text: Span<UInt8>, members: MessageMembers) {
    self.text = text
    self.members = members
  }

  func has(_ name: MessageName) throws(MessageError) -> Bool { try members.find(name, in: text) != nil }

  func version() throws(MessageError) -> ProtocolVersion {
    let raw = try members.require(.protocolVersion, in: text)
    guard text.isNumber(raw), let number = try? WireNumber.integer(text, raw, .int64),
      let version = Int(exactly: number).flatMap(ProtocolVersion.init)
    else { throw .incompatibleProtocolVersion(JSONString.decoded(text, raw)) }
    return version
  }

  func kind() throws(MessageError) -> Message.Kind {
    let name = try members.string(.type, in: text)
    guard let kind = Message.Kind(rawValue: name) else { throw .unknownType(name) }
    return kind
  }

  func sentAt() throws(MessageError) -> Instant {
    guard let instant = Instant(try members.string(.sentAt, in: text)) else {
      throw .invalidValue(MessageName.sentAt.name, expected: "an RFC 3339 date-time")
    }
    return instant
  }

  /// The answered message; optional in an ack, which may pass the turn first, and in an error.
  func reply(_ kind: Message.Kind, _ version: ProtocolVersion) throws(MessageError) -> UUIDText? {
    guard version == .two else { return nil }
    switch kind {
    case .pairHello, .syncRequest: return nil
    case .ack, .error: return try has(.inReplyTo) ? members.uuid(.inReplyTo, in: text) : nil
    case .pairConfirm, .pairDone, .syncResponse: return try members.uuid(.inReplyTo, in: text)
    }
  }

  func body(_ kind: Message.Kind, _ version: ProtocolVersion) throws(MessageError) -> Message.Body {
    switch kind {
    case .pairHello: .pairHello(try hello(version))
    case .pairConfirm: .pairConfirm(try pairReply(version, hasProof: version == .two))
    case .pairDone: .pairDone(try pairReply(version, hasProof: false))
    case .syncRequest: .syncRequest(try request(version))
    case .syncResponse: .syncResponse(try response(version))
    case .ack: .ack(try ack(version))
    case .error:
      .error(PeerError(code: try members.word(.errorCode, in: text), message: try errorMessage()))
    }
  }

  // MARK: Pairing

  private func hello(_ version: ProtocolVersion) throws(MessageError) -> PairHello {
    PairHello(
      sessionId: try members.uuid(.pairingSessionId, in: text),
      evidence: version == .one
        ? .secret(try members.word(.pairingSecret, in: text))
        : .proof(try members.digest(.pairingProof, in: text)),
      peer: try introduction(version))
  }

  private func pairReply(_ version: ProtocolVersion, hasProof: Bool) throws(MessageError) -> PairReply {
    PairReply(
      sessionId: try members.uuid(.pairingSessionId, in: text),
      proof: hasProof ? try members.digest(.pairingProof, in: text) : nil, peer: try introduction(version))
  }

  private func introduction(_ version: ProtocolVersion) throws(MessageError) -> PeerIntroduction {
    PeerIntroduction(
      peerId: try members.word(.peerId, in: text), deviceName: try members.word(.deviceName, in: text),
      publicKeyFingerprint: version == .one
        ? try members.word(.publicKeyFingerprint, in: text)
        : try members.digest(.publicKeyFingerprint, in: text))
  }

  // MARK: Synchronizing

  private func request(_ version: ProtocolVersion) throws(MessageError) -> SyncRequest {
    var request = SyncRequest(
      peerId: try members.word(.peerId, in: text), deviceName: try members.string(.deviceName, in: text),
      since: try members.token(.sinceTokenData, in: text))
    // An empty token means that the side does not have one.
    if request.since == [] { request.since = nil }
    guard version == .two else { return request }
    if try members.find(.rulesDigest, in: text) != nil {
      request.rulesDigest = try members.digest(.rulesDigest, in: text)
    }
    request.facts = try SyncRequest.Facts(members, text)
    request.acked = try members.token(.ackedTokenData, in: text)
    request.waitSeconds = try count(
      .waitSeconds, of: " of seconds", upTo: SyncRequest.longestWait)
    request.resync = try members.flag(.resync, in: text)
    request.deflate = try members.flag(.deflate, in: text)
    request.window = max(1, try count(.window, of: " of pages", upTo: SyncRequest.largestWindow))
    if request.resync, request.since != nil {
      throw .invalidValue(MessageName.resync.name, expected: "for a request with a token")
    }
    return request
  }

  /// A whole number from 0 to `limit`; 0 if it is absent.
  private func count(
    _ name: MessageName, of unit: String = "", upTo limit: Int
  ) throws(MessageError) -> Int {
    guard let raw = try members.find(name, in: text) else { return 0 }
    guard text.isNumber(raw), let number = try? WireNumber.integer(text, raw, .int64),
      (0...Int64(limit)).contains(number)
    else { throw .invalidValue(name.name, expected: "a whole number\(unit) from 0 to \(limit)") }
    return Int(number)
  }

  private func ack(_ version: ProtocolVersion) throws(MessageError) -> SyncAck {
    guard let token = try members.token(.ackTokenData, in: text) else {
      throw .missingMember(MessageName.ackTokenData.name)
    }
    var ack = SyncAck(peerId: try members.word(.peerId, in: text), token: token)
    guard version == .two else { return ack }
    ack.yourTurn = try members.flag(.yourTurn, in: text)
    ack.quarantined = try count(.quarantined, upTo: SyncAck.mostQuarantined)
    return ack
  }

  private func errorMessage() throws(MessageError) -> String {
    try has(.errorMessage) ? members.string(.errorMessage, in: text) : ""
  }

  private func response(_ version: ProtocolVersion) throws(MessageError) -> SyncResponse {
    let raw = try members.require(.delta, in: text)
    let delta = try SyncResponse.delta(text, raw)
    var response = SyncResponse(
      peerId: try members.word(.peerId, in: text), deviceName: try members.string(.deviceName, in: text),
      content: .delta([]), token: delta.token)
    guard version == .two else {
      response.content = .delta(text.withoutLineBreaks(raw))
      return response
    }
    guard delta.isEmpty else {
      throw .invalidValue(MessageName.delta.name, expected: "empty, as it is in version 2")
    }
    response.content = .lines(try SyncResponse.lines(members, text))
    response.hasMore = try members.flag(.hasMore, in: text)
    response.continues = try members.flag(.continues, in: text)
    response.remaining = try count(.remaining, upTo: SyncResponse.mostRemaining)
    response.rules = try members.object(.rules, in: text)
    response.resync = try SyncResponse.resyncFacts(members, text)
    return response
  }
}
