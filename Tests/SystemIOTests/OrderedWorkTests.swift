import Foundation
import Synchronization
@testable import SystemIO
import TestSupport
import Testing

/// Outcomes come in the order of the jobs, whichever thread does them; the first error ends the run; nothing
/// hangs.
@Suite(.endsHangs) struct OrderedWorkTests {
  private struct Failure: Error, Equatable { var job: Int }

  private enum Fault: CaseIterable { case next, work, take }

  @Test(arguments: [1, 2, 8], [0, 1, 2, 3, 17, 5_000])
  func outcomesAreTakenInOrder(threads: Int, count: Int) throws {
    let jobs = Counter()
    let work = OrderedWork(threads: threads, next: { jobs.next(below: count) }, scratch: { 0 }) { job, done in
      done += 1
      return Self.spin(job)
    }
    var taken: [Int] = []
    try work.run { taken.append($0) }
    #expect(taken == (0..<count).map { Self.spin($0) })
  }

  /// Many short runs: each starts its threads anew.
  @Test(arguments: [1, 2, 8])
  func aFewHundredRunsEnd(threads: Int) throws {
    for run in 0..<400 {
      let (count, jobs) = (run % 23, Counter())
      let work = OrderedWork(threads: threads, next: { jobs.next(below: count) }, scratch: { () }) { job, _ in
        Self.spin(job &* run)
      }
      var taken: [Int] = []
      try work.run { taken.append($0) }
      #expect(taken == (0..<count).map { Self.spin($0 &* run) })
    }
  }

  @Test(arguments: [1, 2, 8])
  func theFirstErrorInOrderEndsTheWork(threads: Int) {
    for run in 0..<300 {
      let fault = Fault.allCases[run % 3]
      let first = run % 40
      let jobs = Counter()
      let work = OrderedWork(
        threads: threads,
        next: { () throws -> Int? in
          let job = jobs.next(below: 60)
          if fault == .next, let job, job >= first { throw Failure(job: job) }
          return job
        }, scratch: { () }
      ) { job, _ in
        let outcome = Self.spin(job)
        if fault == .work, job >= first { throw Failure(job: job) }
        return outcome
      }
      var taken = 0
      #expect(throws: Failure(job: first), "run \(run)") {
        try work.run { outcome in
          #expect(outcome == Self.spin(taken))
          if fault == .take, taken == first { throw Failure(job: first) }
          taken += 1
        }
      }
      #expect(taken == first, "run \(run): all before the error is taken")
      #expect(jobs.value <= first + 2 * threads + 4, "run \(run): hardly anything is begun after it")
    }
  }

  /// A slow receiver delays the work.
  @Test(arguments: [1, 2, 8])
  func whatWaitsIsBounded(threads: Int) throws {
    let (jobs, taken, furthest) = (Counter(), Counter(), Counter())
    let work = OrderedWork(
      threads: threads,
      next: { () -> Int? in
        let job = jobs.next(below: 300)
        if let job { furthest.raise(to: job - taken.value) }
        return job
      }, scratch: { () }
    ) { job, _ in job }
    try work.run { job in
      _ = taken.next(below: .max)
      if job % 50 == 0 { usleep(20_000) }
    }
    #expect(furthest.value <= 2 * threads + 2)
    #expect(taken.value == 300)
  }

  /// Scratch is made once for each thread and belongs to one at a time.
  @Test func scratchBelongsToOneThread() throws {
    final class Scratch: Sendable { let isInUse = Mutex(false) }
    let (jobs, made) = (Counter(), Counter())
    let work = OrderedWork(
      threads: 4, next: { jobs.next(below: 2_000) },
      scratch: {
        _ = made.next(below: .max)
        return Scratch()
      }
    ) { job, scratch in
      let wasFree = scratch.isInUse.withLock { isInUse in
        defer { isInUse = true }
        return !isInUse
      }
      _ = Self.spin(job)
      scratch.isInUse.withLock { $0 = false }
      return wasFree
    }
    try work.run { wasFree in #expect(wasFree) }
    #expect(made.value <= 4)
  }

  /// Takes a varying time, and differs for each job.
  private static func spin(_ job: Int) -> Int {
    var value = UInt64(truncatingIfNeeded: job) &* 0x9E37_79B9_7F4A_7C15
    for _ in 0..<Int(value >> 57) { value = value &* 6_364_136_223_846_793_005 &+ 1 }
    return Int(truncatingIfNeeded: value)
  }
}

/// A number that threads share.
private final class Counter: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock(\.self) }

  /// 0, 1, 2 …; nil from `end` on.
  func next(below end: Int) -> Int? {
    number.withLock { number in
      guard number < end else { return nil }
      defer { number += 1 }
      return number
    }
  }

  func raise(to value: Int) { number.withLock { $0 = max($0, value) } }
}
