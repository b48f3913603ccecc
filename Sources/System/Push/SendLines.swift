package import Chores
package import JSONLines
import SyncCore

/// The lines that report the results of sending.
enum SendLines {
  /// The line about the outcome of one push.
  static func result(_ job: PushJob, _ answer: PushAnswer, _ outcome: DeliveryOutcome, next: Instant?)
    -> JSONValue
  {
    var members = about(job) + [.init("outcome", .string(outcome.rawValue))]
    if let status = answer.status { members.append(.init("status", .integer(status))) }
    if let reason = answer.reason { members.append(.init("reason", .string(reason))) }
    members.append(.init("attempts", .integer(job.attempts + 1)))
    if let next { members.append(.init("nextAttempt", .string(next.description))) }
    return .object(members)
  }

  /// The line about a push to a device that was removed, or given to another member, before the push was
  /// sent.
  static func dropped(_ job: PushJob) -> JSONValue {
    let end: [JSONMember] = [
      .init("outcome", .string(DeliveryOutcome.pruned.rawValue)), .init("reason", .string(Outbox.removed)),
      .init("attempts", .integer(job.attempts)),
    ]
    return .object(about(job) + end)
  }

  /// The line about a push that ended without being sent.
  static func ended(_ notification: Notification, _ outcome: String, into id: UUIDValue? = nil) -> JSONValue {
    var members = about(notification) + [.init("outcome", .string(outcome))]
    if let id { members.append(.init("into", .string(id.text))) }
    return .object(members)
  }

  /// The line about a device reported as gone, for the program that keeps the list of devices.
  ///
  /// `added` is when the device was added: if it was registered again after that, it exists.
  static func prune(
    _ token: DeviceToken, of member: RecordID, added: Instant?, _ reason: String?
  ) -> JSONValue {
    var device: [JSONMember] = [
      .init("memberID", .string(member.text)), .init("token", .string(token.text)),
    ]
    if let added { device.append(.init("addedAt", .string(added.brief))) }
    if let reason { device.append(.init("reason", .string(reason))) }
    return ["prune": .object(device)]
  }

  private static func about(_ job: PushJob) -> [JSONMember] {
    var members = about(job.notification)
    if let token = DeviceToken(job.device) {
      members += [.init("device", .string(token.handle)), .init("apnsID", .string(job.apnsID.text))]
    }
    return members
  }

  private static func about(_ notification: Notification) -> [JSONMember] {
    [
      .init("id", .string(notification.id.text)), .init("kind", .string(notification.kind.rawValue)),
      .init("recipient", .string(notification.recipient.text)),
    ]
  }
}

extension PushJob {
  /// The preview of a push: headers and body, or the program that would run.
  ///
  /// Secrets are left out: the token of the sender and the token of the device.
  package func preview(topic: String, program: [String]) throws(NotificationError) -> JSONValue {
    let members: [JSONMember] = [
      .init("id", .string(notification.id.text)), .init("recipient", .string(notification.recipient.text)),
    ]
    guard let token = DeviceToken(device) else {
      return .object(members + [.init("command", .array(program.map { .string($0) }))])
    }
    let request = try PushRequest(notification, apnsID: apnsID, topic: topic)
    let headers =
      [
        (":method", "POST"), (":path", PushRequest.path("(\(token.handle))")),
        ("authorization", "bearer (secret)"),
      ] + request.headers.map { ($0.name, $0.value) }
    return .object(
      members + [
        .init("headers", .object(headers.map { JSONMember($0.0, .string($0.1)) })),
        .init("body", .string(String(decoding: request.body, as: UTF8.self))),
      ])
  }
}

/// The counts of a run.
package struct SendSummary: Sendable {
  package var sent = 0
  package var failed = 0
  package var pruned = 0
  package var retried = 0
  package var expired = 0
  package var merged = 0
  /// Pushes that remain in the outbox.
  package var waiting = 0
  /// The deliveries of waiting pushes that were due, or will be retried.
  package var left = 0
  package var refusal: Refusal?

  /// Why sending stopped.
  package struct Refusal: Equatable, Sendable {
    package var reason: String
    package var cause: Cause

    package enum Cause: Equatable, Sendable {
      /// The service refuses all our pushes.
      case answer
      /// The answering server is not trusted, so pushes are not sent to it.
      case stranger
      /// The service reports so many devices as gone that it must be the wrong service.
      case devices
    }
  }

  mutating func count(_ outcome: DeliveryOutcome) {
    switch outcome {
    case .sent: sent += 1
    case .failed: failed += 1
    case .pruned: pruned += 1
    case .retry: retried += 1
    }
  }

  package var value: JSONValue {
    [
      "summary": [
        "sent": .integer(sent), "failed": .integer(failed), "pruned": .integer(pruned),
        "retried": .integer(retried), "expired": .integer(expired), "merged": .integer(merged),
        "waiting": .integer(waiting),
      ]
    ]
  }
}
