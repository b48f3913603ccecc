package import Chores
package import SyncCore

/// A notification on its way to one device.
package struct PushJob: Sendable {
  /// Of the push in the outbox.
  package var number: Int64
  /// A token; empty where the notification goes to a program.
  package var device: String
  package var notification: Notification
  /// As it came.
  package var line: [UInt8]
  /// How often it has been sent without an answer that ends it.
  package var attempts: Int

  package var apnsID: UUIDValue { PushRequest.apnsID(of: notification.id, on: device) }
}

/// The way that pushes take.
package protocol PushChannel: AnyObject {
  /// How many more can be started now.
  var room: Int { get }
  func start(_ job: PushJob) throws
  /// What has been answered, waiting for the first answer at most so long.
  func answers(within time: Duration) throws -> [(job: PushJob, answer: PushAnswer)]
  /// Whether a push whose provider token was too old should be sent again.
  func renewToken(of job: PushJob) throws -> Bool
}
