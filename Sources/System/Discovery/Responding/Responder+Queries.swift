import SystemIO

extension Responder {
  /// Handles a query; answers to a legacy querier are sent immediately, others when they are due.
  mutating func receive(query: DNSMessage, from origin: Origin, at now: Duration) -> [(Querier?, DNSMessage)]
  {
    let querier = Querier(address: origin.address, port: origin.port)
    if isProbing {
      settle(probe: query, at: now)
      return []
    }
    if query.questions.isEmpty {
      learn(query, from: querier, at: now)
      return []
    }
    if origin.port != MulticastDNS.port { return origin.isOnLink ? legacyAnswer(to: query, querier) : [] }
    let first = origin.isMulticast ? copies.arrival(ofCopy: query, from: origin.address, at: now) : nil
    let matches = ourAnswers(to: query).filter {
      !Self.isKnown($0.record, query.answers) && !isAnswered($0.record, since: first)
    }
    guard !matches.isEmpty else { return [] }
    let answers = schedule(matches, of: query, from: origin, at: now)
    if query.isTruncated {
      wait(for: querier, answers, at: now)
    } else {
      answers.forEach { add($0) }
    }
    return []
  }

  /// A requested record of ours, and whether the question wants a unicast response.
  private typealias Match = (record: ResourceRecord, wantsUnicast: Bool)

  /// Our records that answer questions, each once, or a denial if only we own the name (§6, §6.1).
  ///
  /// A packet can have a thousand equal questions, which together cost the same as one.
  private func ourAnswers(to query: DNSMessage) -> [Match] {
    let (own, denials) = (records.all, records.denials)
    var wantsUnicast: [Bool?] = Array(repeating: nil, count: own.count + denials.count)
    for question in query.questions {
      var found = own.indices.filter { question.accepts(own[$0]) }
      if found.isEmpty {
        found = denials.indices.filter { question.isDenied(by: denials[$0]) }.map { $0 + own.count }
      }
      for index in found { wantsUnicast[index] = (wantsUnicast[index] ?? true) && question.wantsUnicast }
    }
    return zip(own + denials, wantsUnicast).compactMap { record, unicast in unicast.map { (record, $0) } }
  }

  /// Whether a record was multicast after the same query arrived over the other family.
  private func isAnswered(_ record: ResourceRecord, since first: Duration?) -> Bool {
    guard let first, let last = lastSent[record] else { return false }
    return last >= first
  }

  /// Whether the querier has a record with at least half of its life left (§7.1).
  private static func isKnown(_ record: ResourceRecord, _ known: [ResourceRecord]) -> Bool {
    known.contains { $0.isSame(as: record) && $0.ttl >= record.ttl / 2 }
  }

  /// Decides when and to whom each answer is sent (§5.4, §6); unicast is only for addresses of the link.
  private mutating func schedule(
    _ matches: [Match], of query: DNSMessage, from origin: Origin, at now: Duration
  ) -> [Pending] {
    let isProbe = !query.authorities.isEmpty
    let isShared = matches.contains { !$0.record.isUnique }
    let delay = isShared ? Duration.milliseconds(Int.random(in: 20...120, using: &random)) : .zero
    return matches.map { record, wantsUnicast in
      let last = lastSent[record]
      let isRecent = last.map { now - $0 < .seconds(Int64(record.ttl)) / 4 } ?? false
      if wantsUnicast && isRecent && origin.isOnLink || !origin.isMulticast {
        return Pending(
          record: record, due: now + delay, querier: Querier(address: origin.address, port: origin.port))
      }
      // A record is not multicast again within a second, or within 250 ms to defend a name.
      let pause = Duration.milliseconds(isProbe ? 250 : 1_000)
      return Pending(record: record, due: max(now + delay, (last ?? now - pause) + pause), querier: nil)
    }
  }

  mutating func add(_ answer: Pending) {
    guard
      let index = pending.firstIndex(where: { $0.record == answer.record && $0.querier == answer.querier })
    else {
      // Limit the answers that wait, because there may be a flood of queriers.
      if pending.count < 1_024 { pending.append(answer) }
      return
    }
    pending[index].due = min(pending[index].due, answer.due)
  }

  /// Delays the answers, because further packets contain the rest of the query's known answers (§7.2).
  private mutating func wait(for querier: Querier, _ answers: [Pending], at now: Duration) {
    // Only a limited number of unfinished queries is answered.
    guard unfinished.count < 64 else { return }
    let due = now + .milliseconds(Int.random(in: 400...500, using: &random))
    unfinished.append(Unfinished(querier: querier, since: now, due: due, answers: answers))
  }

  /// Adds more known answers of a query that was cut (§7.2).
  private mutating func learn(_ query: DNSMessage, from querier: Querier, at now: Duration) {
    for index in unfinished.indices where unfinished[index].querier == querier {
      unfinished[index].answers.removeAll { Self.isKnown($0.record, query.answers) }
      if query.isTruncated {
        unfinished[index].due = now + .milliseconds(Int.random(in: 400...500, using: &random))
      }
    }
  }

  /// Answers like a DNS server: to the querier, with its question and identifier, and short lives (§6.7).
  private func legacyAnswer(to query: DNSMessage, _ querier: Querier) -> [(Querier?, DNSMessage)] {
    var query = query
    // The questions are sent back, and a thousand questions would need several packets.
    query.questions = Array(query.questions.prefix(8))
    let answers = ourAnswers(to: query).map(\.record).filter { !Self.isKnown($0, query.answers) }
    guard !answers.isEmpty else { return [] }
    let brief = { (records: [ResourceRecord]) in records.map { $0.withoutFlush.with(ttl: min($0.ttl, 10)) } }
    var message = DNSMessage.response(brief(answers), additionals: brief(records.additionals(to: answers)))
    message.id = query.id
    message.questions = query.questions
    for index in message.questions.indices { message.questions[index].wantsUnicast = false }
    return [(querier, message)]
  }
}

extension Question {
  /// Whether `denial` answers the question if other records do not; it lists the types that exist for its
  /// name.
  fileprivate func isDenied(by denial: ResourceRecord) -> Bool {
    name == denial.name && (questionClass == 1 || questionClass == 255)
  }
}

/// Recognizes queries that a host sends over both address families (RFC 6762 §20).
///
/// Multicast responses are also sent over both families, so the answer to the first copy is enough. An answer
/// to the second copy would repeat each of our unique records a second later.
struct QueryCopies: Sendable {
  private struct Copy: Sendable {
    var query: DNSMessage
    var isV6: Bool
    var arrival: Duration
  }

  private var copies: [Copy] = []
  /// The longest time between the two copies, which are sent together.
  private static let longestGap = Duration.milliseconds(500)
  /// The number of queries to remember; further queries of a flood are answered twice.
  private static let limit = 16

  init() {}

  /// The time when the copy over the other family arrived; nil if this may be the first copy.
  mutating func arrival(ofCopy query: DNSMessage, from address: IPAddress, at now: Duration) -> Duration? {
    let isV6 = if case .v6 = address { true } else { false }
    copies.removeAll { now - $0.arrival > Self.longestGap }
    if let copy = copies.first(where: { $0.isV6 != isV6 && $0.query == query }) { return copy.arrival }
    if copies.count < Self.limit { copies.append(Copy(query: query, isV6: isV6, arrival: now)) }
    return nil
  }
}
