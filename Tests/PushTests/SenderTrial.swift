@testable import Chores
import Foundation
import JSONLines
@testable import Push
@testable import SyncCore
import SystemIO
import Testing

/// Foundation has one too.
typealias Notification = Chores.Notification

/// An outbox with what is needed to send from it.
class SenderTrial {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "delivery-\(UUID().uuidString)")
  let outbox: Outbox
  let now = Instant("2026-01-12T08:00:00Z")!
  var told: [JSONValue] = []

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    outbox = try Outbox(folder.appending(path: "n.db").path, creating: true, wait: .zero)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func notification(_ number: UInt64, _ change: (inout Notification) -> Void = { _ in })
    -> Notification
  {
    var notification = Notification(
      id: UUIDValue(high: 1, low: number), kind: .reminder, recipient: RecordID("ann"), title: "t\(number)",
      body: "b", notBefore: now, expires: now.advanced(by: .seconds(86_400)), collapseID: "c")
    change(&notification)
    return notification
  }

  func add(_ notifications: Notification...) throws -> Int {
    try outbox.write {
      try notifications.filter { try outbox.add($0, line: Array($0.value.text.utf8).span) }.count
    }
  }

  func addDevice(_ token: String, at moment: Instant? = nil) throws {
    let device = Device(
      token: DeviceToken(token)!, member: RecordID("ann"), added: moment ?? Instant("2026-01-01T00:00:00Z")!)
    try outbox.write { try outbox.add([device]) }
  }

  /// `seconds` after `now`; what is due later than `wait` is left.
  @discardableResult
  func send(
    _ channel: ScriptedChannel, to target: Outbox.Target = .devices, seconds: Int64 = 0,
    wait: Duration = .seconds(30)
  ) throws -> SendSummary {
    let (moment, start) = (now.advanced(by: .seconds(seconds)), SystemClock.monotonic())
    var retries = RetryRules()
    retries.first = .milliseconds(20)
    let sender = Sender(
      outbox, over: channel, to: target, retries: retries, deadline: start + wait,
      clock: { moment.advanced(by: SystemClock.monotonic() - start).inMilliseconds },
      tell: { self.told.append($0) })
    try sender.run()
    return sender.summary
  }

  func states() throws -> [String] {
    var states: [String] = []
    try outbox.forEachPush(nil) { facts, _ in states.append(facts["state"]?.stringValue ?? "") }
    return states
  }
}
