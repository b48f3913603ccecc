import Chores
import JSONLines
@testable import Push
@testable import SyncCore
import SystemIO
import Testing

/// How the sender handles answers, and the outbox afterwards.
@Suite final class SenderAnswerTests: SenderTrial {
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

  @Test func whatOneOfTwoDevicesDidNotGetCanBeSentAgain() throws {
    _ = try add(notification(1))
    _ = try add(notification(2) { $0.recipient = RecordID("ben") })
    try addDevice("aa")
    try addDevice("bb")
    let channel = ScriptedChannel { PushAnswer($0.device == "aa" ? .sent : .failed, status: 1) }
    #expect(try send(channel).failed == 1)
    var listed = 0
    try outbox.forEachPush(.failed) { _, _ in listed += 1 }
    #expect(listed == 1)
    let others = UUIDValue(high: 1, low: 2).text
    #expect(try outbox.write { try outbox.retry(only: others) } == 0)
    #expect(try outbox.write { try outbox.retry(only: nil) } == 1)
    channel.answer = { _ in PushAnswer(.sent, status: 200) }
    channel.started = []
    #expect(try send(channel).sent == 1)
    #expect(channel.started.map(\.device) == ["bb"])
    #expect(try outbox.write { try outbox.retry(only: nil) } == 0)
  }

  /// For the named push, and not for another that is still being sent.
  @Test func onlyWhatIsNamedIsSentAgain() throws {
    for number in 1...2 { _ = try add(notification(UInt64(number))) }
    try addDevice("aa")
    try addDevice("bb")
    let channel = ScriptedChannel {
      PushAnswer($0.device == "aa" ? .again(after: 60) : .failed, status: 1)
    }
    try send(channel)
    #expect(try outbox.write { try outbox.retry(only: UUIDValue(high: 1, low: 2).text) } == 1)
    channel.started = []
    try send(channel)
    #expect(channel.started.map(\.notification.title) == ["t2"])
  }

  @Test func whatIsTemporaryIsTriedAgainWithinTheRunAndByTheNext() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    var failures = 2
    let channel = ScriptedChannel { _ in
      failures -= 1
      return failures < 0 ? PushAnswer(.sent, status: 200) : .unanswered("cut")
    }
    let summary = try send(channel)
    #expect((summary.sent, summary.retried, summary.left) == (1, 2, 0))
    #expect(Set(channel.started.map(\.apnsID)).count == 1)

    _ = try add(notification(2))
    channel.answer = { _ in PushAnswer(.again(after: 600), status: 503) }
    #expect(try send(channel).left == 1)
    channel.answer = { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel, seconds: 560).sent == 0)
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
      deadline: SystemClock.monotonic() + .seconds(30), clock: { moment }, tell: { self.told.append($0) }
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
    #expect(told.compactMap { $0["prune"]?["addedAt"]?.stringValue } == ["2026-01-01T00:00:00Z"])
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
    #expect(try states() == ["waiting"])
    // The same device may come back.
    try addDevice("aa")
    channel.answer = { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel, seconds: 120).sent == 1)
  }

  @Test func whatWaitsForADeviceIsNotSentToItsNextOwner() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.again(after: 60), status: 503) }
    try send(channel)
    try outbox.write {
      try outbox.add([Device(token: DeviceToken("aa")!, member: RecordID("ben"), added: now)])
    }
    #expect(try send(channel, seconds: 120).left == 0)
    #expect(channel.started.count == 1)
    #expect(try outbox.devices().map(\.member) == [RecordID("ben")])
  }

  /// A push that a program has sent once does not go to the push service, nor the other way round.
  @Test func whatWaitsForAProgramKeepsNoOtherRunWaiting() throws {
    _ = try add(notification(1))
    try addDevice("aa")
    try send(ScriptedChannel { _ in PushAnswer(.again(after: 60), status: 1) }, to: .program)
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    let start = SystemClock.monotonic()
    let summary = try send(channel, seconds: 120)
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
    #expect(try send(channel).refusal == SendSummary.Refusal(reason: "certificate", cause: .stranger))
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
    #expect(summary.refusal == SendSummary.Refusal(reason: "InvalidProviderToken", cause: .answer))
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
