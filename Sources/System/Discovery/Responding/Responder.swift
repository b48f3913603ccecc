import SyncCore
import SystemIO

/// The responder of one link for one service instance: probes, announces, answers, defends (RFC 6762 §6 to §10).
///
/// It is pure: packets are passed and returned as messages, and the time is a parameter.
struct Responder: Sendable {
  enum Phase: Equatable, Sendable {
    case probing(sent: Int)
    case announcing(sent: Int)
    case ready
  }

  /// The name that another host also has.
  enum Conflict: Equatable, Sendable { case instance, host }

  /// An answer to be sent later.
  struct Pending: Sendable {
    var record: ResourceRecord
    var due: Duration
    /// The receiver of the answer; nil for the multicast group.
    var querier: Querier?
  }

  struct Querier: Hashable, Sendable {
    var address: IPAddress
    var port: UInt16
  }

  /// A query whose known answers continue in further packets (§7.2).
  struct Unfinished: Sendable {
    var querier: Querier
    var since: Duration
    var due: Duration
    var answers: [Pending]
  }

  var records: ServiceRecords
  var phase = Phase.probing(sent: 0)
  /// The time when the phase continues; nil once it is ready.
  var next: Duration?
  var pending: [Pending] = []
  var unfinished: [Unfinished] = []
  var lastSent: [ResourceRecord: Duration] = [:]
  var copies = QueryCopies()
  /// Whether the names were announced, perhaps before they were disputed.
  private(set) var isAnnounced = false
  /// The records that the next announcement withdraws.
  private var gone: [ResourceRecord] = []
  var random: SplitMix64
  let allowsUnicast: Bool

  /// Begins to probe after a random delay of up to 250 ms (§8.1), or after a longer `wait`.
  init(
    _ records: ServiceRecords, random: SplitMix64, allowsUnicast: Bool, at now: Duration,
    wait: Duration? = nil
  ) {
    self.records = records
    self.random = random
    self.allowsUnicast = allowsUnicast
    next = now + (wait ?? .milliseconds(Int.random(in: 0...250, using: &self.random)))
  }

  var isProbing: Bool {
    if case .probing = phase { true } else { false }
  }

  var deadline: Duration? {
    ([next].compactMap { $0 } + pending.map(\.due) + unfinished.map(\.due)).min()
  }

  /// Does the due work.
  mutating func advance(to now: Duration) -> [(Querier?, DNSMessage)] {
    var messages: [(Querier?, DNSMessage)] = step(at: now).map { (nil, $0) }
    finish(at: now)
    let answers = pending.filter { $0.due <= now }
    guard !answers.isEmpty else { return messages }
    pending.removeAll { $0.due <= now && $0.querier != nil }
    for (querier, answers) in Dictionary(grouping: answers, by: \.querier) {
      messages += (querier == nil ? multicast(at: now) : unicast(answers.map(\.record))).map { (querier, $0) }
    }
    return messages
  }

  /// Answers the waiting queries; records that were multicast after their arrival count as answered.
  private mutating func finish(at now: Duration) {
    for query in unfinished where query.due <= now {
      for answer in query.answers {
        if answer.querier == nil, let last = lastSent[answer.record], last >= query.since { continue }
        add(answer)
      }
    }
    unfinished.removeAll { $0.due <= now }
  }

  private func unicast(_ answers: [ResourceRecord]) -> [DNSMessage] {
    MessagePacker.responses(answers, additionals: records.additionals(to: answers))
  }

  /// The next probe or announcement.
  private mutating func step(at now: Duration) -> [DNSMessage] {
    guard let next, next <= now else { return [] }
    switch phase {
    case .probing(let sent) where sent < 3:
      phase = .probing(sent: sent + 1)
      self.next = now + .milliseconds(250)
      return [probe]
    case .probing:
      phase = .announcing(sent: 1)
      self.next = now + .seconds(1)
      return announcement(at: now)
    case .announcing(sent: 0):
      phase = .announcing(sent: 1)
      self.next = now + .seconds(1)
      return announcement(at: now)
    case .announcing:
      phase = .ready
      self.next = nil
      return announcement(at: now)
    case .ready: return []
    }
  }

  /// Queries all records of our names, and proposes our records (§8.1, §8.2).
  private var probe: DNSMessage {
    var message = DNSMessage.query(
      [records.instance, records.host].map { Question($0, .any, wantsUnicast: allowsUnicast) })
    message.authorities = records.unique.map(\.withoutFlush)
    return message
  }

  /// All records except those multicast within this second.
  private mutating func announcement(at now: Duration) -> [DNSMessage] {
    isAnnounced = true
    let news = records.all.filter { mayMulticast($0, at: now) }
    for record in news { lastSent[record] = now }
    pending.removeAll { $0.querier == nil && news.contains($0.record) }
    defer { gone = [] }
    return MessagePacker.responses(news + gone.map { $0.with(ttl: 0) })
  }

  private func mayMulticast(_ record: ResourceRecord, at now: Duration) -> Bool {
    lastSent[record].map { now - $0 >= .seconds(1) } ?? true
  }

  /// Sends together all answers to the group that may be sent now (§6.4), with their additional records.
  private mutating func multicast(at now: Duration) -> [DNSMessage] {
    let ready = pending.filter { $0.querier == nil && ($0.due <= now || mayMulticast($0.record, at: now)) }
    var answers: [ResourceRecord] = []
    for answer in ready where !answers.contains(answer.record) { answers.append(answer.record) }
    pending.removeAll { item in item.querier == nil && answers.contains(item.record) }
    let additionals = records.additionals(to: answers).filter { mayMulticast($0, at: now) }
    for record in answers + additionals { lastSent[record] = now }
    return MessagePacker.responses(answers, additionals: additionals)
  }

  /// Replaces the data of our names; if the names were announced, the new data are announced too (§8.4).
  ///
  /// Removed records get a life of 0 (§10.1).
  mutating func replace(_ records: ServiceRecords, at now: Duration) {
    let old = self.records.all
    self.records = records
    pending.removeAll { !records.all.contains($0.record) }
    guard isAnnounced else { return }
    gone = (gone + old).filter { !records.all.contains($0) }
    guard !isProbing else { return }
    lastSent = lastSent.filter { records.all.contains($0.key) || $0.key.type == .nsec }
    phase = .announcing(sent: 0)
    next = now
  }

  /// Starts again with the same names (§9).
  mutating func probeAgain(at now: Duration, wait: Duration) {
    phase = .probing(sent: 0)
    next = now + wait
    pending = []
    unfinished = []
  }
}
