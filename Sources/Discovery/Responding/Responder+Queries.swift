import SystemIO

extension Responder {
  /// Takes a query in; what a legacy querier gets goes out at once, everything else when it is due.
  mutating func receive(query: DNSMessage, from origin: Origin, at now: Duration) -> [(Asker?, DNSMessage)] {
    let asker = Asker(address: origin.address, port: origin.port)
    if isProbing {
      settle(probe: query, at: now)
      return []
    }
    if query.questions.isEmpty {
      learn(query, from: asker, at: now)
      return []
    }
    let matches = query.questions.flatMap { question in ourAnswers(to: question).map { (question, $0) }
    }
    .filter { !Self.isKnown($0.1, query.answers) }
    if origin.port != MulticastDNS.port { return legacyAnswer(to: query, matches.map(\.1), asker) }
    guard !matches.isEmpty else { return [] }
    let answers = schedule(matches, of: query, from: origin, at: now)
    if query.isTruncated {
      unfinished.append(
        Unfinished(
          asker: asker, due: now + .milliseconds(Int.random(in: 400...500, using: &random)), answers: answers)
      )
    } else {
      answers.forEach { add($0) }
    }
    return []
  }

  /// Our records that answer a question, or that there are none where the name is ours alone (§6, §6.1).
  private func ourAnswers(to question: Question) -> [ResourceRecord] {
    let found = records.all.filter { question.accepts($0) }
    guard found.isEmpty else { return found }
    return records.denials.filter { $0.name == question.name && (question.questionClass & 0xFE) != 2 }
  }

  /// The asker has it, with at least half of its life before it (§7.1).
  private static func isKnown(_ record: ResourceRecord, _ known: [ResourceRecord]) -> Bool {
    known.contains { $0.isSame(as: record) && $0.ttl >= record.ttl / 2 }
  }

  /// When and to whom each answer goes (§5.4, §6).
  private mutating func schedule(
    _ matches: [(Question, ResourceRecord)], of query: DNSMessage, from origin: Origin, at now: Duration
  ) -> [Pending] {
    let isProbe = !query.authorities.isEmpty
    let isShared = matches.contains { !$0.1.isUnique }
    let delay = isShared ? Duration.milliseconds(Int.random(in: 20...120, using: &random)) : .zero
    return matches.map { question, record in
      let last = lastSent[record]
      let isRecent = last.map { now - $0 < .seconds(Int64(record.ttl)) / 4 } ?? false
      if question.wantsUnicast && isRecent || !origin.isMulticast {
        return Pending(
          record: record, due: now + delay, asker: Asker(address: origin.address, port: origin.port))
      }
      // A record is not multicast again within a second, but within 250 ms where a name has to be defended.
      let pause = Duration.milliseconds(isProbe ? 250 : 1_000)
      return Pending(record: record, due: max(now + delay, (last ?? now - pause) + pause), asker: nil)
    }
  }

  private mutating func add(_ answer: Pending) {
    guard let index = pending.firstIndex(where: { $0.record == answer.record && $0.asker == answer.asker })
    else {
      // A flood of askers gets what there is room for.
      if pending.count < 1_024 { pending.append(answer) }
      return
    }
    pending[index].due = min(pending[index].due, answer.due)
  }

  /// More known answers of a query that was cut (§7.2).
  private mutating func learn(_ query: DNSMessage, from asker: Asker, at now: Duration) {
    for index in unfinished.indices where unfinished[index].asker == asker {
      unfinished[index].answers.removeAll { Self.isKnown($0.record, query.answers) }
      if query.isTruncated {
        unfinished[index].due = now + .milliseconds(Int.random(in: 400...500, using: &random))
      }
    }
  }

  /// As a DNS server answers: to the asker, with its question and identifier, nothing for a cache to keep long (§6.7).
  private func legacyAnswer(
    to query: DNSMessage, _ answers: [ResourceRecord], _ asker: Asker
  ) -> [(Asker?, DNSMessage)] {
    guard !answers.isEmpty else { return [] }
    let brief = { (records: [ResourceRecord]) in records.map { $0.withoutFlush.with(ttl: min($0.ttl, 10)) } }
    var message = DNSMessage.response(brief(answers), additionals: brief(records.additionals(to: answers)))
    message.id = query.id
    message.questions = query.questions.map { question in
      var question = question
      question.wantsUnicast = false
      return question
    }
    return [(asker, message)]
  }
}
