import JSONLines
import SyncCore

/// The end of a story: with right clocks, all devices sync until they do not change any more.
extension Simulation {
  /// The number of rounds after which all devices must agree, including repairs.
  private var roundLimit: Int { 3 * story.devices + 6 }

  mutating func settle() throws(SimulationFailure) {
    for device in devices.indices {
      (devices[device].hasJoined, devices[device].ahead, devices[device].downUntil) = (true, 0, 0)
    }
    time = max(time, latestClock(), lastPartitionEnd) + 3_600_000
    note("all settle")
    try agreeOnRules()
    let expected = try expectedLines()
    var rounds = 0
    while try round() {
      rounds += 1
      if rounds > roundLimit {
        throw SimulationFailure(.endless, "still new changes after \(rounds) rounds")
      }
    }
    counts[.settlingRounds] += rounds
    try check(expected)
    try checkIdleness()
    try checkTombstones()
    try compactAll()
    if try round() { throw SimulationFailure(.echo, "compaction makes changes circulate again") }
    try check(expected)
  }

  /// Runs a session between each connected pair; returns whether a store changed.
  private mutating func round() throws(SimulationFailure) -> Bool {
    let before = (try sequences(), lostTokens)
    let first = sessions.count
    for (from, to) in story.links.pairs(story.devices) {
      counts[.settlingSessions] += 1
      // The sides take turns in connecting.
      var plan = SessionPlan(from: from, to: to)
      if (story.seed &+ UInt64(sessions.count)).isMultiple(of: 2) { (plan.from, plan.to) = (to, from) }
      plan.network.seed = UInt64(sessions.count)
      try connect(plan)
      try runQueue()
    }
    let ended = sessions[first...].allSatisfy { session in
      session.sides.allSatisfy { $0.end?.status == 0 }
    }
    return try (sequences(), lostTokens) != before || sessions[first...].contains { $0.changes > 0 } || !ended
  }

  /// The number of repaired tokens; a repair takes messages, even without new changes.
  private var lostTokens: Int { counts[.foreignTokens] + counts[.expiredTokens] }

  private mutating func sequences() throws(SimulationFailure) -> [Int64] {
    var sequences: [Int64] = []
    for device in devices.indices {
      sequences.append(try use(device) { store throws(Store.Failure) in try store.lastSequence() })
    }
    return sequences
  }

  /// A clock later than every written clock, for the drift guard to accept all of them.
  private func latestClock() -> Int {
    var reader = reader
    let latest = written.compactMap { reader.change($0.span).clock?.seconds }.max() ?? 0
    return Int(latest - Story.beginning.seconds) * 1_000
  }

  private var lastPartitionEnd: Int {
    story.steps.map { step in
      if case .partition(_, let lasting) = step.action { step.at + lasting } else { 0 }
    }.max() ?? 0
  }

  private mutating func compactAll() throws(SimulationFailure) {
    for device in devices.indices {
      try use(device) { store throws(Store.Failure) in try store.compact() }
    }
  }
}
