import JSONLines
package import SyncCore

/// Follows the messages between two peers and finds what breaks the protocol.
///
/// It needs the messages of both sides in the order in which they were sent. After a finding it goes on as if the
/// message had been in its place, so that one fault is one finding: what only follows from it is not reported.
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

  let limits: Limits
  private var versions: [ProtocolVersion] = []
  private var ids: Set<UUIDText> = []
  private var peers = PeerNames()
  /// How many messages could not be read: each may have been the one whose lack shows next.
  private var unread = 0
  private var pairing = PairingCheck()
  private var syncing = SyncCheck()

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  /// What is wrong with the next message, the validated value at `raw`.
  package mutating func take(_ text: Span<UInt8>, _ raw: Range<Int>) -> [ConversationFinding] {
    do throws(MessageError) {
      return take(try Message(text, raw))
    } catch {
      unread += 1
      if let id = Message.readableID(text, raw) { ids.insert(id) }
      return [ConversationFinding(error)]
    }
  }

  /// What is wrong with the next message.
  package mutating func take(_ message: Message) -> [ConversationFinding] {
    let version = version(of: message)
    let own = version + clock(of: message) + contents(of: message)
    let identity = identity(of: message)
    let order = order(of: message)
    // A message that is there twice, or of somebody else, is out of order because of that.
    return own + (identity.isEmpty ? order : identity)
  }

  // MARK: What holds for every message

  private mutating func version(of message: Message) -> [ConversationFinding] {
    guard !versions.contains(message.version) else { return [] }
    versions.append(message.version)
    guard versions.count > 1 else { return [] }
    return [
      .init(.versionChanged, "version \(message.version.rawValue) after version \(versions[0].rawValue)")
    ]
  }

  private mutating func identity(of message: Message) -> [ConversationFinding] {
    var findings: [ConversationFinding] = []
    if ids.contains(message.id) {
      findings.append(.init(.repeatedId, "the id of an earlier message, \(message.id)"))
    }
    if let peer = message.peerId, peers.isStranger(peer) {
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

  private mutating func order(of message: Message) -> [ConversationFinding] {
    defer { ids.insert(message.id) }
    let place = Place(
      id: message.id, peer: sender(of: message),
      reply: message.inReplyTo.flatMap { ids.contains($0) ? $0 : nil }, hasTurns: message.version == .two)
    var findings = Self.take(message, place, &pairing, &syncing)
    if findings.isEmpty, let reply = message.inReplyTo, place.reply == nil {
      findings = [.init(.unknownReply, "in reply to a message that was not sent, \(reply)")]
    }
    guard unread > 0 else { return findings }
    if findings.isEmpty {
      // A request begins anew, whatever was before it.
      if message.kind == .syncRequest || message.kind == .pairHello { unread = 0 }
    } else {
      unread -= 1
    }
    return []
  }

  /// Where a message stands among the others.
  struct Place {
    var id: UUIDText
    /// One of the two peers.
    var peer: String
    /// The message that it answers, if that was sent.
    var reply: UUIDText?
    /// In version 1 either side asks when it likes.
    var hasTurns: Bool
  }

  /// One of the two peers: for a third one, the one who might have sent this.
  private mutating func sender(of message: Message) -> String {
    guard let peer = message.peerId else { return "" }
    if let known = peers.known(peer) { return known }
    let own = peers.own.first { mayCome(message, from: $0) } ?? peers.own[0]
    peers.take(peer, for: own)
    return own
  }

  /// Whether a message would be in order if a peer had sent it.
  private func mayCome(_ message: Message, from peer: String) -> Bool {
    var (pairing, syncing) = (pairing, syncing)
    let reply = message.inReplyTo.flatMap { ids.contains($0) ? $0 : nil }
    let place = Place(id: message.id, peer: peer, reply: reply, hasTurns: message.version == .two)
    return Self.take(message, place, &pairing, &syncing).isEmpty
  }

  private static func take(
    _ message: Message, _ place: Place, _ pairing: inout PairingCheck, _ syncing: inout SyncCheck
  ) -> [ConversationFinding] {
    switch message.body {
    case .pairHello(let hello): return pairing.take(hello, place)
    case .pairConfirm(let reply): return pairing.take(confirm: reply, place)
    case .pairDone(let reply): return pairing.take(done: reply, place)
    case .syncRequest(let request): return syncing.take(request, place)
    case .syncResponse(let response): return syncing.take(response, place)
    case .ack(let ack): return pairing.take(ack: place) ?? syncing.take(ack, place)
    case .error:
      syncing.takeError(place.reply)
      return []
    }
  }
}

/// The ids of the two peers, and of others that are taken for one of them.
private struct PeerNames: Sendable {
  private(set) var own: [String] = []
  private var others: [String: String] = [:]

  /// A third peer that has not been seen yet.
  func isStranger(_ peer: String) -> Bool {
    own.count == 2 && !own.contains { PeerID.areSame($0, peer) } && others[peer] == nil
  }

  /// The peer itself, or the one that it is taken for; nil for a stranger.
  mutating func known(_ peer: String) -> String? {
    guard !isStranger(peer) else { return nil }
    if let other = others[peer] { return other }
    if let same = own.first(where: { PeerID.areSame($0, peer) }) { return same }
    own.append(peer)
    return peer
  }

  mutating func take(_ stranger: String, for peer: String) { others[stranger] = peer }
}
