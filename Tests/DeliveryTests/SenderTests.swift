import Foundation
import JSONLines
import SystemIO
import Testing

@testable import Delivery
@testable import SyncCore

/// Foundation has one too.
private typealias Notification = SyncCore.Notification

/// What the sender makes of answers, and what an outbox has afterwards.
@Suite final class SenderTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "delivery-\(UUID().uuidString)")
  private let outbox: Outbox
  private let now = Instant("2026-01-12T08:00:00Z")!
  private var told: [JSONValue] = []

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    outbox = try Outbox(folder.appending(path: "n.db").path, creating: true, wait: .zero)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func notification(_ number: UInt64, _ change: (inout Notification) -> Void = { _ in })
    -> Notification
  {
    var notification = Notification(
      id: UUIDValue(high: 1, low: number), kind: .reminder, recipient: RecordID("ann"), title: "t\(number)",
      body: "b", notBefore: now, expires: now.advanced(by: .seconds(86_400)), collapseID: "c")
    change(&notification)
    return notification
  }

  private func add(_ notifications: Notification...) throws -> Int {
    try outbox.write {
      try notifications.filter { try outbox.add($0, line: Array($0.value.text.utf8).span) }.count
    }
  }

  private func addDevice(_ token: String, at moment: Instant? = nil) throws {
    let device = Device(
      token: DeviceToken(token)!, member: RecordID("ann"), added: moment ?? Instant("2026-01-01T00:00:00Z")!)
    try outbox.write { try outbox.add(device) }
  }

  /// `seconds` after `now`.
  @discardableResult
  private func send(
    _ channel: ScriptedChannel, to target: Outbox.Target = .devices, seconds: Int64 = 0,
    wait: Duration = .zero
  ) throws -> SendSummary {
    let (moment, start) = (now.advanced(by: .seconds(seconds)), SystemClock.monotonic())
    var retries = RetryRules()
    retries.first = .milliseconds(20)
    let sender = Sender(
      outbox, over: channel, to: target, retries: retries, deadline: start + wait + .milliseconds(50),
      clock: { moment.advanced(by: SystemClock.monotonic() - start).inMilliseconds },
      tell: { self.told.append($0) })
    try sender.run()
    return sender.summary
  }

  private func states() throws -> [String] {
    var states: [String] = []
    try outbox.forEachPush(nil) { facts, _ in states.append(facts["state"]?.stringValue ?? "") }
    return states
  }

  // MARK: The outbox

  @Test func theSameIDTwiceIsOnePush() throws {
    #expect(try add(notification(1), notification(1), notification(2)) == 2)
    #expect(try add(notification(2)) == 0)
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).sent == 2)
    #expect(try add(notification(1)) == 0, "known after it was sent too")
    #expect(try send(channel).sent == 0)
  }

  @Test func nothingIsSentBeforeItsTimeOrAfterItsEnd() throws {
    _ = try add(
      notification(1) { $0.notBefore = now.advanced(by: .seconds(60)) },
      notification(2) { $0.expires = now })
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    let summary = try send(channel)
    #expect((summary.sent, summary.expired, summary.waiting) == (0, 1, 1))
    #expect(try send(channel, seconds: 60).sent == 1)
    #expect(try states() == ["sent", "expired"])
  }

  @Test func whatOneDeviceHasIsSentThoughAnotherNeverGotIt() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    try addDevice("bb")
    let channel = ScriptedChannel { job in
      job.device == "aa" ? PushAnswer(.sent, status: 200) : PushAnswer(.again(after: 120), status: 503)
    }
    #expect(try send(channel).sent == 1)
    let summary = try send(channel, seconds: 86_400)
    #expect(summary.expired == 0)
    #expect(try states() == ["sent"])
  }

  /// A run in quiet hours has nothing to do; that is no failure.
  @Test func whatWaitsForTheEndOfQuietHoursIsNotLeft() throws {
    _ = try add(notification(1) { $0.pauses = [now..<now.advanced(by: .seconds(1_000))] })
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    let summary = try send(channel)
    #expect((summary.sent, summary.waiting, summary.left) == (0, 1, 0))
    #expect(try send(channel, seconds: 1_000).sent == 1)
  }

  /// A run that has no time for a push says so; what waits for a device, for its time or for the end of a pause is not left.
  @Test func whatARunHadNoTimeForIsLeft() throws {
    _ = try add(
      notification(1), notification(2) { $0.notBefore = now.advanced(by: .seconds(60)) },
      notification(3) { $0.recipient = RecordID("ben") },
      notification(4) { $0.pauses = [now..<now.advanced(by: .seconds(1_000))] },
      notification(5) { $0.expires = now })
    try addDevice("aa")
    try addDevice("bb")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    let summary = try send(channel, wait: .seconds(-1))
    #expect(channel.started.isEmpty)
    #expect((summary.sent, summary.left) == (0, 2), "one push for two devices")
    #expect(try send(channel, to: .program, wait: .seconds(-1)).left == 2, "a program needs no devices")
    #expect(try send(channel).left == 0)
  }

  @Test func thoseThatMustWaitHideNobodyBehindThem() throws {
    let pause = now..<now.advanced(by: .seconds(1_000))
    for number in 1...4 { _ = try add(notification(UInt64(number)) { $0.pauses = [pause] }) }
    _ = try add(notification(5))
    try addDevice("aa")
    #expect(try outbox.claim(.devices, now: now, limit: 2).jobs.map(\.notification.title) == ["t5"])
  }

  /// Sums of counts that are taken can be read again.
  @Test func aDigestOfTooManyIsStillADigest() throws {
    let largest = Notification.largestCount
    for number in 1...2 {
      _ = try add(notification(UInt64(number)) { ($0.count, $0.digest) = (largest, "night") })
    }
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).sent == 1)
    #expect(channel.started.map(\.notification.count) == [largest])
  }

  /// A device that has changed hands while a push was on its way to it.
  @Test func whatWasInFlightDoesNotGoToAnotherMember() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    #expect(try outbox.claim(.devices, now: now, limit: 9).jobs.count == 1)
    let device = Device(token: DeviceToken("aa")!, member: RecordID("ben"), added: now)
    try outbox.write { try outbox.add(device) }
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).sent == 0)
    #expect(channel.started.isEmpty)
  }

  @Test func whatWasInFlightWhenARunWasKilledIsShownByADryRun() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    #expect(try outbox.claim(.devices, now: now, limit: 9).jobs.count == 1)
    #expect(try outbox.preview(.devices, now: now).jobs.count == 1)
  }

  @Test func whatIsTriedAgainWaitsForTheEndOfAPause() throws {
    let pause = now.advanced(by: .seconds(100))..<now.advanced(by: .seconds(1_000))
    _ = try add(notification(1) { $0.pauses = [pause] })
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.again(after: 120), status: 503) }
    try send(channel)
    channel.answer = { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel, seconds: 200).left == 1)
    #expect(try send(channel, seconds: 999).sent == 0)
    #expect(try send(channel, seconds: 1_000).sent == 1)
  }

  @Test func withoutADeviceAPushWaitsForOne() throws {
    _ = try add(notification(1))
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).waiting == 1)
    try addDevice("aa")
    #expect(try send(channel).sent == 1)
  }

  @Test func pruningKeepsWhatCouldComeAgain() throws {
    _ = try add(notification(1), notification(2) { $0.expires = now.advanced(by: .seconds(1_000_000)) })
    try send(ScriptedChannel { _ in PushAnswer(.sent, status: 0) }, to: .program)
    let later = now.advanced(by: .seconds(500_000))
    #expect(try outbox.write { try outbox.prune(before: later) } == 1)
    #expect(try add(notification(2)) == 0)
    #expect(try add(notification(1)) == 1)
  }

  @Test func whatWaitedForOneMomentIsToldTogether() throws {
    _ = try add(
      notification(1) { $0.digest = "d" }, notification(2) { $0.digest = "d" }, notification(3),
      notification(4) { ($0.digest, $0.recipient) = ("d", RecordID("ben")) })
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 0) }
    let summary = try send(channel, to: .program)
    #expect((summary.sent, summary.merged) == (3, 1))
    #expect(channel.started.map(\.notification.title) == ["2 notifications", "t3", "t4"])
    #expect(try states() == ["sent", "merged", "sent", "sent"])
  }

  // MARK: Answers

  @Test func aRunThatWasKilledIsGoneOnWithUnderTheSameID() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    let claim = try outbox.claim(.devices, now: now, limit: 10)
    #expect(claim.jobs.count == 1)
    #expect(try outbox.claim(.devices, now: now, limit: 10).jobs.isEmpty, "it is in flight")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).sent == 1)
    #expect(channel.started.map(\.apnsID) == claim.jobs.map(\.apnsID))
  }

  @Test func eachDeviceIsAPushOfItsOwn() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    try addDevice("bb")
    let channel = ScriptedChannel { PushAnswer($0.device == "aa" ? .sent : .failed, status: 1) }
    let summary = try send(channel)
    #expect((summary.sent, summary.failed) == (1, 1))
    #expect(Set(channel.started.map(\.apnsID)).count == 2)
    #expect(try states() == ["sent"])
  }

  @Test func whatIsTemporaryIsTriedAgainWithinTheRunAndByTheNext() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    var failures = 2
    let channel = ScriptedChannel { _ in
      failures -= 1
      return failures < 0 ? PushAnswer(.sent, status: 200) : .unanswered("cut")
    }
    let summary = try send(channel, wait: .seconds(5))
    #expect((summary.sent, summary.retried, summary.left) == (1, 2, 0))
    #expect(Set(channel.started.map(\.apnsID)).count == 1)

    _ = try add(notification(2))
    channel.answer = { _ in PushAnswer(.again(after: 600), status: 503) }
    #expect(try send(channel).left == 1)
    channel.answer = { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel, seconds: 599).sent == 0)
    #expect(try send(channel, seconds: 601).sent == 1)
  }

  /// By the millisecond, whatever the clock says.
  @Test func theNextAttemptIsWrittenInOneWay() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.again(after: 600), status: 503) }
    let moment = Instant(seconds: now.seconds, nanoseconds: 123_456_789)!
    let sender = Sender(
      outbox, over: channel, to: .devices, retries: RetryRules(),
      deadline: SystemClock.monotonic() + .milliseconds(50), clock: { moment }, tell: { self.told.append($0) }
    )
    try sender.run()
    let next = "2026-01-12T08:10:00.123Z"
    #expect(told.compactMap { $0["nextAttempt"]?.stringValue } == [next])
    var listed: [String?] = []
    try outbox.forEachPush(nil) { facts, _ in
      listed.append(facts["deliveries"]?.arrayValue?.first?["nextAttempt"]?.stringValue)
    }
    #expect(listed == [next])
  }

  @Test func aDeviceThatIsGoneIsForgottenUnlessItCameBack() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    try addDevice("bb", at: now)
    let channel = ScriptedChannel { _ in
      PushAnswer(.gone(since: Instant("2026-01-05T00:00:00Z")), status: 410, reason: "Unregistered")
    }
    let summary = try send(channel)
    #expect((summary.pruned, summary.failed) == (1, 1))
    #expect(try outbox.devices().map(\.token.text) == ["bb"])
    #expect(told.compactMap { $0["prune"]?["token"]?.stringValue } == ["aa"])
    #expect(try states() == ["failed"])
  }

  @Test func whatWaitsForADeviceThatIsRemovedIsNotSent() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.again(after: 60), status: 503) }
    try send(channel)
    try outbox.write { try outbox.remove(DeviceToken("aa")!) }
    #expect(try send(channel, seconds: 120).left == 0)
    #expect(channel.started.count == 1)
    #expect(try states() == ["failed"])
  }

  @Test func whatWaitsForADeviceIsNotSentToItsNextOwner() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.again(after: 60), status: 503) }
    try send(channel)
    try outbox.write {
      try outbox.add(Device(token: DeviceToken("aa")!, member: RecordID("ben"), added: now))
    }
    #expect(try send(channel, seconds: 120).left == 0)
    #expect(channel.started.count == 1)
    #expect(try outbox.devices().map(\.member) == [RecordID("ben")])
  }

  /// Who has been sent by a program once is no business of the push service, nor the other way round.
  @Test func whatWaitsForAProgramKeepsNoOtherRunWaiting() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    try send(ScriptedChannel { _ in PushAnswer(.again(after: 60), status: 1) }, to: .program)
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    let start = SystemClock.monotonic()
    let summary = try send(channel, seconds: 120, wait: .seconds(20))
    #expect(SystemClock.monotonic() - start < .seconds(10), "it waits for what it does not send")
    #expect((summary.sent, summary.waiting, summary.left) == (0, 1, 0))
    #expect(try send(channel, to: .program, seconds: 120).sent == 1)
  }

  @Test func whereTheOutputEndsTheAnswersOfAllThatIsOnItsWayAreStored() throws {
    for number in 1...9 { _ = try add(notification(UInt64(number))) }
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    channel.batch = 1
    let sender = Sender(
      outbox, over: channel, to: .devices, retries: RetryRules(),
      deadline: SystemClock.monotonic() + .seconds(20), clock: { self.now },
      tell: { line in
        self.told.append(line)
        if self.told.count == 2 { throw CancellationError() }
      })
    #expect(throws: CancellationError.self) { try sender.run() }
    #expect(channel.started.count == 5 && told.count == 2)
    #expect(try states().filter { $0 == "sent" }.count == 5, "nothing is on its way any more")
    channel.answer = { _ in PushAnswer(.gone(since: nil), status: 410) }
    let next = Sender(
      outbox, over: channel, to: .devices, retries: RetryRules(),
      deadline: SystemClock.monotonic() + .seconds(20), clock: { self.now },
      tell: { _ in throw CancellationError() })
    #expect(throws: CancellationError.self) { try next.run() }
    #expect(try outbox.devices().count == 1, "a device that is gone is forgotten when that is told")
  }

  @Test func aServiceThatIsAnotherHasRefusedNothing() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.refused, reason: "certificate") }
    #expect(try send(channel).refusal == SendSummary.Refusal(reason: "certificate", isAnswer: false))
    channel.answer = { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).sent == 1)
  }

  @Test func aRefusalEndsTheRunAfterTheFirstPush() throws {
    _ = try add(notification(1), notification(2), notification(3))
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.refused, status: 403, reason: "InvalidProviderToken") }
    let summary = try send(channel)
    #expect(channel.started.count == 1)
    #expect((summary.failed, summary.waiting) == (1, 2))
    #expect(summary.refusal == SendSummary.Refusal(reason: "InvalidProviderToken", isAnswer: true))
    #expect(try outbox.write { try outbox.retry(only: nil) } == 1)
    channel.answer = { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).sent == 3)
  }

  @Test func anExpiredTokenIsMadeAnewAndThePushSentAgain() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    var answers: [PushAnswer.Verdict] = [.tokenExpired, .sent]
    let channel = ScriptedChannel { _ in PushAnswer(answers.removeFirst(), status: 1) }
    channel.canRenew = true
    #expect(try send(channel).sent == 1)
    channel.canRenew = false
    answers = [.tokenExpired]
    _ = try add(notification(2))
    #expect(try send(channel).refusal != nil)
  }

  @Test func onlyWhoHasBeenTrustedGetsMany() throws {
    for number in 1...20 { _ = try add(notification(UInt64(number))) }
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.again(after: 900), status: 503) }
    try send(channel)
    #expect(channel.most == 1)
    channel.answer = { _ in PushAnswer(.sent, status: 200) }
    try send(channel, seconds: 901)
    #expect(channel.most == 4)
  }

  @Test func whatIsTooLargeIsNotSent() throws {
    _ = try add(notification(1) { $0.body = String(repeating: "x", count: 5_000) })
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).failed == 1)
    #expect(channel.started.isEmpty)
  }
}
