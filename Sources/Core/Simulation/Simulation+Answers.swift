import JSONLines
import SyncCore

/// Checks that a device that lost records, or did not have records, has all of them after an answer.
extension Simulation {
  /// Remembers a store's records when it sends the last page of a complete answer, or of an answer to a
  /// restored device.
  mutating func notePage(
    _ page: StorePage, to request: PageRequest, _ session: Int, _ side: Int
  ) throws(SimulationFailure) {
    let isComplete =
      request.since == nil || request.since == sessions[session].sides[side].completeUpTo
    sessions[session].sides[side].completeUpTo = isComplete ? page.token : nil
    let requester = sessions[session].sides[1 - side].device
    guard isComplete || devices[requester].wasRestored, !page.hasMore else { return }
    let giver = sessions[session].sides[side].device
    // The waiting lines may contain records that the receiver has deleted and forgotten since then.
    let waiting = Set(
      try use(giver) { store throws(Store.Failure) in try store.waitingLines() }.map {
        reader.key(of: $0.span)
      })
    sessions[session].promise = try lines(giver).filter { !waiting.contains(reader.key(of: $0.span)) }
    sessions[session].promisedUpTo = page.token
  }

  /// Checks that the receiver has all of the other side's records, or lines that win over them.
  ///
  /// The receiver will continue from the end of the answer.
  mutating func checkPromise(_ page: ReceivedPage, _ session: Int, _ side: Int) throws(SimulationFailure) {
    guard page.token == sessions[session].promisedUpTo,
      sharedRules(session, 1 - side)?.mergeRules == mergeRules
    else { return }
    let device = sessions[session].sides[side].device
    sessions[session].promisedUpTo = nil
    counts[.checkedAnswers] += 1
    let (stored, pruned) = (byKey(try lines(device)), prunedKeys())
    let waiting = Set(try use(device) { store throws(Store.Failure) in try store.waitingLines() })
    for line in sessions[session].promise {
      let key = reader.key(of: line.span)
      guard !pruned.contains(key), !undecided.contains(key), !waiting.contains(line) else { continue }
      if isAsGood(stored[key], line) { continue }
      // The receiver had this deletion and has compacted it away. It has written the record since then. When
      // it sends that record, the record loses, and the receiver gets the deletion again.
      if dropped.contains(line), devices[device].known.contains(line) { continue }
      // A record that the former rules preferred is first sent to the other side, which then answers.
      if stored[key] != nil, devices[device].hasChangedRules { continue }
      throw difference(
        .incomplete, key, stored[key], "after an answer of a device that has \(shown(line))",
        device)
    }
  }

  private mutating func isAsGood(_ own: [UInt8]?, _ line: [UInt8]) -> Bool {
    guard let own else { return reader.change(line.span).isTombstone }
    if own == line { return true }
    return MergeOrder.compare(reader.change(own.span), own.span, reader.change(line.span), line.span).order
      >= 0
  }
}
