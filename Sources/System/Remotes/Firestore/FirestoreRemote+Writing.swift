import JSONLines
import Store
package import SyncCore
import SystemIO

extension FirestoreRemote {
  /// The limit for one commit, which the service restricts to 10 MiB.
  private static let documentsAtOnce = 200
  private static let bytesAtOnce = 4 << 20
  /// The maximum number of attempts of a commit; before each, documents that others have written are read
  /// again.
  private static let attempts = 8

  package mutating func apply(_ page: ReceivedPage, fromPeer peer: String) throws -> ApplyAnswer {
    if isDryRun { return .applied(quarantined: 0, isIdle: true) }
    var outgoing: [DocumentForm.Outgoing] = []
    unwrittenKeys = []
    for line in page.lines.split(separator: 10) { try add(Array(line), to: &outgoing) }
    let keys = unwrittenKeys.union(outgoing.map(\.key))
    if !page.hasMore { try addUnsent(to: &outgoing) }
    if page.mode != .merge, !page.hasMore {
      guard let forgotten = try forgotten() else { return .refused }
      outgoing = forgotten + outgoing
    }
    let isIdle = page.lines.isEmpty && outgoing.isEmpty
    var token = page.token
    // The previous place stays valid until the end of a complete answer.
    if page.token.isEmpty || page.mode != .merge && page.hasMore { token = [] }
    if try checkpoint(onPeer: peer) == token { token = [] }
    var start = 0
    repeat {
      var end = start
      var bytes = 0
      while end < outgoing.count, end - start < Self.documentsAtOnce, end == start || bytes < Self.bytesAtOnce
      {
        bytes += outgoing[end].text.count
        end += 1
      }
      try write(outgoing[start..<end], end == outgoing.count ? token : [])
      start = end
    } while start < outgoing.count
    unwritten += unwrittenKeys.intersection(keys).count
    return .applied(quarantined: 0, isIdle: isIdle)
  }

  private mutating func add(_ line: [UInt8], to outgoing: inout [DocumentForm.Outgoing]) throws {
    do {
      if let change = try form.outgoing(line) { outgoing.append(change) } else { others += 1 }
    } catch let problem as DocumentProblem {
      // A deletion is not needed in the collection if the record could never be written to it.
      if let (key, isTombstone) = form.key(ofLine: line) {
        try note([key: isTombstone ? nil : problem.message] as [[UInt8]: String?])
      }
    }
  }

  /// Adds records that could not be written before, because they or the service may have changed.
  private mutating func addUnsent(to outgoing: inout [DocumentForm.Outgoing]) throws {
    guard let peer = try peer() else { return }
    let keys = Set(outgoing.map(\.key))
    // The order is random, so that every record gets a turn over several runs.
    for entry in try store.unsent(to: peer, limit: 1_000, inAnyOrder: true)
    where !keys.contains(entry.key) {
      if let line = try store.line(of: entry.key) as [UInt8]? { try add(line, to: &outgoing) }
    }
  }

  // MARK: Commits

  /// Writes changes, and with the last ones the checkpoint, unless its token is empty.
  private mutating func write(_ changes: ArraySlice<DocumentForm.Outgoing>, _ token: [UInt8]) throws {
    guard !changes.isEmpty || !token.isEmpty else { return }
    for attempt in 0..<Self.attempts {
      if Interruption.pending != nil { throw SystemError.interrupted }
      var plan = try plan(changes)
      plan.writes += plan.removals.map(\.write)
      let count = plan.writes.count
      // Write the checkpoint only together with the end of the page.
      if !token.isEmpty, !plan.hasNews { plan.writes.append(checkpointWrite(token)) }
      let own = count == 0 ? nil : try newAgreement()
      if let own { plan.writes.append(agreementWrite(own)) }
      // Keep overwritten versions before the commit, so that a killed process does not lose one.
      try keepOverwritten(plan)
      switch plan.writes.isEmpty ? .done([]) : try client.commit(plan.writes) {
      case .done(let times):
        lastWriting = nil
        for (index, (id, document)) in plan.written.enumerated() {
          var document = document
          document?.updated = (index < times.count ? times[index] : nil) ?? ""
          plan.noted[DocumentID(id)] = .some(document)
        }
        let removals = plan.removals.indices.map { index in
          var removal = plan.removals[index].removal
          let place = plan.written.count + index
          removal.updated = (place < times.count ? times[place] : nil) ?? ""
          return removal
        }
        try note(plan.noted, removals + plan.unmarked)
        try note(plan.problems)
        try restamp(plan)
        if let own { agreement = own }
        if plan.hasNews { throw News() }
        if !token.isEmpty { noteWritten(token) }
        return
      case .overtaken:
        if own != nil { try agree() }
        try rest(attempt)
      case .invalid(let reason):
        if changes.count > 1 {
          let middle = changes.startIndex + changes.count / 2
          try write(changes[..<middle], [])
          return try write(changes[middle...], token)
        }
        guard let key = plan.keys.first else {
          throw Diagnostic(.peerError, "Firestore refuses the checkpoint: \(reason)")
        }
        plan.problems[key] = .some("Firestore answers: \(reason)")
        try note(plan.noted)
        try note(plan.problems)
        return try write(changes[changes.endIndex...], token)
      }
    }
    throw Diagnostic(.peerBusy, "other devices keep writing the same documents")
  }

  private func keepOverwritten(_ plan: Plan) throws {
    guard !plan.overwritten.isEmpty else { return }
    try store.write {
      let peer = try store.peer(seen: id, now: now())
      for (key, line, winner) in plan.overwritten {
        try store.keepOverwritten(key, line, by: winner, peer: peer)
      }
    }
  }

  private func restamp(_ plan: Plan) throws {
    guard !plan.restamped.isEmpty else { return }
    try store.write {
      for (before, after) in plan.restamped {
        guard let clock = after.change.clock else { continue }
        try store.restamp(before.key, before.text, as: after.text, clock: clock)
      }
    }
  }

  /// Waits longer after each attempt; the time is random, so that stores do not retry at the same time.
  private func rest(_ attempt: Int) throws {
    var polls = PollSet()
    polls.addInterruption()
    let most = min(20 << attempt, 2_000)
    polls.wait(until: SystemClock.monotonic() + .milliseconds(Int.random(in: most / 2...most)))
    if Interruption.pending != nil { throw SystemError.interrupted }
  }

  private mutating func note(_ problems: [[UInt8]: String?]) throws {
    guard !problems.isEmpty else { return }
    for (key, problem) in problems where problem != nil { unwrittenKeys.insert(key) }
    try store.write {
      let peer = try store.peer(seen: id, now: now())
      for (key, problem) in problems { try store.note(problem, of: key, for: peer) }
    }
  }

  // MARK: Deletions that only documents reveal

  /// Deletions made so long ago that the store no longer has them, but still remembers the documents of the
  /// records.
  ///
  /// The result is nil if their number exceeds the limit.
  private mutating func forgotten() throws -> [DocumentForm.Outgoing]? {
    guard let peer = try peer() else { return [] }
    let gone = try store.forgottenDocuments(of: peer)
    guard try deleteLimit.allows(gone.count, of: store.documentCount(of: peer)) else { return nil }
    return try gone.compactMap { try form.deletion(of: $0, at: now()) }
  }
}
