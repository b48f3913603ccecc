import Chores
import SyncCore

/// The devices that the push service calls gone, in one run.
///
/// They are forgotten when the run ends, not before: a service at the wrong address, for apps in development say, calls
/// all of them gone.
struct GoneDevices {
  /// Of pushes whose deliveries are in flight until it is known whether the devices are forgotten.
  private(set) var answers: [(job: PushJob, answer: PushAnswer)] = []
  private var gone: Set<String> = []
  private var answered: Set<String> = []

  /// So many may be gone, whatever part of all they are.
  private static let trusted = 5

  var count: Int { gone.count }
  /// Of how many devices there was an answer.
  var answeredCount: Int { answered.count }

  func contains(_ device: String) -> Bool { gone.contains(device) }

  /// Counts a device that the service has answered for.
  mutating func count(_ job: PushJob) { answered.insert(job.device) }

  mutating func add(_ job: PushJob, _ answer: PushAnswer) {
    gone.insert(job.device)
    answers.append((job, answer))
  }

  /// Whether more are gone than can be believed: more than five, and at least half of the devices answered for.
  var areTooMany: Bool { areTooMany(of: answered.count) }

  func areTooMany(of devices: Int) -> Bool { count > Self.trusted && count * 2 >= devices }
}
