import Synchronization

/// SIGINT, SIGTERM and SIGHUP as an event that a blocking read can wait for.
///
/// The first signal is remembered and ends every wait, so that a tool can finish its output. The handler is
/// then reset to its default, so a second signal of the same kind ends the process immediately. If the
/// program does not check for the signal within two seconds, as in a long computation, the signal ends the
/// process too.
package enum Interruption {
  private static let signalNumber = Atomic<CInt>(0)
  private static let pipe = SelfPipe()
  /// Whether some code has noticed the signal and will end the run.
  private static let isNoticed = Atomic<Bool>(false)
  private static let heedsSecond = Atomic<Bool>(false)
  private static let hasSecond = Atomic<Bool>(false)
  private static let secondPipe = SelfPipe()

  /// The received signal to stop, or nil.
  package static var pending: CInt? {
    let number = signalNumber.load(ordering: .acquiring)
    if number == 0 { return nil }
    isNoticed.store(true, ordering: .relaxed)
    return number
  }

  /// A descriptor that is readable from the first signal on; -1 before `install`.
  static var descriptor: CInt { pipe.descriptor }

  /// Remembers the second signal too, for a tool that must finish work after the first.
  ///
  /// Then the third signal of the same kind ends the process immediately.
  package static func heedSecond() {
    secondPipe.open()
    heedsSecond.store(true, ordering: .relaxed)
  }

  /// Whether a second signal was received after `heedSecond`.
  package static var isInsisted: Bool { hasSecond.load(ordering: .acquiring) }

  /// A descriptor that is readable from the second signal on; -1 without `heedSecond`.
  static var secondDescriptor: CInt { secondPipe.descriptor }

  /// The seconds after which an unnoticed signal ends the process.
  private static let grace: UInt32 = 2

  /// Catches the signals, unless they are already ignored (as under nohup), and ignores SIGPIPE.
  ///
  /// A write then fails with EPIPE, and the tool can remove its temporary files before it ends by the signal.
  package static func install() {
    pipe.open()
    signalNumber.store(0, ordering: .relaxed)
    isNoticed.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGALRM] { catchOnce(number) }
    signal(SIGPIPE, SIG_IGN)
  }

  /// Ends the process by signal `number`, so that the caller's shell sees the signal.
  package static func end(by number: CInt) -> Never {
    signal(number, SIG_DFL)
    // Do not use kill(2), because its signal may go to another thread that is already past `exit`.
    raise(number)
    // If this thread blocks the signal, the signal is now pending.
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

  /// Handles a signal; it is async-signal-safe: it uses only atomics, alarm(2), sigaction(2), raise(3) and a
  /// write.
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

/// Ends a run from another thread, like a signal that ends the run of a tool.
package final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  private let pipe = SelfPipe()

  package init() { pipe.open() }

  /// Ends the run that watches this object, now or when the run begins.
  package func cancel() {
    flag.store(true, ordering: .releasing)
    pipe.wake()
  }

  package var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// Watches for the cancellation.
  package func watch(_ polls: inout PollSet) { polls.add(pipe.descriptor, reading: true) }
}
