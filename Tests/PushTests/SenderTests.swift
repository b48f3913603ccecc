@testable import Chores
import JSONLines
@testable import Push
@testable import SyncCore
import SystemIO
import Testing

/// Which pushes are sent, and which wait, for whom and how long.
@Suite final class SenderTests: SenderTrial {
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

  /// One run sends both pushes, each at the end of its pause.
  @Test func aRunWaitsForTheEndsOfPauses() throws {
    for number in 1...2 {
      let end = now.advanced(by: .milliseconds(100 * Int64(number)))
      _ = try add(notification(UInt64(number)) { $0.pauses = [now..<end] })
    }
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    #expect(try send(channel).sent == 2)
    #expect(channel.started.map(\.notification.title) == ["t1", "t2"])
  }

  /// The chore is completed while its reminder waits.
  @Test func whatWaitsForTheEndOfAPauseCanBeWithdrawn() throws {
    _ = try add(
      notification(1) {
        ($0.occurrence, $0.pauses) = (RecordID("o"), [now..<now.advanced(by: .seconds(1_000))])
      })
    try addDevice("aa")
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    try send(channel)
    #expect(try states() == ["waiting"])
    let counts = try outbox.write { try outbox.add([.withdrawal(Withdrawal(RecordID("o")))]) }
    #expect(counts.withdrawn == 1)
    #expect(try send(channel, seconds: 1_000).sent == 0)
  }

  /// Pushes are claimed together, and each is started when the one before it is done.
  @Test func aPauseOrTheEndMayComeWhileOthersAreSent() throws {
    let soon = now.advanced(by: .milliseconds(100))
    _ = try add(
      notification(1), notification(2) { $0.pauses = [soon..<now.advanced(by: .seconds(1_000))] },
      notification(3) { $0.expires = soon })
    try addDevice("aa")
    let channel = ScriptedChannel { _ in
      let end = SystemClock.monotonic() + .milliseconds(200)
      while SystemClock.monotonic() < end {}
      return PushAnswer(.again(after: 1_000), status: 503)
    }
    let summary = try send(channel)
    #expect(channel.started.map(\.notification.title) == ["t1"])
    #expect((summary.expired, summary.waiting) == (1, 2))
  }

  /// A run without time for a push reports it; pushes that wait for a device, for their time or for the end
  /// of a pause are not left.
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
    try outbox.write { try outbox.add([device]) }
    let channel = ScriptedChannel { _ in PushAnswer(.sent, status: 200) }
    let summary = try send(channel)
    #expect((summary.sent, summary.pruned, summary.waiting) == (0, 1, 1))
    #expect(told.map { $0["reason"]?.stringValue } == ["removed"])
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
    #expect(try send(channel, seconds: 50).left == 1)
    #expect(try send(channel, seconds: 200).left == 0, "a run in a pause has nothing to do")
    #expect(try send(channel, seconds: 960).sent == 0)
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
}
