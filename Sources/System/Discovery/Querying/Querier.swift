package import SyncCore
package import SystemIO

/// The querier of one link: its questions, their times, and the received records (RFC 6762 §5, §7, §10).
///
/// It is pure: packets are passed and returned as messages, and the time is a parameter.
package struct Querier: Sendable {
  package private(set) var cache: RecordCache
  private var random: SplitMix64
  private var schedules: [RecordKey: QuestionSchedule] = [:]
  private var refreshing: [RecordKey: QuestionSchedule] = [:]
  /// The names for which records are kept: the requested names, their services and hosts.
  private var names: Set<DomainName> = []
  /// The limit of `names`: every pointer adds names, and `follow` removes unneeded names after some packets.
  private let nameLimit: Int
  /// Whether a unicast answer would reach us: the port is not shared with other programs on this machine
  /// (§5.4, §15.1).
  package var allowsUnicast: Bool
  /// Entries that have left the cache since the last call of `takeRemoved`.
  private var removed: [RecordCache.Entry] = []

  package init(random: SplitMix64, allowsUnicast: Bool, cacheLimit: Int = 4_096) {
    self.random = random
    self.allowsUnicast = allowsUnicast
    nameLimit = 2 * cacheLimit
    cache = RecordCache(limit: cacheLimit)
  }

  /// The time when `advance` has work to do; nil for never.
  package var deadline: Duration? {
    var times = [schedules.values.map(\.deadline).min(), refreshing.values.map(\.next).min()].compactMap {
      $0
    }
    if let time = cache.deadline { times.append(time) }
    return times.min()
  }

  /// The number of times that a question has been sent.
  package func timesAsked(_ key: RecordKey) -> Int { schedules[key]?.sent ?? 0 }

  /// Sends exactly these questions from now on.
  ///
  /// A new question is first sent immediately, or with `delayed` after 20 to 120 ms, because all hosts of the
  /// link may start together (§5.2).
  package mutating func ask(_ keys: Set<RecordKey>, at now: Duration, delayed: Bool) {
    for key in schedules.keys where !keys.contains(key) { schedules[key] = nil }
    // Use one delay for all new questions, so that one query contains them.
    let delay = delayed ? Duration.milliseconds(Int.random(in: 20...120, using: &random)) : .zero
    for key in keys where schedules[key] == nil {
      schedules[key] = QuestionSchedule(first: now + delay)
      names.insert(key.name)
    }
  }

  /// Keeps only these names and the requested ones.
  package mutating func follow(_ names: Set<DomainName>) {
    self.names = names.union(schedules.keys.map(\.name))
  }

  /// Handles a response; true if a record is new.
  package mutating func receive(response: DNSMessage, from source: IPAddress, at now: Duration) -> Bool {
    let records = response.answers + response.additionals
    var hasNews = false
    // Pointers lead to services, and services to hosts, so this order finds all related records of a packet.
    for type in [RecordType.ptr, .srv, .txt, .a, .aaaa] {
      for record in records
      where record.type == type && record.recordClass == 1 && names.contains(record.name) {
        if cache.insert(record, from: source, at: now, &random) { hasNews = true }
        note(record)
      }
    }
    return hasNews
  }

  private mutating func note(_ record: ResourceRecord) {
    guard record.ttl > 0 else { return }
    schedules[RecordKey(record.name, record.type)]?.noteHeard()
    if let name = target(of: record), names.count < nameLimit { names.insert(name) }
    refreshing[RecordKey(record.name, record.type)] = nil
  }

  /// The name whose records are needed next.
  private func target(of record: ResourceRecord) -> DomainName? {
    switch record.data {
    case .pointer(let target)
    where schedules[RecordKey(record.name, .ptr)] != nil && record.name != DNSServiceType.enumeration:
      target
    case .service(let location): location.host
    default: nil
    }
  }

  /// Another host's question replaces ours if both are the same and we have all known answers of its query
  /// (§7.3).
  package mutating func receive(query: DNSMessage, at now: Duration) {
    guard query.authorities.isEmpty, !query.isTruncated else { return }
    for question in query.questions where !question.wantsUnicast {
      let key = RecordKey(question.name, question.type)
      let known = query.answers.filter { question.accepts($0) }
      guard known.allSatisfy({ cache.knows($0, at: now) }) else { continue }
      if schedules[key]?.canBeAnswered(byQuestionAt: now) == true { schedules[key]!.noteAsked(at: now) }
      if refreshing[key]?.canBeAnswered(byQuestionAt: now) == true { refreshing[key] = nil }
    }
  }

  /// Does all due work and returns the queries to send; each fits into a packet.
  package mutating func advance(to now: Duration) -> [DNSMessage] {
    let (gone, stale) = cache.advance(to: now, &random)
    removed += gone
    for key in stale {
      if schedules[key] != nil {
        schedules[key]!.refresh(at: now)
      } else {
        refreshing[key] = QuestionSchedule(first: now)
      }
    }
    var questions: [Question] = []
    for (key, schedule) in schedules where schedule.next <= now {
      questions.append(Question(key.name, key.type, wantsUnicast: allowsUnicast && schedule.sent == 0))
      schedules[key]!.noteAsked(at: now)
    }
    for (key, schedule) in refreshing where schedule.next <= now {
      questions.append(Question(key.name, key.type))
      refreshing[key] = nil
    }
    guard !questions.isEmpty else { return [] }
    let known = questions.flatMap { cache.knownAnswers(RecordKey($0.name, $0.type), at: now) }
    return MessagePacker.queries(questions, knowing: known)
  }

  /// One-shot queries that are due, each with an identifier (RFC 6762 §5.1).
  package mutating func oneShots(at now: Duration) -> [DNSMessage] {
    var questions: [Question] = []
    for key in Array(schedules.keys) where schedules[key]!.takeOneShot(at: now) {
      questions.append(Question(key.name, key.type))
    }
    guard !questions.isEmpty else { return [] }
    var messages = MessagePacker.queries(questions, knowing: [])
    for index in messages.indices { messages[index].id = .random(in: 1...UInt16.max, using: &random) }
    return messages
  }

  package mutating func takeRemoved() -> [RecordCache.Entry] {
    defer { removed = [] }
    return removed
  }
}
