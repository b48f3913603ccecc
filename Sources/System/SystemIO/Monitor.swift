/// State that threads share, and on whose changes they can wait.
///
/// Safe because the state is touched by the holder of the lock only. `Synchronization.Mutex` has no condition.
@safe
final class Monitor<State>: Sendable {
  nonisolated(unsafe) private var state: State
  nonisolated(unsafe) private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  nonisolated(unsafe) private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ state: sending State) {
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

  /// Reads or changes the state; whoever waits looks at it again afterwards.
  func update<Value>(_ body: (inout State) -> Value) -> Value {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    defer { unsafe pthread_cond_broadcast(change) }
    return unsafe body(&state)
  }

  /// Waits until `body` gives a value; what it does to the state is seen by the others.
  func wait<Value>(for body: (inout State) -> Value?) -> Value {
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
