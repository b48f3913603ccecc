/// A step that reads or writes the source of an entity.
struct SourceStep: Hashable {
  let entity: String
  let isReading: Bool
  /// Whether several tables of a database are written together; the entity is that of the first of them.
  var isTogether = false

  /// The steps of which an entity's source may be the first or only one.
  static func all(of entity: String) -> [SourceStep] {
    [
      SourceStep(entity: entity, isReading: true), SourceStep(entity: entity, isReading: false),
      SourceStep(entity: entity, isReading: false, isTogether: true),
    ]
  }
}

/// The sources that other processes keep busy, in a run that continues.
///
/// Such a run retries them later instead of waiting for them, because its links would have to wait too.
struct BusySources {
  /// The longest wait for a source, which is enough for a short transaction of an app.
  static let patience = Duration.milliseconds(50)
  /// The first and the longest pause between two attempts; each pause is twice the previous one.
  private static let pauses = Duration.milliseconds(250)...(.seconds(10))

  private struct Retry {
    let since: Duration
    var pause: Duration
    var next: Duration
  }
  private var retries: [SourceStep: Retry] = [:]

  /// Notes that a source was busy; returns how long it has been busy.
  mutating func postpone(_ step: SourceStep, at now: Duration) -> Duration {
    var retry = retries[step] ?? Retry(since: now, pause: Self.pauses.lowerBound, next: now)
    retry.next = now + retry.pause
    retry.pause = min(retry.pause * 2, Self.pauses.upperBound)
    retries[step] = retry
    return now - retry.since
  }

  /// Notes that a source was not busy.
  mutating func forget(_ step: SourceStep) { retries[step] = nil }

  /// Whether the source of an entity is not busy, or should be tried again.
  func isDue(_ entity: String, at now: Duration) -> Bool {
    SourceStep.all(of: entity).allSatisfy { step in retries[step].map { $0.next <= now } ?? true }
  }
}
