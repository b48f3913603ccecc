/// How many commands the tests run at once.
///
/// Commands mostly wait, for each other and for clocks, so there are more places than cores.
actor Places {
  static let shared = Places(8)

  private let count: Int
  private var free: Int
  /// The last that came goes first: a test that has begun goes on, and few are open at a time.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// Those that take all places, and wait until nobody else does.
  private var alone: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    self.count = count
    free = count
  }

  /// Calls `body` while it holds a place, or with `alone` all of them.
  nonisolated func take<Result: Sendable>(
    alone: Bool = false, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    await (alone ? enterAlone() : enter())
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    await leave(alone ? count : 1)
    return try result.get()
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func enterAlone() async {
    if free == count {
      free = 0
    } else {
      await withCheckedContinuation { alone.append($0) }
    }
  }

  private func leave(_ places: Int) {
    free += places
    while free > 0, let next = waiting.popLast() {
      free -= 1
      next.resume()
    }
    if free == count, let next = alone.popLast() {
      free = 0
      next.resume()
    }
  }
}
