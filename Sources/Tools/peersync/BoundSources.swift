import Bindings
import CommandLine
import CommonInputs
import JSONLines
import Sessions
import Store
import SyncCore
import SystemIO
import Tables
import RecordInputs

/// The files and tables that are synced with the store, and the work on them before and after a sync.
final class BoundSources {
  let settings: PeersyncTool.Settings
  private let store: OpenStore
  let output: RunOutput
  private let console: Console
  private var bindings: [Binding]
  /// The entities whose source could not be read; changes are written into a source only after it has been
  /// read.
  private var unread: Set<String> = []
  /// The last error of each source in reading and in writing, so that it is reported once.
  private var told: [SourceStep: Diagnostic] = [:]
  /// The faults of records that were not stored, and of records that were not written.
  private var (unstored, unwritten) = (RecordFaults(), RecordFaults())
  /// The reported members for which a source lacks a column.
  var toldHidden: [String: Set<String>] = [:]
  /// The status of the first failure.
  private(set) var trouble: ExitStatus?
  var isChanged = false
  private var unbound: UnboundRecords
  /// The databases in which edits were found while changes were written, as in `Binding.file`.
  var late: Set<[UInt8]> = []
  /// The entities for whose tables, with others of their database, the last delivery tried to write together.
  private var joined: Set<String> = []
  /// Whether the lock for the sources is held for all tables of a database.
  private var isLocked = false
  /// The messages that are written once a source and its lock are closed; nil while none is open.
  private var pending: [() -> Void]?
  // The following properties are for a run that continues.
  /// The stamp of each source before it was last read, so that all later writes are noticed, even our own.
  private var stamps: [String: SourceStamp] = [:]
  private var token = ""
  private var next = Duration.zero
  private var busy = BusySources()
  /// Whether to wait for sources that other processes keep busy.
  private var waits = true
  private var isEnding = false
  private static let interval = Duration.milliseconds(250)
  /// The pause between checks while no source is bound.
  private static let idleInterval = Duration.seconds(2)

  init(
    _ settings: PeersyncTool.Settings, _ store: OpenStore, _ output: RunOutput, on console: Console
  ) throws {
    (self.settings, self.store, self.output, self.console) = (settings, store, output, console)
    bindings = try store.current().bindings()
    unbound = try UnboundRecords(in: store.current())
  }

  /// Stores the edits of all sources.
  ///
  /// Without `waiting`, sources that other processes keep busy are left to ``tend(at:)``.
  func record(waiting: Bool = true) throws {
    waits = waiting
    try record { _ in true }
  }

  /// Stores the last edits and writes the last changes at the end of a run that continued.
  ///
  /// After a signal it does not wait for busy files, but it reports them.
  func finish() throws {
    (waits, isEnding) = (true, true)
    // A delivery that failed may have changed its table, so that table is read first.
    try record { binding in
      unread.contains(binding.entity)
        || SourceStep.all(of: binding.entity).contains { !$0.isReading && told[$0] != nil }
    }
    try deliver()
  }

  /// The status of the first fault that remains at the end; nil without one.
  var standingTrouble: ExitStatus? {
    for binding in bindings {
      let fault = SourceStep.all(of: binding.entity).compactMap { told[$0] }.first
      if let fault = fault ?? unstored.first[binding.entity] ?? unwritten.first[binding.entity] {
        return fault.exit
      }
    }
    return nil
  }

  /// Writes new changes of the store into all sources.
  ///
  /// A row that its table refuses may refer to rows of another table. So it is retried as long as fewer rows
  /// are refused, and then together with the rows that the other tables of the database refuse.
  func deliver() throws {
    var (left, before, refused, mayJoin) = (bindings, Int.max, [String: [Diagnostic]](), true)
    joined = []
    while true {
      for binding in left { refused[binding.entity] = try deliver(binding) }
      left = left.filter { refused[$0.entity]?.isEmpty == false }
      let count = left.reduce(0) { $0 + (refused[$1.entity]?.count ?? 0) }
      guard count > 0, bindings.count > 1 else { break }
      if count < before {
        mayJoin = true
      } else {
        // A row that a trigger removes may count as written, so this alone does not show progress.
        guard mayJoin, try deliverTogether(left) else { break }
        mayJoin = false
      }
      before = min(before, count)
    }
    for binding in bindings where refused[binding.entity] != nil && !joined.contains(binding.entity) {
      let step = SourceStep(entity: binding.entity, isReading: false, isTogether: true)
      busy.forget(step)
      told[step] = nil
    }
    // An edit found in one table may belong to edits of other tables, which must be sent together with it.
    let found = late
    late = []
    try record { found.contains($0.file) }
    for binding in bindings {
      guard let errors = refused[binding.entity] else { continue }
      for error in unwritten.reports(errors, of: binding.entity) { report(error) }
    }
    // This only writes a note, so it must not end the run if another process has locked the store.
    try? unbound.tell(store.current(), bindings, on: console)
    if settings.isDryRun, !bindings.isEmpty {
      console.note("a run without --dry-run also sends the recorded changes, and writes received changes")
    }
  }

  /// Stores the edits of some sources, and of all other tables of their databases.
  ///
  /// Returns whether there were such sources.
  @discardableResult private func record(where isMeant: (Binding) -> Bool) throws -> Bool {
    var (groups, isAny) = (Dictionary(grouping: bindings, by: \.file), false)
    for binding in bindings {
      guard let group = groups.removeValue(forKey: binding.file), group.contains(where: isMeant) else {
        continue
      }
      isAny = true
      try record(group)
    }
    return isAny
  }

  /// Stores the edits of all bindings of one source.
  private func record(_ group: [Binding]) throws { try holdingMessages { try recordTogether(group) } }

  private func recordTogether(_ group: [Binding]) throws {
    for binding in group {
      // A stamp must not be read while a connection is open.
      stamps[binding.entity] = SourceStamp(binding)
      unread.insert(binding.entity)
    }
    if group.count > 1, !settings.isDryRun {
      do {
        // Otherwise another process could wait for our connection, and we for its lock.
        let lock = try settings.store.bindLock(patience: patience)
        defer { withExtendedLifetime(lock) {} }
        isLocked = true
        defer { isLocked = false }
        return try record(group, SourceGroup(group, settings, isShared: true))
      } catch let error as SystemError where isEnding || !error.isInterruption {
        // The error is reported for each table below.
      }
    }
    try record(group, SourceGroup(group, settings, isShared: false))
  }

  private func record(_ bindings: [Binding], _ group: SourceGroup) throws {
    for binding in bindings { try record(binding, group) }
  }

  private func record(_ binding: Binding, _ group: SourceGroup) throws {
    try naming(binding, isReading: true) { store, binding in
      let exchange = try group.exchange(binding, patience)
      guard let recorded = try group.record(exchange, in: store, wait: patience) else { return }
      let intake = recorded.intake
      unread.remove(binding.entity)
      tell(binding, "recorded", intake.counts.stored)
      tell(binding, outdated: intake.outdated.count)
      tell(binding, setBack: intake.setBack)
      if recorded.unread > 0 { try tell(binding, unread: recorded.unread, clock: exchange.clock()) }
      let faults = intake.unstored.map { SourceCheck.fault($0, of: binding) }
      for fault in unstored.reports(faults, of: binding.entity) {
        if fault.code == .conflict { say { $0.note(fault.text) } } else { report(fault) }
      }
    }
  }

  /// Returns the errors of the rows that the source refused; nil if it could not be written to.
  private func deliver(_ binding: Binding) throws -> [Diagnostic]? {
    var refused: [Diagnostic]?
    guard !unread.contains(binding.entity), isDue(binding) else { return refused }
    try naming(binding, isReading: false) { store, binding in
      guard !settings.isDryRun else {
        return tell(
          binding, "written", try store.read { try store.arrivals(for: binding).arrivals.count })
      }
      let exchange = try BindingExchange(
        binding, besides: bindings, in: settings.store.path, wait: patience)
      let outcome = try exchange.deliver(from: store, settings.store.bounds)
      tell(binding, outcome)
      refused = outcome.refused
    }
    return refused
  }

  /// Writes changes that several tables of a database refuse in one transaction; false if none was written.
  ///
  /// Only tables that refer to each other in a circle need this.
  private func deliverTogether(_ bindings: [Binding]) throws -> Bool {
    var (groups, isAny) = (Dictionary(grouping: bindings.filter { $0.table != nil }, by: \.file), false)
    for binding in bindings {
      guard let group = groups.removeValue(forKey: binding.file), group.count > 1 else { continue }
      joined.insert(binding.entity)
      try naming(binding, isReading: false, isTogether: true) { store, _ in
        let bound = try store.bindings().filter { now in group.contains { now.isSame(as: $0) } }
        var exchanges: [BindingExchange] = []
        for binding in bound {
          exchanges.append(
            try BindingExchange(
              binding, besides: self.bindings, sharing: exchanges.first, in: settings.store.path,
              wait: patience))
        }
        let circles = try BindingExchange.inCircles(exchanges)
        guard circles.count > 1 else { return }
        let outcomes = try BindingExchange.deliver(together: circles, from: store, settings.store.bounds)
        for (exchange, outcome) in zip(circles, outcomes) {
          tell(exchange.binding, outcome)
          if outcome.written > 0 { isAny = true }
        }
      }
    }
    return isAny
  }

  /// Runs `body`, which opens sources and locks them, and writes its messages after that.
  ///
  /// Otherwise an app could not write to its database while a reader of our output is stuck.
  private func holdingMessages<Value>(_ body: () throws -> Value) rethrows -> Value {
    guard pending == nil else { return try body() }
    pending = []
    defer {
      let messages = pending ?? []
      pending = nil
      for message in messages { message() }
    }
    return try body()
  }

  /// Writes a message, or leaves it for the end of ``holdingMessages(_:)``.
  func say(_ message: @escaping (Console) -> Void) {
    let console = console
    if pending != nil { pending?.append { message(console) } } else { message(console) }
  }

  /// Reports an error of one source, and continues with the others.
  ///
  /// `body` gets the binding as it is in the store now; it is not called if the source is no longer bound.
  private func naming(
    _ binding: Binding, isReading: Bool, isTogether: Bool = false,
    _ body: (ChangeStore, Binding) throws -> Void
  ) throws {
    let step = SourceStep(entity: binding.entity, isReading: isReading, isTogether: isTogether)
    try holdingMessages { try namingAtOnce(binding, step, body) }
  }

  private func namingAtOnce(
    _ binding: Binding, _ step: SourceStep, _ body: (ChangeStore, Binding) throws -> Void
  ) throws {
    do {
      let lock = try settings.isDryRun || isLocked ? nil : settings.store.bindLock(patience: patience)
      defer { withExtendedLifetime(lock) {} }
      let store = try store.current()
      store.limitWait(to: patience)
      defer { store.limitWait(to: .zero) }
      guard let bound = try store.bindings().first(where: { $0.isSame(as: binding) }) else { return }
      try body(store, bound)
      busy.forget(step)
      if told.removeValue(forKey: step) != nil {
        say { $0.remark("\(binding.shownSource): \(step.isReading ? "read" : "written") again") }
      }
    } catch let error as SystemError where error.isInterruption {
      guard isEnding else { throw error }
      if told[step] != nil { return }
      tell(
        Diagnostic(
          .storeBusy,
          "not \(step.isReading ? "read" : "written") before the run ended: another process uses it",
          file: binding.source, hint: "the next run tries again"), of: step)
    } catch {
      tell(SourceCheck.diagnostic(error, of: binding, settings.store.path), of: step)
    }
  }

  private func tell(_ diagnostic: Diagnostic, of step: SourceStep) {
    guard isToReport(diagnostic, of: step) else { return }
    if told[step] != diagnostic { report(diagnostic) }
    told[step] = diagnostic
  }

  /// Whether to report an error now; a busy source is retried later, and reported only if that takes long.
  private func isToReport(_ error: Diagnostic, of step: SourceStep) -> Bool {
    guard error.code.isRetryable else {
      busy.forget(step)
      return true
    }
    // Without a stamp, the next attempt does not need a change of the source.
    stamps[step.entity] = nil
    let time = busy.postpone(step, at: SystemClock.monotonic())
    return waits || time >= settings.store.wait
  }

  private func isDue(_ binding: Binding) -> Bool {
    waits || busy.isDue(binding.entity, at: SystemClock.monotonic())
  }

  /// The longest wait for a source.
  private var patience: Duration {
    waits ? settings.store.wait : min(settings.store.wait, BusySources.patience)
  }

  private func report(_ diagnostic: Diagnostic) {
    say { [self] console in
      let status = console.report(diagnostic)
      trouble = trouble ?? status
    }
  }
}

extension BoundSources: FollowCompanion {
  func watch(_ polls: inout PollSet) {}

  /// Checks whether a source, the store or the list of bindings has changed.
  func tend(at now: Duration) -> Duration? {
    guard next <= now else { return next }
    waits = false
    // Stamps of the store's files are not reliable, as a log is written before its content can be read.
    bindings = (try? store.current().bindings()) ?? bindings
    let isAny = try? record { isDue($0) && SourceStamp($0) != stamps[$0.entity] }
    // The source may be an older version, or have a new column, without a new change in the store.
    if isAny != false { self.token = "" }
    let token = (try? store.current().currentToken().text) ?? self.token
    if token != self.token {
      self.token = token
      try? deliver()
    }
    next = SystemClock.monotonic() + (bindings.isEmpty ? Self.idleInterval : Self.interval)
    return next
  }
}
