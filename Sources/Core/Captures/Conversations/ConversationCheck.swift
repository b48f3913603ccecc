import JSONLines
package import SyncCore

/// Follows the messages between two peers and finds violations of the protocol.
///
/// It needs the messages of both sides in the order in which they were sent. Each fault is reported once,
/// without its consequences (``ConversationReadings``).
package struct ConversationCheck: Sendable {
  package struct Limits: Sendable {
    /// The longest page in bytes, including line feeds; a page of one line may be longer.
    package var page = 4 << 20
    /// The longest line of a page, in bytes.
    package var line = SyncResponse.longestLine
    /// The current time, with which `sentAt` is compared; nil to skip that check.
    package var now: Instant?
    /// How far `sentAt` may be from now, before or after it.
    package var skew = Duration.seconds(300)

    package init() {}
  }

  let limits: Limits
  private var versions: [ProtocolVersion] = []
  private var ids: Set<UUIDText> = []
  /// The ids of messages that were answered before they appeared.
  private var answered: Set<UUIDText> = []
  private var tokens: Set<[UInt8]> = []
  private var peers = ConversationPeers()
  /// The number of messages that could not be read or identified.
  ///
  /// Each may be a message that seems to be missing later.
  private var unread = 0
  /// Whether the first request or `pairHello` has been seen.
  private var hasBegun = false
  /// Whether a finding has reported that the beginning is missing.
  private var isCut = false
  private var readings = ConversationReadings()

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  /// The findings about the next message, the validated value at `raw`.
  package mutating func check(_ text: Span<UInt8>, _ raw: Range<Int>) -> [ConversationFinding] {
    do throws(MessageError) {
      let message = try Message(text, raw)
      let version = check(message.version)
      // If only the version is wrong, the members may still be those of the conversation's version.
      let meant = message.version == versions[0] ? nil : try? Message(text, raw, as: versions[0])
      return version + check(message, meant: meant, hasOtherVersion: !version.isEmpty)
    } catch {
      if let findings = mislabelled(text, raw, error) { return findings }
      miss()
      if let id = Message.readableID(text, raw) { ids.insert(id) }
      return [ConversationFinding(error)]
    }
  }

  /// The findings about a message with the members of the right version but another version number.
  ///
  /// Nil for any other fault.
  private mutating func mislabelled(
    _ text: Span<UInt8>, _ raw: Range<Int>, _ error: MessageError
  ) -> [ConversationFinding]? {
    guard error != .secretInClear, let own = versions.first, let said = Message.readableVersion(text, raw),
      said != own,
      let meant = try? Message(text, raw, as: own)
    else { return nil }
    return check(said) + check(meant, meant: nil, hasOtherVersion: true)
  }

  /// Notes that a message may be missing here.
  package mutating func miss() {
    unread += 1
    readings.excuse()
  }

  private mutating func check(
    _ message: Message, meant: Message?, hasOtherVersion: Bool
  ) -> [ConversationFinding] {
    let own = clock(of: message) + contents(of: hasOtherVersion ? meant ?? message : message)
    let identity = identity(of: message)
    let isFaulty = hasOtherVersion || !identity.isEmpty
    let order = order(of: [meant, message].compactMap { $0 }, isFaulty: isFaulty)
    if identity.contains(where: { $0.code == .repeatedId }) { unread += 1 }
    // A duplicate or foreign message is out of order anyway, so its order is not reported.
    return own + (identity.isEmpty ? order : identity)
  }

  // MARK: Rules for every message

  private mutating func check(_ version: ProtocolVersion) -> [ConversationFinding] {
    guard !versions.contains(version) else { return [] }
    versions.append(version)
    guard versions.count > 1 else { return [] }
    return [.init(.versionChanged, "version \(version.rawValue) after version \(versions[0].rawValue)")]
  }

  private mutating func identity(of message: Message) -> [ConversationFinding] {
    var findings: [ConversationFinding] = []
    if ids.contains(message.id) {
      findings.append(.init(.repeatedId, "the id of an earlier message, \(message.id)"))
    }
    if let peer = message.peerId, peers.isNewStranger(peer) {
      findings.append(.init(.unknownPeer, "a third peer, '\(peer.shown)'"))
    }
    return findings
  }

  private func clock(of message: Message) -> [ConversationFinding] {
    guard let now = limits.now else { return [] }
    let (first, last) = (min(now, message.sentAt), max(now, message.sentAt))
    guard last > first.advanced(by: limits.skew) else { return [] }
    let side = message.sentAt > now ? "after" : "before"
    return [.init(.clockSkew, "sent at \(message.sentAt), too far \(side) \(now)")]
  }

  // MARK: Order

  /// The findings about the order of a message; `forms` are the ways to read its members.
  private mutating func order(of forms: [Message], isFaulty: Bool) -> [ConversationFinding] {
    let message = forms[0]
    let sides = peers.sides(of: message.peerId)
    let said = forms.flatMap { form in sides.map { placed(form, from: $0) } }
    let unknown = message.inReplyTo.flatMap { ids.contains($0) ? nil : $0 }
    note(message)
    // The pages of an answer all name one request.
    let isNew = unknown.map { answered.insert($0).inserted } ?? false
    var findings = readings.check(said, isFaulty: isFaulty)
    if findings.isEmpty, let unknown, isNew {
      findings = [.init(.unknownReply, "in reply to a message that was not sent, \(unknown)")]
    }
    let begins = message.kind == .syncRequest || message.kind == .pairHello
    if begins { hasBegun = true }
    if !hasBegun, !findings.isEmpty {
      if isCut { return [] }
      isCut = true
    }
    guard unread > 0 else { return findings }
    if findings.isEmpty {
      // A request starts again, regardless of earlier messages.
      if begins { unread = 0 }
    } else {
      unread -= 1
    }
    return []
  }

  private func placed(_ message: Message, from side: ConversationPeers.Side) -> ConversationReading.Said {
    var place = ConversationReading.Place(
      id: message.id, side: side, peer: message.peerId ?? "",
      reply: message.inReplyTo.flatMap { ids.contains($0) ? $0 : nil }, isReply: message.inReplyTo != nil,
      isAnswered: answered.contains(message.id), hasTurns: message.version == .two)
    if case .ack(let ack) = message.body { place.isTokenKnown = tokens.contains(ack.token) }
    return ConversationReading.Said(message: message, place: place)
  }

  /// Remembers facts that later messages may refer to.
  private mutating func note(_ message: Message) {
    ids.insert(message.id)
    switch message.body {
    case .syncResponse(let response): tokens.insert(response.token)
    case .ack(let ack): tokens.insert(ack.token)
    default: break
    }
  }
}

/// The conversations of a file, each checked separately; lines without a stream form one of them.
package struct ConversationChecks: Sendable {
  private let limits: ConversationCheck.Limits
  private var checks: [Int?: ConversationCheck] = [:]

  package init(_ limits: ConversationCheck.Limits = .init()) { self.limits = limits }

  /// The findings about the next message of a stream, the validated value at `raw`.
  package mutating func check(
    _ text: Span<UInt8>, _ raw: Range<Int>, of stream: Int?
  ) -> [ConversationFinding] { checks[stream, default: ConversationCheck(limits)].check(text, raw) }

  /// Notes that a message of a stream may be missing here.
  package mutating func miss(in stream: Int?) { checks[stream, default: ConversationCheck(limits)].miss() }
}
