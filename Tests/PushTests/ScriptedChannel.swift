import Chores
import Push
import SyncCore

/// A channel that answers as the test specifies, or leaves a push unanswered.
final class ScriptedChannel: PushChannel {
  var answer: (PushJob) -> PushAnswer
  var started: [PushJob] = []
  var most = 0
  var canRenew = false
  /// How many are answered at a time.
  var batch = Int.max
  private let streams: Int
  private var open: [PushJob] = []

  init(streams: Int = 4, answer: @escaping (PushJob) -> PushAnswer) {
    (self.streams, self.answer) = (streams, answer)
  }

  var room: Int { streams - open.count }

  func start(_ job: PushJob) {
    started.append(job)
    open.append(job)
    most = max(most, open.count)
  }

  func answers(within time: Duration) -> [(job: PushJob, answer: PushAnswer)] {
    let answered = open.prefix(batch)
    open.removeFirst(answered.count)
    return answered.map { ($0, answer($0)) }
  }

  func renewToken(of job: PushJob) -> Bool { canRenew }
}
