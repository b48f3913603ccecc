/// Threads of this process.
package enum Worker {
  /// The number of processors, asked for once: the system reads a file for it.
  package static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// The maximum number of threads that work together.
  package static let most = 64

  /// Makes this thread's writes to a lost connection fail instead of ending the process (SIGPIPE).
  package static func blockBrokenPipes() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Runs `body` on a detached thread; false if the system cannot create another thread.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Work(body)
    let box = unsafe Unmanaged.passRetained(work)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    guard unsafe pthread_create(&thread, nil, perform, box.toOpaque()) == 0 else {
      unsafe box.release()
      return false
    }
    #if canImport(Darwin)
      pthread_detach(thread!)
    #else
      pthread_detach(thread)
    #endif
    return true
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

#if canImport(Darwin)
  private func perform(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<Work>.fromOpaque(box).takeRetainedValue().body()
    return nil
  }
#else
  private func perform(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box = unsafe box else { return nil }
    unsafe Unmanaged<Work>.fromOpaque(box).takeRetainedValue().body()
    return nil
  }
#endif

/// A blocking call on a separate thread; a loop that polls is woken when the call has returned.
package final class BackgroundCall<Outcome: Sendable>: Sendable {
  private let result = Monitor<Result<Outcome, any Error>?>(nil)
  private let pipe = SelfPipe()

  /// Begins immediately, and continues to its end even without a waiting caller.
  package init(_ body: @escaping @Sendable () throws -> Outcome) {
    pipe.open()
    let work: @Sendable () -> Void = { [self] in
      let outcome = Result { try body() }
      result.update { $0 = outcome }
      pipe.wake()
    }
    if !Worker.start(work) { work() }
  }

  /// The outcome; nil while the work continues.
  package var outcome: Result<Outcome, any Error>? { result.update { $0 } }

  /// Watches for the end of the call.
  package func watch(_ polls: inout PollSet) { polls.add(pipe.descriptor, reading: true) }
}

/// State that threads share; they can wait for its changes.
///
/// This is safe because only the holder of the lock accesses the state. `Synchronization.Mutex` does not have
/// a condition variable.
@safe
package final class Monitor<State>: Sendable {
  nonisolated(unsafe) private var state: State
  nonisolated(unsafe) private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  nonisolated(unsafe) private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: sending State) {
    unsafe self.state = state
    unsafe pthread_mutex_init(lock, nil)
    unsafe pthread_cond_init(change, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(change)
    unsafe pthread_mutex_destroy(lock)
    unsafe change.deallocate()
    unsafe lock.deallocate()
  }

  /// Reads or changes the state; waiting threads check it again afterwards.
  package func update<Value>(_ body: (inout State) -> Value) -> Value {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    defer { unsafe pthread_cond_broadcast(change) }
    return unsafe body(&state)
  }

  /// Waits until `body` returns a value; other threads see the changes that `body` makes to the state.
  package func wait<Value>(for body: (inout State) -> Value?) -> Value {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while true {
      if let value = unsafe body(&state) {
        unsafe pthread_cond_broadcast(change)
        return value
      }
      unsafe pthread_cond_wait(change, lock)
    }
  }
}
