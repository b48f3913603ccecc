/// How many commands the tests run at once.
///
/// Commands mostly wait, for each other and for clocks, so there are more places than cores.
actor Places {
  /// The purpose of a place.
  enum Claim {
    case step
    /// A long script: these begin first, so that none is left at the end.
    case scenario
    /// A script that waits for a minute or more: it begins before all others.
    case longScenario
    /// A measurement of time: it takes all places, when nobody else waits for one.
    case alone
  }

  static let shared = Places(8)

  private let count: Int
  private var free: Int
  /// The latest request goes first: a test that has begun continues, and few are open at a time.
  private var waiting: [Claim: [CheckedContinuation<Void, Never>]] = [:]

  init(_ count: Int) {
    self.count = count
    free = count
  }

  /// Calls `body` while it holds what it claims.
  nonisolated func take<Result: Sendable>(
    _ claim: Claim, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    await enter(claim)
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    await leave(claim)
    return try result.get()
  }

  private func size(_ claim: Claim) -> Int { claim == .alone ? count : 1 }

  private func enter(_ claim: Claim) async {
    if free >= size(claim) {
      free -= size(claim)
    } else {
      await withCheckedContinuation { waiting[claim, default: []].append($0) }
    }
  }

  private func leave(_ claim: Claim) {
    free += size(claim)
    for next in [Claim.longScenario, .scenario, .step, .alone] {
      while free >= size(next), let first = waiting[next]?.popLast() {
        free -= size(next)
        first.resume()
      }
    }
  }
}
