/// Something that may block, done on a thread of its own; a loop that polls is woken when it is done.
package final class Errand<Outcome: Sendable>: Sendable {
  private let result = Monitor<Result<Outcome, any Error>?>(nil)
  private let pipe = SelfPipe()

  /// Begins at once, and goes on to its end whether anybody waits for it or not.
  package init(_ body: @escaping @Sendable () throws -> Outcome) {
    pipe.open()
    let work: @Sendable () -> Void = { [self] in
      let outcome = Result { try body() }
      result.update { $0 = outcome }
      pipe.wake()
    }
    if !Worker.start(work) { work() }
  }

  /// What has come of it; nil while it goes on.
  package var outcome: Result<Outcome, any Error>? { result.update { $0 } }

  /// Watches for its end.
  package func watch(_ polls: inout PollSet) { polls.add(pipe.descriptor, reading: true) }
}
