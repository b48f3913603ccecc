import CommandLine
import JSONLines
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

/// A command that runs after changes of other devices were stored.
///
/// The command gets all changes since it last succeeded.
///
/// The store keeps the sequence up to which the command succeeded, so a killed run or a failed command does
/// not lose changes.
final class ChangeHook {
  private let command: String
  private let path: String
  private let store: OpenStore
  private let console: Console
  /// How long to wait, at the start and at the end, for another process that writes to the store.
  private let patience: Duration
  /// `told` is the sequence up to which the command has succeeded; `noted` is the last one stored.
  private var (told, noted): (Int64, Int64)
  /// The store that assigned these sequences; a copy with lower sequences may replace it.
  private var known: ChangeStore
  /// The sequence up to which the command has run, successfully or not.
  private var tried: Int64
  /// The last sequence when the changes were last read; only a later change is a reason to read them again.
  private var seen: Int64 = 0
  private var running: Running?
  /// The status of the last failure, until the command succeeds.
  private(set) var trouble: ExitStatus?

  private final class Running {
    var process: ToldProcess
    let last: Int64

    init(_ process: consuming ToldProcess, _ last: Int64) {
      self.process = process
      self.last = last
    }
  }

  init(_ command: String, _ settings: PeersyncTool.Settings, _ store: OpenStore, on console: Console) throws {
    (self.command, self.store, self.console) = (command, store, console)
    path = FileMode.absolute(settings.store.path)
    patience = settings.store.wait
    let opened = try store.current()
    opened.limitWait(to: patience)
    defer { opened.limitWait(to: .zero) }
    known = opened
    told = try opened.told(command)
    (noted, tried) = (told, told)
  }

  /// Runs the command if it has not seen all changes, and waits for it.
  ///
  /// After a signal the command is not started again. With `isPatient`, a running command may finish, because
  /// a signal is the normal end of that run; otherwise the command gets SIGTERM.
  func finish(isPatient: Bool = false) throws {
    if running == nil, Interruption.pending == nil { try begin() }
    while running != nil {
      var polls = PollSet()
      if Interruption.pending == nil { polls.addInterruption() }
      polls.wait(until: SystemClock.monotonic() + .milliseconds(50))
      if Interruption.pending != nil, !isPatient { running?.process.end() }
      try look()
      if running == nil, Interruption.pending == nil { try begin() }
    }
    try note(patience)
  }

  private func begin() throws {
    let store = try store.current()
    if store !== known {
      told = try store.told(command)
      (known, tried, noted, seen) = (store, told, told, 0)
    }
    let present = try store.currentToken().sequence
    guard present > seen else { return }
    var reader = ChangeReader(RecordShape())
    var (input, upserts, deletions, last) = ([UInt8](), 0, 0, tried)
    try store.forEachArrival(after: told, fromOthers: true) { entry in
      last = max(last, entry.sequence)
      input.append(UInt8(ascii: "{"))
      reader.appendKeyMembers(of: entry.line.span, to: &input)
      if entry.isTombstone { input += Array(",\"isDeleted\":true".utf8) }
      input += Array("}\n".utf8)
      if entry.isTombstone { deletions += 1 } else { upserts += 1 }
    }
    seen = present
    guard last > tried else { return }
    let environment = Environment.replacing(
      "PEERSYNC_CHANGED_",
      with: [
        ("PEERSYNC_CHANGED_STORE", path), ("PEERSYNC_CHANGED_UPSERTS", "\(upserts)"),
        ("PEERSYNC_CHANGED_DELETIONS", "\(deletions)"),
      ])
    tried = last
    do {
      running = try SpillFile.naming {
        Running(try ToldProcess(["/bin/sh", "-c", command], environment: environment, input: input), last)
      }
    } catch {
      let reason = SyncRun.diagnostic(error)
      report("cannot start: \(reason.text)", hint: reason.hint)
    }
  }

  /// Checks whether the command has ended.
  private func look() throws {
    guard let running, let status = running.process.exitStatus() else { return }
    self.running = nil
    guard status == 0 else { return report("has ended with status \(status)") }
    trouble = nil
    // In another store, the same sequence belongs to another change.
    guard try store.current() === known else { return }
    told = running.last
    try? note(.zero)
  }

  /// Notes in the store up to which sequence the command has succeeded; if this fails, it is retried later.
  private func note(_ patience: Duration) throws {
    guard noted < told, try store.current() === known else { return }
    known.limitWait(to: patience)
    defer { known.limitWait(to: .zero) }
    try known.noteTold(command, upTo: told)
    noted = told
  }

  private func report(_ what: String, hint: String? = nil) {
    trouble = console.report(
      Diagnostic(
        .hookFailed, "'--on-change' \(what)",
        hint: hint ?? "the command gets the same changes again with the next change or run"))
  }
}

extension ChangeHook: FollowCompanion {
  func watch(_ polls: inout PollSet) {}

  func tend(at now: Duration) -> Duration? {
    try? look()
    if running == nil {
      try? note(.zero)
      try? begin()
    }
    return now + .milliseconds(running == nil ? 500 : 100)
  }
}
