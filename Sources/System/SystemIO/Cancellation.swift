import Synchronization

/// Ends a run from another thread, as a signal ends the run of a tool.
package final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  private let pipe = SelfPipe()

  package init() { pipe.open() }

  /// Ends the run that watches, now or when it begins.
  package func cancel() {
    flag.store(true, ordering: .releasing)
    pipe.wake()
  }

  package var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// Wakes a loop that has not seen yet that it is cancelled.
  package func watch(_ polls: inout PollSet) { polls.add(pipe.descriptor, reading: true) }
}
