import CommandLine
import JSONLines
import Links
import Remotes
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

/// Visits that are repeated whenever the store, a folder or a server has changed.
final class RemoteWatch: FollowCompanion {
  /// A remote and its state.
  private struct Target {
    var record: RemoteRecord
    /// The state of the store and the remote before the last visit.
    var seen = ""
    /// The listing of a folder, or the number of changes that the server has announced.
    var listing = ""
    var news = 0
    /// When to read a collection again, as collections do not announce changes.
    var look = RemoteWatch.never
    /// The long poll at the server.
    var wait: BackgroundCall<Bool>?
    /// When the last long poll began, and when to begin the next one after an answer without news.
    var lastWait = Duration.zero
    var nextWait = RemoteWatch.never
    /// When to retry a failed visit without a change.
    var retry = RemoteWatch.never
    /// The time before which the remote must not be visited, even with changes.
    var rest = Duration.zero
    /// The pause after the last attempt.
    var pause = RemoteWatch.pauses.lowerBound
    var isGivenUp = false

    func state(_ sequence: String) -> String { "\(sequence) \(news) \(listing)" }

    mutating func giveUp() { (isGivenUp, wait, nextWait) = (true, nil, RemoteWatch.never) }
  }

  private let visits: RemoteVisits
  private let console: Console
  private let report: (_ session: SessionReport, _ isFinal: Bool) -> Void
  private var targets: [Target]
  /// The store's token after its last change; empty if the store cannot be read.
  private var sequence = ""
  private var outlook = ChangeOutlook()
  /// When folders are inspected.
  private var next = Duration.zero

  /// `report` is called after each visit; `isFinal` means that it was the last.
  init(
    _ visits: RemoteVisits, on console: Console, report: @escaping (SessionReport, Bool) -> Void
  ) {
    (self.visits, self.console, self.report) = (visits, console, report)
    targets = visits.records.map { Target(record: $0) }
  }

  /// The interval for polling folders, because a folder on a network drive does not report changes.
  private static let interval = Duration.seconds(1)
  /// The interval for reading collections, each read of which costs money.
  private static let collectionInterval = Duration.seconds(60)
  /// The first and the longest pause after a failed visit; each pause is twice the previous one.
  private static let pauses = Duration.seconds(1)...(.seconds(30))
  /// The shortest time between two long polls at one server, because devices with the same key may end each
  /// other's polls.
  private static let waitInterval = Duration.seconds(1)
  private static let never = Duration.seconds(1 << 40)

  func watch(_ polls: inout PollSet) {
    if let alarm = outlook.alarm { polls.add(alarm, reading: true) }
    for target in targets { target.wait?.watch(&polls) }
  }

  func tend(at now: Duration) -> Duration? {
    if next <= now {
      outlook.watch(true, visits.settings.store.path, at: now)
      for index in targets.indices { targets[index].listing = listing(targets[index].record) }
      next = now + Self.interval
    }
    if outlook.isTimeToLook(at: now) {
      lookAtStore()
      outlook.next(at: now)
    }
    for index in targets.indices where !targets[index].isGivenUp {
      hear(&targets[index], at: now)
      let target = targets[index]
      if now < target.rest { continue }
      if target.state(sequence) != target.seen || min(target.retry, target.look) <= now { visit(index) }
    }
    guard targets.contains(where: { !$0.isGivenUp }) else { return nil }
    return ([next, outlook.nextLook ?? next] + targets.map { $0.nextWait }).min()
  }

  private func visit(_ index: Int) {
    let record = targets[index].record
    if (try? visits.isListed(record)) == false {
      targets[index].giveUp()
      console.note("'\(record.url.escapingControls)' is no longer a remote of this device")
      return
    }
    // Changes that arrive during a visit, or that the visit writes, lead to another visit.
    targets[index].seen = targets[index].state(sequence)
    let session = visits.visit(record, on: console)
    // Another store or folder than before may have answered.
    targets[index].record.id = session.peer.peerId
    let isSettled = listen(index, after: session) && session.awaited.isEmpty
    let (pause, end) = (targets[index].pause, SystemClock.monotonic())
    let requested = end + (session.trouble?.retryAfter ?? .zero)
    let retry = isSettled ? Self.never : max(end + pause, requested)
    let hasFailed = session.trouble.map { !$0.isPartial } ?? false
    targets[index].retry = retry
    // A visit to a server that does not answer delays all peers of the run; one to a folder does not.
    targets[index].rest = hasFailed && record.folder == nil ? retry : requested
    targets[index].pause = isSettled ? Self.pauses.lowerBound : min(pause * 2, Self.pauses.upperBound)
    if session.trouble?.needsPerson == true { targets[index].giveUp() }
    report(session, targets[index].isGivenUp)
    lookAtStore()
    targets[index].listing = listing(record)
    if record.collectionPath != nil {
      targets[index].look = SystemClock.monotonic() + Self.collectionInterval
    }
  }

  /// Waits at a server after a good session; false if the session failed, or if the wait could not begin.
  ///
  /// A run that only sends does not wait: it never reads the changes that the server would announce.
  private func listen(_ index: Int, after session: SessionReport) -> Bool {
    guard session.trouble == nil else { return false }
    let record = targets[index].record
    let hasNews = record.collectionPath == nil && record.folder == nil && visits.settings.direction != .push
    guard hasNews else { return true }
    if targets[index].wait == nil { beginWait(&targets[index]) }
    return targets[index].wait != nil
  }

  private func beginWait(_ target: inout Target) {
    (target.lastWait, target.nextWait) = (SystemClock.monotonic(), Self.never)
    target.wait = visits.wait(for: target.record)
  }

  private func lookAtStore() { sequence = (try? visits.store.current().currentToken().text) ?? "" }

  private func listing(_ record: RemoteRecord) -> String {
    record.folder.flatMap { try? SharedFolder($0).listing() } ?? ""
  }

  /// Handles a server's announcement; a wait without an announcement is repeated.
  private func hear(_ target: inout Target, at now: Duration) {
    switch target.wait?.outcome {
    case nil: break
    case .success(false):
      target.wait = nil
      target.nextWait = target.lastWait + Self.waitInterval
    case .success(true):
      target.wait = nil
      target.news += 1
    // The visit reports errors, and is repeated until it succeeds.
    case .failure(let error):
      target.wait = nil
      target.news += 1
      let requested = SystemClock.monotonic() + ((error as? Diagnostic)?.retryAfter ?? .zero)
      target.rest = max(target.rest, requested, target.lastWait + Self.waitInterval)
    }
    guard target.nextWait <= now else { return }
    beginWait(&target)
    // The visit reports why it cannot wait.
    if target.wait == nil { target.news += 1 }
  }
}

extension Diagnostic {
  /// Whether a retry cannot help: the remote refuses, or merges by other rules.
  ///
  /// The permissions of a key file may be corrected while the run continues. A server's certificate may be
  /// trusted later, for example after a sign-in to the network, or when the clock is set.
  fileprivate var needsPerson: Bool {
    ![.looseSecretFile, .untrustedPeer].contains(code) && [.refused, .configuration].contains(exit)
  }

  /// Whether the session has reached its end, and only some changes were left out.
  fileprivate var isPartial: Bool { [.quarantined, .partialRun].contains(code) }
}
