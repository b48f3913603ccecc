import SyncCore

/// Shortens a failing story while it fails in the same way.
package struct StoryShrinker {
  /// Runs a story; returns nil if it does not fail.
  package typealias Attempt = (Story) -> SimulationFailure?

  private let attempt: Attempt
  private let kind: SimulationFailure.Kind
  private var attemptsLeft: Int
  private var best: Story

  /// The shortest story found, with its failure; `attempts` limits the runs.
  package static func shortest(
    _ story: Story, _ failure: SimulationFailure, attempts: Int = 4_000, _ attempt: @escaping Attempt
  ) -> Story {
    var shrinker = StoryShrinker(story, failure, attempts, attempt)
    return shrinker.shrink()
  }

  private init(_ story: Story, _ failure: SimulationFailure, _ attempts: Int, _ attempt: @escaping Attempt) {
    (self.attempt, kind, attemptsLeft, best) = (attempt, failure.kind, attempts, story)
    best.failure = failure
  }

  private mutating func shrink() -> Story {
    var before: Story
    repeat {
      before = best
      removeSteps()
      simplifySteps()
      removeDevices()
    } while best != before && attemptsLeft > 0
    return best
  }

  private mutating func takes(_ story: Story) -> Bool {
    guard attemptsLeft > 0 else { return false }
    attemptsLeft -= 1
    guard let failure = attempt(story), failure.kind == kind else { return false }
    best = story
    best.failure = failure
    return true
  }

  /// Removes large parts first, then smaller ones, down to single steps.
  private mutating func removeSteps() {
    var size = max(1, best.steps.count / 2)
    while true {
      var start = 0
      while start < best.steps.count {
        var shorter = best
        shorter.steps.removeSubrange(start..<min(start + size, best.steps.count))
        if !takes(shorter) { start += size }
      }
      if size == 1 { return }
      size = max(1, size / 2)
    }
  }

  private mutating func simplifySteps() {
    for index in best.steps.indices {
      for simpler in best.steps[index].simpler {
        var story = best
        story.steps[index] = simpler(best.steps[index])
        if story != best { _ = takes(story) }
      }
    }
  }

  /// Removes unneeded devices, one after the other.
  private mutating func removeDevices() {
    for device in stride(from: best.devices - 1, through: 0, by: -1) where best.devices > 2 {
      guard let story = best.removing(device: device) else { continue }
      _ = takes(story)
    }
  }
}

extension StoryStep {
  /// Ways to reduce the faults of a step.
  fileprivate var simpler: [(StoryStep) -> StoryStep] {
    switch action {
    case .session:
      [
        Self.changing { $0.crash = nil }, Self.changing { $0.cut = nil },
        Self.changing { $0.following = nil },
        Self.changing { $0.network.loss = 0 }, Self.changing { $0.network.repeats = 0 },
        Self.changing { $0.network.delay = 20 }, Self.changing { $0.network.seed = 0 },
        Self.changing { $0.page = 4 << 20 }, Self.changing { $0.direction = .both },
        Self.changing { $0.direction = .pull }, Self.changing { $0.crash?.down = 0 },
      ]
    case .record(let recording):
      recording.edits.indices.map { index in
        { step in
          guard case .record(var recording) = step.action, index < recording.edits.count else { return step }
          recording.edits.remove(at: recording.edits.count - 1 - index)
          return StoryStep(at: step.at, .record(recording))
        }
      }
    default: []
    }
  }

  private static func changing(_ change: @escaping (inout SessionPlan) -> Void) -> (StoryStep) -> StoryStep {
    { step in
      guard case .session(var plan) = step.action else { return step }
      change(&plan)
      return StoryStep(at: step.at, .session(plan))
    }
  }
}

extension Story {
  /// The story without a device; nil if a step needs it.
  ///
  /// The numbers of later devices decrease by one.
  fileprivate func removing(device: Int) -> Story? {
    var story = self
    story.devices -= 1
    if !rules.isEmpty { story.rules.remove(at: device) }
    func moved(_ other: Int) -> Int? { other == device ? nil : other > device ? other - 1 : other }
    for (index, step) in steps.enumerated() {
      guard let action = step.action.renumbered(moved) else { return nil }
      story.steps[index].action = action
    }
    return story
  }
}

extension StoryAction {
  fileprivate func renumbered(_ new: (Int) -> Int?) -> StoryAction? {
    switch self {
    case .join(let device): new(device).map { .join(device: $0) }
    case .put(let device, let entity, let line):
      new(device).map { .put(device: $0, entity: entity, line: line) }
    case .record(var recording):
      new(recording.device).map { device in
        recording.device = device
        return .record(recording)
      }
    case .session(var plan):
      new(plan.from).flatMap { from in
        new(plan.to).map { to in
          (plan.from, plan.to) = (from, to)
          return .session(plan)
        }
      }
    case .backup(let device): new(device).map { .backup(device: $0) }
    case .restore(let device, let age): new(device).map { .restore(device: $0, age: age) }
    case .compact(let device): new(device).map { .compact(device: $0) }
    case .rules(let device, let profile): new(device).map { .rules(device: $0, profile: profile) }
    case .prune(let device, let entity, let before):
      new(device).map { .prune(device: $0, entity: entity, before: before) }
    case .clock(let device, let ahead): new(device).map { .clock(device: $0, ahead: ahead) }
    case .crash(let device, let down): new(device).map { .crash(device: $0, down: down) }
    case .partition(let devices, let lasting): .partition(devices: devices.compactMap(new), lasting: lasting)
    }
  }
}
