import Chores
import JSONLines
@testable import Push
@testable import SyncCore
import SystemIO
import Testing

/// Devices that change hands, or seem to be gone, during a run.
@Suite final class SenderDeviceTests: SenderTrial {
  private func give(_ token: String, to member: String) throws {
    try outbox.write {
      try outbox.add([Device(token: DeviceToken(token)!, member: RecordID(member), added: now)])
    }
  }

  /// Adds devices of ann: 01, 02, and so on.
  private func addDevices(_ count: Int) throws {
    for number in 1...count { try addDevice((number < 10 ? "0" : "") + "\(number)") }
  }

  @Test func aDeviceThatIsHandedOverDuringARunGetsNothingMore() throws {
    for number in 1...9 { _ = try add(notification(UInt64(number))) }
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    channel.answer = { [unowned channel] _ in
      if channel.started.count == 1 { try? self.give("aa", to: "ben") }
      return PushAnswer(.sent, status: 200)
    }
    let summary = try send(channel)
    #expect(channel.started.count == 1, "the others are ann's, the device is not any more")
    #expect((summary.sent, summary.pruned, summary.waiting) == (1, 8, 8))
    let dropped = told.filter { $0["outcome"]?.stringValue == "pruned" }
    #expect(dropped.count == 8 && dropped.allSatisfy { $0["reason"]?.stringValue == "removed" })
    #expect(told.allSatisfy { $0["prune"] == nil })
    #expect(try outbox.devices().map(\.member) == [RecordID("ben")])
  }

  @Test func aDeviceThatIsRemovedDuringARunGetsNothingMore() throws {
    for number in 1...3 { _ = try add(notification(UInt64(number))) }
    try addDevice("aa")
    try addDevice("bb")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    channel.answer = { [unowned channel] _ in
      if channel.started.count == 1 { try? self.outbox.write { try self.outbox.remove(DeviceToken("bb")!) } }
      return PushAnswer(.sent, status: 200)
    }
    try send(channel)
    #expect(channel.started.filter { $0.device == "bb" }.isEmpty)
    #expect(try states() == ["sent", "sent", "sent"])
  }

  /// Nor is anything tried again there.
  @Test func aDeviceThatIsHandedOverBeforeAnotherAttemptGetsNothing() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    channel.answer = { _ in
      try? self.give("aa", to: "ben")
      return .unanswered("cut")
    }
    try send(channel)
    #expect(channel.started.count == 1)
  }

  /// A token that two households list belongs to ann again at the end.
  @Test func aDeviceThatPassesThroughAnotherMemberKeepsItsPushes() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    let job = try #require(try outbox.claim(.devices, now: now, limit: 9).jobs.first)
    try outbox.write { try outbox.record(job, .unanswered("cut"), .retry, next: now) }
    let devices = ["ben", "ann"].map {
      Device(token: DeviceToken("aa")!, member: RecordID($0), added: now)
    }
    try outbox.write { try outbox.add(devices) }
    #expect(try states() == ["sending"] && outbox.devices().map(\.member) == [RecordID("ann")])
  }

  /// The service's answer about a push to ann is not about the device that is now ben's.
  @Test func aDeviceThatIsHandedOverIsNotForgottenForTheLastOwner() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    channel.answer = { _ in
      try? self.give("aa", to: "ben")
      return PushAnswer(.gone(since: nil), status: 400, reason: "BadDeviceToken")
    }
    #expect(try send(channel).pruned == 1)
    #expect(try outbox.devices().map(\.member) == [RecordID("ben")])
    #expect(told.allSatisfy { $0["prune"] == nil })
  }

  // MARK: Gone

  private func gone(_ tokens: some Sequence<String>) -> ScriptedChannel {
    let tokens = Set(tokens)
    return ScriptedChannel { job in
      tokens.contains(job.device)
        ? PushAnswer(.gone(since: nil), status: 400, reason: "BadDeviceToken")
        : PushAnswer(.sent, status: 200)
    }
  }

  @Test func aServiceThatKnowsNoDeviceForgetsNone() throws {
    _ = try add(notification(1), notification(2))
    try addDevices(20)
    let channel = gone(try outbox.devices().map(\.token.text))
    let summary = try send(channel)
    #expect(summary.refusal?.cause == .devices)
    #expect((summary.pruned, summary.waiting) == (0, 2))
    #expect(told.allSatisfy { $0["prune"] == nil })
    #expect(try outbox.devices().count == 20)
    #expect(channel.started.count < 20, "it stops when half of all are gone")
    channel.answer = { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).sent == 40)
  }

  @Test func halfOfTheDevicesAreTooManyAndLessAreNot() throws {
    _ = try add(notification(1))
    try addDevices(12)
    let tokens = try outbox.devices().map(\.token.text)
    #expect(try send(gone(tokens.prefix(6))).refusal?.cause == .devices)
    #expect(try outbox.devices().count == 12)
    try addDevice("bb")
    _ = try add(notification(2))
    let summary = try send(gone(tokens.suffix(6)))
    #expect(summary.refusal == nil)
    #expect(summary.pruned >= 6)
    #expect(try outbox.devices().count == 7)
  }

  @Test func fiveAreForgottenWhateverPartTheyAre() throws {
    _ = try add(notification(1))
    try addDevices(5)
    let summary = try send(gone(try outbox.devices().map(\.token.text)))
    #expect(summary.refusal == nil && summary.pruned == 5)
    #expect(try outbox.devices().isEmpty)
    #expect(told.filter { $0["prune"] != nil }.count == 5)
  }

  /// The app registers the device after the service has reported it as gone.
  @Test func aDeviceThatIsRegisteredAgainDuringTheRunIsKept() throws {
    _ = try add(notification(1), notification(2) { $0.recipient = RecordID("ben") })
    try addDevice("aa")
    try give("bb", to: "ben")
    let channel = ScriptedChannel { job in
      if job.device == "aa" { return PushAnswer(.gone(since: nil), status: 400, reason: "BadDeviceToken") }
      try? self.addDevice("aa", at: self.now)
      return PushAnswer(.sent, status: 200)
    }
    let summary = try send(channel)
    #expect((summary.sent, summary.pruned, summary.left) == (1, 0, 1))
    #expect(told.allSatisfy { $0["prune"] == nil })
    channel.answer = { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).sent == 1)
    #expect(channel.started.last?.device == "aa")
  }

  /// What no device has received waits for the next one: also a push that is to be tried again.
  @Test func whatOnlyADeviceThatIsGoneWasToGetWaitsForTheNext() throws {
    for number in 1...4 { _ = try add(notification(UInt64(number))) }
    try addDevice("aa")
    let channel = ScriptedChannel { job in
      switch job.notification.title {
      case "t1": PushAnswer(.sent, status: 200)
      case "t4": PushAnswer(.gone(since: nil), status: 410, reason: "Unregistered")
      default: PushAnswer(.again(after: 600), status: 500)
      }
    }
    let summary = try send(channel)
    #expect((summary.sent, summary.retried, summary.pruned) == (1, 2, 3))
    #expect((summary.failed, summary.waiting, summary.left) == (0, 3, 0))
    let pruned = told.filter { $0["outcome"] == "pruned" }
    #expect(pruned.map { $0["reason"]?.stringValue } == ["Unregistered", "removed", "removed"])
    #expect(try states() == ["sent", "waiting", "waiting", "waiting"])
    try addDevice("bb")
    channel.answer = { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).sent == 3)
    #expect(channel.started.suffix(3).allSatisfy { $0.device == "bb" })
  }

  /// A push that failed on one device is not sent to the next device by itself.
  @Test func whatAlsoFailedDoesNotWaitForTheNextDevice() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    try addDevice("bb")
    let channel = ScriptedChannel { job in
      job.device == "aa"
        ? PushAnswer(.gone(since: nil), status: 410, reason: "Unregistered")
        : PushAnswer(.failed, status: 413)
    }
    let summary = try send(channel)
    #expect((summary.pruned, summary.failed, summary.waiting) == (1, 1, 0))
    #expect(try states() == ["failed"])
  }

  /// The pushes that wait for a device that is gone are not sent, though it is forgotten at the end only.
  @Test func aDeviceThatIsGoneGetsNothingMore() throws {
    for number in 1...9 { _ = try add(notification(UInt64(number))) }
    try addDevice("aa")
    let channel = gone(["aa"])
    let summary = try send(channel)
    #expect(channel.started.count == 1)
    #expect((summary.pruned, summary.waiting) == (9, 9))
    #expect(told.filter { $0["prune"] != nil }.count == 1)
    #expect(try outbox.devices().isEmpty)
  }

  /// The run ends although a push expires while one of its deliveries waits for the end of the run.
  @Test func aPushExpiresBesideADeviceThatIsGone() throws {
    _ = try add(notification(1) { $0.expires = now.advanced(by: .milliseconds(300)) })
    try addDevices(2)
    let channel = ScriptedChannel { job in
      job.device == "01"
        ? PushAnswer(.gone(since: nil), status: 400, reason: "BadDeviceToken")
        : PushAnswer(.again(after: 1), status: 503)
    }
    let summary = try send(channel, wait: .seconds(5))
    #expect((summary.pruned, summary.expired, summary.waiting) == (1, 1, 0))
    #expect(told.filter { $0["outcome"] == "expired" }.count == 1)
    #expect(try states() == ["expired"])
  }

  /// A push whose deliveries end at different times is reported once.
  @Test func aPushThatExpiresIsReportedOnce() throws {
    _ = try add(notification(1) { $0.expires = now.advanced(by: .milliseconds(100)) })
    try addDevices(2)
    let channel = ScriptedChannel(streams: 1) { _ in
      let end = SystemClock.monotonic() + .milliseconds(200)
      while SystemClock.monotonic() < end {}
      return PushAnswer(.again(after: 1), status: 503)
    }
    #expect(try send(channel).expired == 1)
    #expect(told.filter { $0["outcome"] == "expired" }.count == 1)
    #expect(try states() == ["expired"])
  }
}
