import JSONLines

extension Message {
  /// Appends the message as one line without its LF, the members in the order of docs/formats/message.md.
  package func append(to bytes: inout [UInt8]) {
    var writer = MessageWriter(bytes)
    bytes = []
    writer.add(.id, id.description)
    writer.add(.protocolVersion, raw: String(version.rawValue).utf8)
    writer.add(.sentAt, version == .one ? sentAt.wholeSeconds : sentAt.description)
    writer.add(.type, kind.rawValue)
    if let inReplyTo { writer.add(.inReplyTo, inReplyTo.description) }
    addBody(to: &writer)
    bytes = writer.finish()
  }

  /// The message as one line without its LF.
  package var line: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  private func addBody(to writer: inout MessageWriter) {
    switch body {
    case .pairHello(let hello): hello.add(to: &writer)
    case .pairConfirm(let reply), .pairDone(let reply): reply.add(to: &writer)
    case .syncRequest(let request): request.add(to: &writer, version)
    case .syncResponse(let response): response.add(to: &writer)
    case .ack(let ack): ack.add(to: &writer, version)
    case .error(let error):
      writer.add(.errorCode, error.code)
      writer.add(.errorMessage, error.message)
    }
  }
}

extension Instant {
  /// The form of dates in version 1: years have four digits, so the first 19 characters end with the second.
  package var wholeSeconds: String { "\(description.prefix(19))Z" }
}

extension PairHello {
  fileprivate func add(to writer: inout MessageWriter) {
    writer.add(.pairingSessionId, sessionId.description)
    switch evidence {
    case .secret(let secret): writer.add(.pairingSecret, secret)
    case .proof(let proof): writer.add(.pairingProof, proof)
    }
    peer.add(to: &writer)
  }
}

extension PairReply {
  fileprivate func add(to writer: inout MessageWriter) {
    writer.add(.pairingSessionId, sessionId.description)
    if let proof { writer.add(.pairingProof, proof) }
    peer.add(to: &writer)
  }
}

extension PeerIntroduction {
  fileprivate func add(to writer: inout MessageWriter) {
    writer.add(.peerId, peerId)
    writer.add(.deviceName, deviceName)
    writer.add(.publicKeyFingerprint, publicKeyFingerprint)
  }
}

extension SyncRequest {
  fileprivate func add(to writer: inout MessageWriter, _ version: ProtocolVersion) {
    writer.add(.peerId, peerId)
    writer.add(.deviceName, deviceName)
    if let since { writer.add(.sinceTokenData, token: since) }
    guard version == .two else { return }
    if let acked { writer.add(.ackedTokenData, token: acked) }
    if let rulesDigest { writer.add(.rulesDigest, rulesDigest) }
    if let facts {
      if let rules = facts.mergeRules { writer.add(.mergeRules, raw: rules) }
      writer.add(.entities, raw: facts.entities.json.text.utf8)
      if facts.mixesEntities { writer.add(.mixEntities, raw: "true".utf8) }
    }
    if waitSeconds > 0 { writer.add(.waitSeconds, raw: String(waitSeconds).utf8) }
    if resync { writer.add(.resync, raw: "true".utf8) }
    if deflate { writer.add(.deflate, raw: "true".utf8) }
    if window > 1 { writer.add(.window, raw: String(window).utf8) }
  }
}

extension SyncResponse {
  fileprivate func add(to writer: inout MessageWriter) {
    writer.add(.peerId, peerId)
    writer.add(.deviceName, deviceName)
    switch content {
    case .delta(let delta): writer.add(.delta, raw: delta)
    case .lines(let lines):
      writer.addEmptyDelta(token: token)
      writer.add(.changes, lines: lines)
      if hasMore { writer.add(.hasMore, raw: "true".utf8) }
      if continues { writer.add(.continues, raw: "true".utf8) }
      if remaining > 0 { writer.add(.remaining, raw: String(remaining).utf8) }
      if let rules { writer.add(.rules, raw: rules) }
      if let resync {
        writer.add(.heldTokenData, token: resync.heldToken)
        writer.add(.quarantinedKeys, strings: resync.quarantinedKeys)
      }
    }
  }
}

extension SyncAck {
  fileprivate func add(to writer: inout MessageWriter, _ version: ProtocolVersion) {
    writer.add(.peerId, peerId)
    writer.add(.ackTokenData, token: token)
    guard version == .two else { return }
    if yourTurn { writer.add(.yourTurn, raw: "true".utf8) }
    if quarantined > 0 { writer.add(.quarantined, raw: String(quarantined).utf8) }
  }
}

/// Writes the members of one object.
struct MessageWriter {
  private var bytes: [UInt8]

  /// Starts after the existing content.
  init(_ bytes: consuming [UInt8]) {
    self.bytes = bytes
    self.bytes.append(UInt8(ascii: "{"))
  }

  consuming func finish() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  mutating func add(_ name: MessageName, raw value: some Collection<UInt8>) {
    open(name)
    bytes.append(contentsOf: value)
  }

  mutating func add(_ name: MessageName, _ string: String) {
    open(name)
    JSONString.appendQuoted(string, to: &bytes)
  }

  mutating func add(_ name: MessageName, token: [UInt8]) {
    open(name)
    appendToken(token)
  }

  mutating func add(_ name: MessageName, strings: [String]) {
    add(name, raw: JSONValue.array(strings.map { .string($0) }).text.utf8)
  }

  /// Adds lines as the elements of an array; each line has one LF, at its end.
  mutating func add(_ name: MessageName, lines: [UInt8]) {
    open(name)
    bytes.append(UInt8(ascii: "["))
    bytes.reserveCapacity(bytes.count + lines.count + 64)
    var cursor = LineCursor()
    while let line = cursor.next(in: lines.span) {
      if line.number > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(lines.span.extracting(line.content))
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Adds a delta with only a token.
  mutating func addEmptyDelta(token: [UInt8]) {
    open(.delta)
    bytes.append(contentsOf: "{\"upserts\":[],\"deletes\":[],\"newTokenData\":".utf8)
    appendToken(token)
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func open(_ name: MessageName) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: MessageName.spellings.bytes[name.rawValue])
    bytes.append(contentsOf: "\":".utf8)
  }

  private mutating func appendToken(_ token: [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    Base64.append(token.span, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}
