/// Follows the messages between two peers and finds what breaks the protocol.
///
/// It needs the messages of both sides in the order in which they were sent. After a finding it goes on as if the
/// message had been in its place, so that one fault is not reported again and again.
package struct ConversationCheck: Sendable {
  package struct Limits: Sendable {
    /// The longest page in bytes, its line feeds counted; one line alone may be longer.
    package var page = 4 << 20
    /// The longest line of a page, in bytes.
    package var line = SyncResponse.longestLine
    /// With it, `sentAt` is looked at.
    package var now: Instant?
    /// How far `sentAt` may be from now, before or after it.
    package var skew = Duration.seconds(300)

    package init() {}
  }

  private let limits: Limits
  private var version: ProtocolVersion?
  private var ids: Set<UUIDText> = []
  private var peers: [String] = []
  var pairing = PairingCheck()
  var syncing = SyncCheck()

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  /// What is wrong with the next message, the validated value at `raw`.
  package mutating func take(_ text: Span<UInt8>, _ raw: Range<Int>) -> [ConversationFinding] {
    do throws(MessageError) {
      return take(try Message(text, raw))
    } catch {
      return [ConversationFinding(error)]
    }
  }

  /// What is wrong with the next message.
  package mutating func take(_ message: Message) -> [ConversationFinding] {
    var findings = common(message)
    switch message.body {
    case .pairHello, .pairConfirm, .pairDone: findings += pairing.take(message)
    case .ack where pairing.isAnswered(by: message): break
    case .syncRequest(let request): findings += syncing.take(request, message.id)
    case .syncResponse(let response):
      findings += syncing.take(response, message.id, message.inReplyTo) + sizes(response)
    case .ack(let ack): findings += syncing.take(ack, message.inReplyTo)
    case .error: syncing.takeError(message.inReplyTo)
    }
    return findings
  }

  // MARK: What holds for every message

  private mutating func common(_ message: Message) -> [ConversationFinding] {
    var findings: [ConversationFinding] = []
    if let version, version != message.version {
      findings.append(
        .init(.versionChanged, "version \(message.version.rawValue) after version \(version.rawValue)"))
    }
    version = message.version
    if let reply = message.inReplyTo, !ids.contains(reply) {
      findings.append(.init(.unknownReply, "in reply to a message that was not sent, \(reply)"))
    }
    if !ids.insert(message.id).inserted {
      findings.append(.init(.repeatedId, "the id of an earlier message, \(message.id)"))
    }
    return findings + peer(of: message) + clock(of: message)
  }

  private mutating func peer(of message: Message) -> [ConversationFinding] {
    guard let peer = message.peerId, !peers.contains(peer) else { return [] }
    guard peers.count == 2 else {
      peers.append(peer)
      return []
    }
    return [.init(.unknownPeer, "a third peer, '\(peer.shown)'")]
  }

  private func clock(of message: Message) -> [ConversationFinding] {
    guard let now = limits.now else { return [] }
    let (first, last) = (min(now, message.sentAt), max(now, message.sentAt))
    guard last > first.advanced(by: limits.skew) else { return [] }
    let side = message.sentAt > now ? "after" : "before"
    return [.init(.clockSkew, "sent at \(message.sentAt), too far \(side) \(now)")]
  }

  private func sizes(_ response: SyncResponse) -> [ConversationFinding] {
    guard case .lines(let text) = response.content else { return [] }
    var findings: [ConversationFinding] = []
    let lines = text.split(separator: 10)
    if text.count > limits.page, lines.count > 1 {
      findings.append(.init(.pageTooLarge, "a page of \(text.count) bytes, the limit is \(limits.page)"))
    }
    if let longest = lines.map(\.count).max(), longest > limits.line {
      findings.append(.init(.lineTooLarge, "a line of \(longest) bytes, the limit is \(limits.line)"))
    }
    return findings
  }
}
