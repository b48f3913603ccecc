import Synchronization

/// SIGINT, SIGTERM and SIGHUP as an event that a blocking read can wait for.
///
/// The first signal is remembered and makes every wait end, so that a tool can drain. The handler is then
/// reset to its default, so a second signal of the same kind ends the process at once. If nobody checks for
/// the signal within two seconds, as in a long computation, it ends the process too.
package enum Interruption {
  private static let signalNumber = Atomic<CInt>(0)
  private static let pipe = SelfPipe()
  /// Whether some code has noticed the signal, and ends in its own way.
  private static let isNoticed = Atomic<Bool>(false)
  private static let heedsSecond = Atomic<Bool>(false)
  private static let hasSecond = Atomic<Bool>(false)
  private static let secondPipe = SelfPipe()

  /// The signal that asked us to stop, or nil.
  package static var pending: CInt? {
    let number = signalNumber.load(ordering: .acquiring)
    if number == 0 { return nil }
    isNoticed.store(true, ordering: .relaxed)
    return number
  }

  /// Becomes readable once a signal has come, and stays so; -1 before `install`.
  static var descriptor: CInt { pipe.descriptor }

  /// For a tool that has work to finish first: the second signal is remembered too.
  ///
  /// Then the third signal of the same kind ends the process at once.
  package static func heedSecond() {
    secondPipe.open()
    heedsSecond.store(true, ordering: .relaxed)
  }

  /// Whether a second signal has come, if it is heeded.
  package static var isInsisted: Bool { hasSecond.load(ordering: .acquiring) }

  /// Readable once a second signal has come; -1 if it is not heeded.
  static var secondDescriptor: CInt { secondPipe.descriptor }

  /// In seconds.
  private static let grace: UInt32 = 2

  /// Catches the signals, unless they are ignored already (as under nohup), and ignores SIGPIPE.
  ///
  /// A write then fails with EPIPE, and the tool can remove its temporary files before it dies of the signal.
  package static func install() {
    pipe.open()
    signalNumber.store(0, ordering: .relaxed)
    isNoticed.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGALRM] { catchOnce(number) }
    signal(SIGPIPE, SIG_IGN)
  }

  /// Ends the process by `number` with its default action, so that the caller's shell sees what happened.
  package static func end(by number: CInt) -> Never {
    signal(number, SIG_DFL)
    // Not kill(2), whose signal may go to another thread that is past `exit` already.
    raise(number)
    // If this thread blocks the signal, it has been pending since.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    exit(128 + number)
  }

  private static func catchOnce(_ number: CInt) {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0, !isIgnored(action) else { return }
    action = sigaction()
    action.sa_flags = CInt(truncatingIfNeeded: Int64(SA_RESETHAND))
    let handler: @convention(c) (CInt) -> Void = { number in Interruption.received(number) }
    #if canImport(Glibc)
      unsafe action.__sigaction_handler.sa_handler = handler
    #elseif canImport(Musl)
      unsafe action.__sa_handler.sa_handler = handler
    #else
      unsafe action.__sigaction_u.__sa_handler = handler
    #endif
    _ = unsafe sigaction(number, &action, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Glibc)
      let handler = unsafe action.__sigaction_handler.sa_handler
    #elseif canImport(Musl)
      let handler = unsafe action.__sa_handler.sa_handler
    #else
      let handler = unsafe action.__sigaction_u.__sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Async-signal-safe: atomic stores, alarm(2), sigaction(2), raise(3) and a write.
  private static func received(_ number: CInt) {
    let first = signalNumber.load(ordering: .relaxed)
    if number == SIGALRM, first != 0 {
      guard !isNoticed.load(ordering: .relaxed) else { return }
      signal(first, SIG_DFL)
      raise(first)
      return
    }
    if first == 0 { alarm(grace) }
    guard heedsSecond.load(ordering: .relaxed) else {
      signalNumber.store(number, ordering: .releasing)
      return pipe.wake()
    }
    if first == 0 {
      catchOnce(number)
      signalNumber.store(number, ordering: .releasing)
      pipe.wake()
    } else {
      hasSecond.store(true, ordering: .releasing)
      secondPipe.wake()
    }
  }
}

/// Ends a run from another thread, as a signal ends the run of a tool.
package final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  private let pipe = SelfPipe()

  package init() { pipe.open() }

  /// Ends the watching run, now or when it begins.
  package func cancel() {
    flag.store(true, ordering: .releasing)
    pipe.wake()
  }

  package var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// Wakes a loop that has not yet noticed the cancellation.
  package func watch(_ polls: inout PollSet) { polls.add(pipe.descriptor, reading: true) }
}
