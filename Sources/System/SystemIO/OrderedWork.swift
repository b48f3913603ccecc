/// Jobs that run on several threads, with their outcomes taken one by one in the order of the jobs.
///
/// The caller's thread is the only writer, and also runs jobs while it waits for an outcome. Only a few jobs
/// start beyond the last outcome taken, so the number of waiting outcomes is bounded.
package struct OrderedWork<Job: Sendable, Outcome: Sendable, Scratch>: Sendable {
  private let threads: Int
  /// The next job, or nil at the end; never called twice at the same time.
  private let next: @Sendable () throws -> Job?
  private let scratch: @Sendable () -> Scratch
  private let work: @Sendable (Job, inout Scratch) throws -> Outcome
  private let monitor = Monitor(Board())

  private struct Board {
    var begun = 0
    var taken = 0
    var outcomes: [Int: Result<Outcome, any Error>] = [:]
    var isClaiming = false
    var isExhausted = false
  }

  private enum Turn { case take(Result<Outcome, any Error>), claim(Int), end }

  package init(
    threads: Int, next: @escaping @Sendable () throws -> Job?, scratch: @escaping @Sendable () -> Scratch,
    work: @escaping @Sendable (Job, inout Scratch) throws -> Outcome
  ) {
    (self.threads, self.next, self.scratch, self.work) = (min(threads, Worker.most), next, scratch, work)
  }

  /// Runs all jobs; the first error in their order, or of `take`, ends the work and is thrown.
  package func run(_ take: (Outcome) throws -> Void) throws {
    // The other threads are not awaited: after an error one may be blocked in a read whose result is not
    // needed.
    defer { monitor.update { $0.isExhausted = true } }
    var ownScratch = scratch()
    while true {
      switch turn() {
      case .end: return
      case .take(let outcome): try take(outcome.get())
      case .claim(let index): perform(index, &ownScratch)
      }
    }
  }

  private func turn() -> Turn {
    monitor.wait { board in
      if let outcome = board.outcomes.removeValue(forKey: board.taken) {
        board.taken += 1
        return .take(outcome)
      }
      if let index = claim(&board) { return .claim(index) }
      return board.isExhausted && !board.isClaiming && board.taken == board.begun ? .end : nil
    }
  }

  /// The loop of the other threads.
  private func help() {
    var scratch = scratch()
    while let index = monitor.wait(for: { board -> Int?? in
      board.isExhausted ? .some(nil) : claim(&board).map { .some($0) }
    }) {
      perform(index, &scratch)
    }
  }

  private func claim(_ board: inout Board) -> Int? {
    guard !board.isExhausted, !board.isClaiming, board.begun < board.taken + 2 * threads + 2 else {
      return nil
    }
    board.isClaiming = true
    return board.begun
  }

  private func perform(_ index: Int, _ scratch: inout Scratch) {
    let job = Result { try next() }
    let isThere = if case .success(nil) = job { false } else { true }
    monitor.update { board in
      board.isClaiming = false
      if isThere { board.begun += 1 } else { board.isExhausted = true }
    }
    guard isThere else { return }
    // Start the threads only at the second job, because a single job does not need them.
    if index == 1 { for _ in 1..<threads { Worker.start { help() } } }
    let outcome = job.flatMap { job in Result { try work(job!, &scratch) } }
    monitor.update { board in
      if case .failure = outcome { board.isExhausted = true }
      board.outcomes[index] = outcome
    }
  }
}
