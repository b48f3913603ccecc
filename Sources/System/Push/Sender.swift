import Chores
package import JSONLines
package import SyncCore
import SystemIO

/// Sends the due pushes of an outbox, and waits for further ones that are due before the deadline.
///
/// Only one process at a time may send from the outbox. If the process ends while pushes are in flight, the
/// next run sends them again, under the same id. Answers are stored before the next answers are awaited, and
/// reported after that. Only the line about a gone device is written earlier, because writing it twice is
/// harmless. Gone devices are removed at the end of the run, unless they are implausibly many. A run that
/// ends early, for example at the deadline, still waits for pushes in flight.
package final class Sender {
  private let outbox: Outbox
  private let channel: any PushChannel
  private let target: Outbox.Target
  private let retries: RetryRules
  private let clock: () -> Instant
  /// The time, on the monotonic clock, after which pushes are not started.
  private let deadline: Duration
  private let tell: (JSONValue) throws -> Void
  private var queue: ArraySlice<PushJob> = []
  private var inFlight = 0
  /// Whether an answer has shown that the service accepts our pushes; until then they are sent one by one.
  private var isTrusted = false
  /// Whether the run no longer starts pushes.
  private var isStopping = false
  private var gone = GoneDevices()
  /// The ends of the pauses for which pushes wait.
  private var pauseEnds: Set<Instant> = []
  /// Pushes with a delivery that has expired, which are reported at the end of the push.
  private var expiring: [UUIDValue: PushJob] = [:]
  /// The error that stopped the reports.
  private var outputError: (any Error)?
  package private(set) var summary = SendSummary()

  /// The maximum number of deliveries that are claimed from the outbox at a time.
  private static let batch = 1_000

  /// `tell` receives the lines to write.
  package init(
    _ outbox: Outbox, over channel: any PushChannel, to target: Outbox.Target, retries: RetryRules,
    deadline: Duration, clock: @escaping () -> Instant, tell: @escaping (JSONValue) throws -> Void
  ) {
    (self.outbox, self.channel, self.target, self.retries) = (outbox, channel, target, retries)
    (self.deadline, self.clock, self.tell) = (deadline, clock, tell)
  }

  /// Runs until a signal, the deadline, or the last due push; an error of `tell` is thrown at the end.
  package func run() throws {
    try recover()
    while true {
      if Interruption.pending != nil || SystemClock.monotonic() >= deadline { isStopping = true }
      if !isStopping { try start() }
      if inFlight > 0 {
        try record(channel.answers(within: .milliseconds(200)))
      } else if isStopping {
        break
      } else if try !waitForNext() {
        break
      }
    }
    try settleGone()
    try recover()
    for job in expiring.values.sorted(by: { $0.number < $1.number }) where try outbox.hasExpired(job.number) {
      report(expired: job.notification)
    }
    if let outputError { throw outputError }
    (summary.waiting, summary.left) = (try outbox.waiting(), try outbox.unsettled(target, at: clock()))
    // A stopped run counts unclaimed deliveries as left. In any other run they are not counted, because they
    // were added after its start.
    if isStopping { summary.left += try outbox.unclaimed(target, at: clock()) }
  }

  /// Sets pushes in flight back to waiting, and reports the deliveries whose devices were removed.
  private func recover() throws {
    for job in try outbox.write({ try outbox.recover() }) { report(dropped: job) }
  }

  // MARK: Starting

  private func start() throws {
    var hasPutBack = false
    while !isStopping, channel.room > 0, isTrusted || inFlight == 0 {
      if queue.isEmpty {
        // Claiming would return the deliveries that were put back, while other deliveries of the same pushes are in
        // flight.
        if hasPutBack { return }
        try refill()
      }
      guard let job = queue.popFirst() else { return }
      // The job stays in flight until the end of the run, like the push that was answered.
      if gone.contains(job.device) { continue }
      guard try outbox.isDue(job) else {
        try drop(job)
        continue
      }
      // Pushes that were claimed together may be started much later.
      let now = clock()
      guard job.notification.expires > now else {
        try outbox.write { try outbox.expire(job) }
        // Another device may still receive the push.
        expiring[job.notification.id] = job
        continue
      }
      if job.notification.pauseEnd(at: now) != nil {
        try outbox.write { try outbox.putBack(job) }
        hasPutBack = true
        continue
      }
      guard let answer = Self.refusal(of: job, target) else {
        try channel.start(job)
        inFlight += 1
        continue
      }
      inFlight += 1
      try record([(job, answer)])
    }
  }

  private func refill() throws {
    let now = clock()
    let claim = try outbox.claim(target, now: now, limit: Self.batch)
    pauseEnds = pauseEnds.filter { $0 > now }.union(claim.pauseEnds)
    for notification in claim.expired {
      expiring[notification.id] = nil
      report(expired: notification)
    }
    for (notification, into) in claim.merged {
      summary.merged += 1
      write(SendLines.ended(notification, "merged", into: into))
    }
    queue = claim.jobs[...]
  }

  private func report(expired notification: Notification) {
    summary.expired += 1
    write(SendLines.ended(notification, "expired"))
  }

  /// Ends a delivery to a device that was removed, or given to another member, after it was claimed.
  private func drop(_ job: PushJob) throws {
    try outbox.write { try outbox.drop(job) }
    report(dropped: job)
  }

  private func report(dropped job: PushJob) {
    summary.count(.pruned)
    write(SendLines.dropped(job))
  }

  /// The refusal of a push that the service would not accept; nil if the push can be sent.
  private static func refusal(of job: PushJob, _ target: Outbox.Target) -> PushAnswer? {
    guard case .devices = target else { return nil }
    do throws(NotificationError) {
      try PushRequest.check(job.notification)
      return nil
    } catch {
      return PushAnswer(.failed, reason: error.code.rawValue)
    }
  }

  /// Waits for the next attempt or the end of a pause; false if that time is after the deadline.
  private func waitForNext() throws -> Bool {
    let attempt = try outbox.nextAttempt(target)
    guard let next = [attempt, pauseEnds.min()].compactMap(\.self).min() else { return false }
    let wait = next.seconds(since: clock())
    let time = SystemClock.monotonic() + .milliseconds(Int64(max(wait, 0) * 1_000) + 1)
    guard time < deadline else { return false }
    var watch = PollSet()
    watch.addInterruption()
    watch.wait(until: time)
    return true
  }

  // MARK: Answers

  private func record(_ answers: [(job: PushJob, answer: PushAnswer)]) throws {
    guard !answers.isEmpty else { return }
    inFlight -= answers.count
    var lines: [JSONValue] = []
    try outbox.write {
      for (job, answer) in answers {
        if let line = try record(job, answer) { lines.append(line) }
      }
    }
    for line in lines { write(line) }
  }

  private func write(_ line: JSONValue) {
    guard outputError == nil else { return }
    do { try tell(line) } catch { (outputError, isStopping) = (error, true) }
  }

  /// Stores one answer and returns the line to report.
  private func record(_ job: PushJob, _ answer: PushAnswer) throws -> JSONValue? {
    isTrusted = answer.verdict.showsTrust || isTrusted && !answer.verdict.isAgain
    if answer.verdict.showsTrust || answer.verdict == .failed { gone.count(job) }
    switch answer.verdict {
    case .sent: return try end(job, answer, .sent)
    case .failed: return try end(job, answer, .failed)
    case .gone(let since): return try record(job, answer, goneSince: since)
    case .again(let seconds):
      let wait = retries.wait(after: job.attempts + 1, of: job.apnsID, atLeast: seconds)
      return try end(job, answer, .retry, next: clock().advanced(by: wait).inMilliseconds)
    case .tokenExpired where try channel.renewToken(of: job):
      try outbox.putBack(job)
      return nil
    case .tokenExpired, .refused:
      isStopping = true
      summary.refusal = SendSummary.Refusal(
        reason: answer.reason ?? "status \(answer.status ?? 0)",
        cause: answer.status == nil ? .stranger : .answer)
      // Without an answer the service may not have received the push, so it is retried.
      return try end(job, answer, answer.status == nil ? .retry : .failed)
    }
  }

  // MARK: Devices that are gone

  private func record(_ job: PushJob, _ answer: PushAnswer, goneSince moment: Instant?) throws -> JSONValue? {
    // The device was removed or now belongs to another member, so the answer no longer applies.
    guard try outbox.isDue(job) else { return try end(job, answer, .pruned) }
    let added = try outbox.added(job.device)
    // The device was registered again after that time, so it exists.
    if let moment, let added, added.seconds > moment.seconds { return try end(job, answer, .failed) }
    gone.add(job, answer, added: added)
    // Too many devices are gone, even if all others exist.
    if gone.areTooMany(of: try outbox.deviceCount()) { isStopping = true }
    return nil
  }

  /// Removes the gone devices; if they are too many, keeps them and retries their deliveries later.
  private func settleGone() throws {
    guard gone.count > 0 else { return }
    if gone.areTooMany {
      let reason = "the service reports \(gone.count) of \(gone.answeredCount) devices as gone"
      summary.refusal = summary.refusal ?? SendSummary.Refusal(reason: reason, cause: .devices)
    }
    var lines: [JSONValue] = []
    try outbox.write {
      for (job, answer, added) in gone.answers {
        if gone.areTooMany {
          lines.append(try end(job, answer, .retry))
        } else if let line = try prune(job, answer, added: added) {
          lines.append(line)
        }
      }
    }
    for line in lines { write(line) }
  }

  /// Removes a device after reporting it; if reporting fails, the next run gets the same answer again.
  private func prune(_ job: PushJob, _ answer: PushAnswer, added: Instant?) throws -> JSONValue? {
    // A device that was removed for an earlier push, or by another process, is not reported again.
    if let token = DeviceToken(job.device), try outbox.isDue(job) {
      // The device was registered again after the answer, so it exists.
      guard try outbox.added(job.device) == added else {
        try outbox.putBack(job)
        return nil
      }
      write(SendLines.prune(token, of: job.notification.recipient, added: added, answer.reason))
      guard outputError == nil else {
        try outbox.putBack(job)
        return nil
      }
      try outbox.forget(token)
    }
    return try end(job, answer, .pruned)
  }

  private func end(
    _ job: PushJob, _ answer: PushAnswer, _ outcome: DeliveryOutcome, next: Instant? = nil
  ) throws -> JSONValue {
    try outbox.record(job, answer, outcome, next: next)
    summary.count(outcome)
    return SendLines.result(job, answer, outcome, next: next)
  }
}

extension PushAnswer.Verdict {
  fileprivate var isAgain: Bool {
    if case .again = self { true } else { false }
  }

  /// Whether the answer shows that the key and the topic are correct, because the service has checked the
  /// push itself.
  fileprivate var showsTrust: Bool {
    switch self {
    case .sent, .gone: true
    default: false
    }
  }
}

extension Instant {
  /// The seconds since `other`; negative if `other` is later.
  fileprivate func seconds(since other: Instant) -> Double {
    Double(seconds - other.seconds) + Double(nanoseconds - other.nanoseconds) / 1e9
  }
}
