import SyncCore

/// One interpretation of the messages so far: their senders, and the resulting state of pairing and sync.
struct ConversationReading: Equatable, Sendable {
  /// A message and the facts about its place in the conversation.
  struct Said: Sendable {
    var message: Message
    var place: Place
  }

  struct Place: Sendable {
    var id: UUIDText
    var side: ConversationPeers.Side
    /// The sender's name for itself.
    var peer: String
    /// The id of the message that this one answers, if that message was sent.
    var reply: UUIDText?
    /// Whether the message is a reply.
    var isReply: Bool
    /// Whether an earlier message was a reply to this one.
    var isAnswered: Bool
    /// Whether the sides take turns; false in version 1, where either side may send a request at any time.
    var hasTurns: Bool
    /// Whether an earlier message had the token of this ack.
    var isTokenKnown = false
    /// The pairing session to which the message is assigned; nil for the session that it names.
    var session: UUIDText?
  }

  private var pairing = PairingCheck()
  private var syncing = SyncCheck()

  /// The findings about the order of the next message; their consequences are not reported later.
  mutating func check(_ said: Said) -> [ConversationFinding] {
    let place = said.place
    switch said.message.body {
    case .pairHello(let hello): return pairing.check(hello, place)
    case .pairConfirm(let reply): return pairing.check(confirm: reply, place)
    case .pairDone(let reply): return pairing.check(done: reply, place)
    case .syncRequest(let request): return syncing.check(request, place)
    case .syncResponse(let response): return syncing.check(response, place)
    case .ack(let ack): return pairing.check(ack: place) ?? syncing.check(ack, place)
    case .error:
      syncing.checkError(place.reply)
      return []
    }
  }

  /// Excuses all awaited messages, as an unreadable message may be any of them.
  mutating func excuse() { syncing.excuse() }

  /// The interpretation after the next message; nil if that message is out of order.
  func after(_ said: Said) -> ConversationReading? {
    var next = self
    return next.check(said).isEmpty ? next : nil
  }

  /// Other interpretations of the next message if it is at fault.
  ///
  /// The message may belong to the other side or to the session being paired, or it is an error of its
  /// sender.
  func corrections(of said: Said) -> [ConversationReading] {
    var (otherSide, otherSession) = (said, said)
    otherSide.place.side = said.place.side.other
    otherSession.place.session = pairing.latest
    return [otherSide, otherSession].compactMap(after) + [self]
  }
}

extension Array {
  /// Appends a message that may still be answered; drops the oldest one if the list is long.
  ///
  /// Interpretations are compared and copied, so their size is limited.
  mutating func appendWaiting(_ element: Element, limit: Int = 8) {
    append(element)
    if count > limit { removeFirst() }
  }
}

/// The possible interpretations of a conversation: one, until a message is at fault.
///
/// A fault has several possible explanations. The next messages show which one is right: an interpretation is
/// dropped if a message is out of order in it. So the consequences of a fault are not reported.
struct ConversationReadings: Sendable {
  typealias Said = ConversationReading.Said

  /// The maximum number of interpretations; further ones are dropped.
  private static let limit = 8

  private var current = [ConversationReading()]
  /// The interpretations before the latest message, and the forms of that message.
  private var before: [ConversationReading] = []
  private var latest: [Said] = []

  /// The findings about the order of the next message; `forms` are its possible forms.
  ///
  /// `isFaulty` means that the message has another fault, so it may be out of order without a finding here.
  mutating func check(_ forms: [Said], isFaulty: Bool) -> [ConversationFinding] {
    var next = Self.after(forms, current)
    var findings: [ConversationFinding] = []
    if next.isEmpty {
      let taken = Self.asSaid(forms, current)
      findings = taken[0].findings
      next = taken.map(\.reading)
    }
    if isFaulty || !findings.isEmpty { next += Self.corrections(of: forms, current) }
    // The real fault may be in the previous message, which seemed right until now.
    if !findings.isEmpty { next += Self.after(forms, Self.corrections(of: latest, before)) }
    (before, latest, current) = (current, forms, Self.distinct(next))
    return findings
  }

  /// Excuses all awaited messages, as an unreadable message may be any of them.
  mutating func excuse() {
    for index in current.indices { current[index].excuse() }
  }

  /// The interpretations in which the message is in order.
  private static func after(_ forms: [Said], _ readings: [ConversationReading]) -> [ConversationReading] {
    readings.flatMap { reading in forms.compactMap(reading.after) }
  }

  private static func asSaid(
    _ forms: [Said], _ readings: [ConversationReading]
  ) -> [(reading: ConversationReading, findings: [ConversationFinding])] {
    readings.flatMap { reading in
      forms.map { said in
        var next = reading
        let findings = next.check(said)
        return (next, findings)
      }
    }
  }

  private static func corrections(
    of forms: [Said], _ readings: [ConversationReading]
  ) -> [ConversationReading] {
    readings.flatMap { reading in forms.flatMap(reading.corrections) }
  }

  private static func distinct(_ readings: [ConversationReading]) -> [ConversationReading] {
    var distinct: [ConversationReading] = []
    for reading in readings where distinct.count < limit && !distinct.contains(reading) {
      distinct.append(reading)
    }
    return distinct
  }
}

/// Assigns the peers of a conversation to its two sides.
struct ConversationPeers: Sendable {
  enum Side: Hashable, Sendable {
    case first, second

    var other: Side { self == .first ? .second : .first }
  }

  /// The ids of the two sides, in the order in which they first appear.
  private var own: [String] = []
  private var strangers: Set<String> = []

  /// Whether a peer is a third one that appears for the first time.
  func isNewStranger(_ peer: String) -> Bool {
    own.count == 2 && side(of: peer) == nil && !strangers.contains(peer)
  }

  /// The side of a peer; both sides for a third peer, as either may have sent its messages.
  ///
  /// A message without a peer is an error, and its side does not matter.
  mutating func sides(of peer: String?) -> [Side] {
    guard let peer else { return [.first] }
    if let side = side(of: peer) { return [side] }
    if own.count < 2 {
      own.append(peer)
      return [own.count == 1 ? .first : .second]
    }
    strangers.insert(peer)
    return [.first, .second]
  }

  private func side(of peer: String) -> Side? {
    own.firstIndex { PeerID.areSame($0, peer) }.map { $0 == 0 ? .first : .second }
  }
}
