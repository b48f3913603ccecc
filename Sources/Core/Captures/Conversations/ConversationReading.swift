import SyncCore

/// One way to read the messages so far: the side that sent each, and the resulting state of pairing and sync.
struct ConversationReading: Equatable, Sendable {
  /// A message and its place among the others.
  struct Said: Sendable {
    var message: Message
    var place: Place
  }

  struct Place: Sendable {
    var id: UUIDText
    var side: ConversationPeers.Side
    /// The sender's name for itself.
    var peer: String
    /// The message that it answers, if that was sent.
    var reply: UUIDText?
    /// It answers some message.
    var isReply: Bool
    /// An earlier message was in reply to this one.
    var isAnswered: Bool
    /// In version 1 either side may ask at any time.
    var hasTurns: Bool
    /// An earlier message had the token of this ack.
    var isTokenKnown = false
    /// The pairing session to which the message is assigned; nil for the one that it names.
    var session: UUIDText?
  }

  private var pairing = PairingCheck()
  private var syncing = SyncCheck()

  /// The findings about the order if the next message is read as it is; consequences of these are excused.
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

  /// An unreadable message may have been any of the awaited ones.
  mutating func excuse() { syncing.excuse() }

  /// The reading after the next message; nil if that is out of order.
  func after(_ said: Said) -> ConversationReading? {
    var next = self
    return next.check(said).isEmpty ? next : nil
  }

  /// Other readings of the next message if it is a fault.
  ///
  /// It may be a message of the other side, of the session being paired, or one that should not have been
  /// sent.
  func corrections(of said: Said) -> [ConversationReading] {
    var (otherSide, otherSession) = (said, said)
    otherSide.place.side = said.place.side.other
    otherSession.place.session = pairing.latest
    return [otherSide, otherSession].compactMap(after) + [self]
  }
}

extension Array {
  /// Appends a candidate for waiting; if there are many, the oldest one is forgotten.
  ///
  /// Readings are compared and copied, so their size is limited.
  mutating func appendWaiting(_ element: Element) {
    append(element)
    if count > 8 { removeFirst() }
  }
}

/// The ways in which a conversation can be read: one, until a message is at fault.
///
/// A fault can be read in several ways, and the next messages show which of them is right: a reading in which
/// they are out of order is dropped. So the consequences of a fault are not reported.
struct ConversationReadings: Sendable {
  typealias Said = ConversationReading.Said

  /// At most this many readings are followed; the first ones are kept.
  private static let limit = 8

  private var current = [ConversationReading()]
  /// The readings before the latest message, and the forms of that message.
  private var before: [ConversationReading] = []
  private var latest: [Said] = []

  /// The findings about the order of the next message; `forms` are the ways to read it.
  ///
  /// `isFaulty` means that it is at fault for another reason, so it may be misplaced without a finding here.
  mutating func check(_ forms: [Said], isFaulty: Bool) -> [ConversationFinding] {
    var next = Self.after(forms, current)
    var findings: [ConversationFinding] = []
    if next.isEmpty {
      let taken = Self.asSaid(forms, current)
      findings = taken[0].findings
      next = taken.map(\.reading)
    }
    if isFaulty || !findings.isEmpty { next += Self.corrections(of: forms, current) }
    // The fault may belong to the previous message, which seemed right until now.
    if !findings.isEmpty { next += Self.after(forms, Self.corrections(of: latest, before)) }
    (before, latest, current) = (current, forms, Self.distinct(next))
    return findings
  }

  /// An unreadable message may have been any of the awaited ones.
  mutating func excuse() {
    for index in current.indices { current[index].excuse() }
  }

  /// The readings in which the message is in order.
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

/// Which of the two sides the peers of a conversation are.
struct ConversationPeers: Sendable {
  enum Side: Hashable, Sendable {
    case first, second

    var other: Side { self == .first ? .second : .first }
  }

  /// The ids of the first and the second side, as they appear first.
  private var own: [String] = []
  private var strangers: Set<String> = []

  /// Whether a peer is a third one that has not been seen yet.
  func isNewStranger(_ peer: String) -> Bool {
    own.count == 2 && side(of: peer) == nil && !strangers.contains(peer)
  }

  /// The side of a peer; both sides for a third one, whose messages either may have sent.
  ///
  /// A message without a peer is an error, and it does not matter which side has sent it.
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
