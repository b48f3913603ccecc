@testable import Crypto
@testable import Links
import SystemIO
import Testing

/// When an open link times out, when it ends, and what follows, without a connection.
struct RelayingTests {
  private let phone: DeviceIdentity

  init() throws { phone = try DeviceIdentity(creating: "phone") }

  private func settings(
    _ side: LinkSettings.Side = .connector, isPairing: Bool = false, idle: Duration? = .seconds(60)
  ) -> LinkSettings {
    var settings = LinkSettings(side, identity: phone) { _ in nil }
    (settings.isPairing, settings.timeouts.idle) = (isPairing, idle)
    return settings
  }

  private func relaying(_ settings: LinkSettings) -> Relaying {
    Relaying(settings, until: .seconds(10), at: .seconds(1))
  }

  private static let ends: [Relaying.Local] = [
    .program(hasExited: false, mayLinger: true), .speaker(isDone: false), .standardStreams(isPeerGone: false),
  ]

  // MARK: Time

  @Test func whatMovesPutsTheDeadlineOff() {
    let settings = settings()
    var relaying = relaying(settings)
    #expect(relaying.deadline == .seconds(61))
    for local in Self.ends {
      let isOver = relaying.handle(.init(local: local, hasMoved: true), settings.timeouts, at: .seconds(5))
      #expect(!isOver && relaying.deadline == .seconds(65))
      let isOverLater = relaying.handle(.init(local: local), settings.timeouts, at: .seconds(9))
      #expect(!isOverLater && relaying.deadline == .seconds(65))
    }
    #expect(relaying.timeOut(settings.timeouts) == .timedOut("no traffic for 60 s"))
    #expect(self.relaying(self.settings(idle: nil)).deadline == nil)
  }

  /// Occasional bytes do not extend a stranger's link.
  @Test func theHelloHasToComeInTheTimeOfTheOpening() {
    let settings = settings(.listener, isPairing: true)
    var relaying = relaying(settings)
    let local = Self.ends[0]
    let early = Relaying.Turn(local: local, hasMoved: true, lacksHello: true)
    _ = relaying.handle(early, settings.timeouts, at: .seconds(5))
    #expect(relaying.deadline == .seconds(10))
    #expect(relaying.timeOut(settings.timeouts) == .timedOut("no pairHello within 10 s"))
    _ = relaying.handle(.init(local: local, hasMoved: true), settings.timeouts, at: .seconds(6))
    #expect(relaying.deadline == .seconds(66))
    #expect(relaying.timeOut(settings.timeouts) == .timedOut("no traffic for 60 s"))
  }

  /// Occasional reads do not delay the end of a link on which everything was sent.
  @Test(arguments: [Relaying.Local.speaker(isDone: true), .program(hasExited: true, mayLinger: false)])
  func theRestHasToBeReadInTime(local: Relaying.Local) {
    let settings = settings()
    var relaying = relaying(settings)
    for second in 2..<5 {
      let isOver = relaying.handle(
        .init(local: local, hasMoved: true), settings.timeouts, at: .seconds(second))
      #expect(!isOver && relaying.isDraining && relaying.deadline == .seconds(12))
    }
    #expect(
      relaying.timeOut(settings.timeouts)
        == .timedOut("the other side did not read the remaining data within 10 s"))
    let isOver = relaying.handle(
      .init(local: local, isOutboundDone: true), settings.timeouts, at: .seconds(6))
    #expect(isOver && !relaying.isDraining)
  }

  @Test func aTrustedPeerMayTakeItsTimeToReadWhatAProgramSaid() {
    let settings = settings(idle: nil)
    var relaying = relaying(settings)
    let local = Relaying.Local.program(hasExited: true, mayLinger: true)
    let isOver = relaying.handle(.init(local: local, hasMoved: true), settings.timeouts, at: .seconds(5))
    #expect(!isOver && !relaying.isDraining && relaying.deadline == nil)
  }

  // MARK: Ends

  /// A side that still sends has unlimited time; the same event twice has the same effect.
  @Test(arguments: ends, [true, false])
  func aHalfCloseLeavesTheOtherDirection(local: Relaying.Local, isInbound: Bool) {
    let settings = settings()
    var relaying = relaying(settings)
    let turn = Relaying.Turn(local: local, isInboundDone: isInbound, isOutboundDone: !isInbound)
    for _ in 0..<2 {
      let isOver = relaying.handle(turn, settings.timeouts, at: .seconds(2))
      // A link exists only for its speaker's output.
      #expect(isOver == (local == .speaker(isDone: false) && !isInbound))
      #expect(relaying.deadline == .seconds(61))
    }
  }

  @Test func itIsOverWhenBothSidesAreDone() {
    let settings = settings()
    var relaying = relaying(settings)
    for (local, isOver) in [
      (Relaying.Local.program(hasExited: false, mayLinger: true), false),
      (.program(hasExited: true, mayLinger: true), true), (.speaker(isDone: true), true),
      (.standardStreams(isPeerGone: false), true),
    ] {
      let turn = Relaying.Turn(local: local, isInboundDone: true, isOutboundDone: true)
      let result = relaying.handle(turn, settings.timeouts, at: .seconds(2))
      #expect(result == isOver)
    }
  }

  @Test func nobodyReadsBehindAClosedConnection() {
    let settings = settings()
    var relaying = relaying(settings)
    let turn = Relaying.Turn(local: .standardStreams(isPeerGone: true), isInboundDone: true)
    let isOver = relaying.handle(turn, settings.timeouts, at: .seconds(2))
    #expect(isOver)
  }

  /// After a signal our standard streams wait for nothing from the other side.
  @Test func aSignalEndsWhatIsSaid() {
    let settings = settings()
    var relaying = relaying(settings)
    relaying.isStopping = true
    let local = Relaying.Local.standardStreams(isPeerGone: false)
    let isOver = relaying.handle(.init(local: local, isInboundDone: true), settings.timeouts, at: .seconds(2))
    let isOverLater = relaying.handle(
      .init(local: local, isOutboundDone: true), settings.timeouts, at: .seconds(3))
    #expect(!isOver && isOverLater)
  }

  /// After a signal the other side must read what our standard input has said, in time.
  @Test func aSignalLimitsTheTimeOfStandardStreams() {
    let settings = settings(idle: nil)
    var relaying = relaying(settings)
    relaying.isStopping = true
    let turn = Relaying.Turn(local: .standardStreams(isPeerGone: false), hasMoved: true)
    let isOver = relaying.handle(turn, settings.timeouts, at: .seconds(5))
    #expect(!isOver && relaying.isDraining && relaying.deadline == .seconds(15))
  }

  /// A program that does not read what came before a break has limited time; a person has not.
  @Test(arguments: ends) func whatCameBeforeABreakIsRead(local: Relaying.Local) {
    let settings = settings()
    var relaying = relaying(settings)
    let cut = LinkFailure.connectionLost("the connection broke off")
    for (second, hasMoved) in [(5, false), (6, false), (7, true)] {
      let turn = Relaying.Turn(local: local, hasMoved: hasMoved, isOutboundDone: true, cut: cut)
      let isOver = relaying.handle(turn, settings.timeouts, at: .seconds(second))
      #expect(!isOver)
      if case .standardStreams = local {
        #expect(relaying.deadline == nil)
      } else {
        #expect(relaying.deadline == .seconds(hasMoved ? 17 : 15))
      }
    }
    #expect(relaying.timeOut(settings.timeouts) == cut)
  }

  // MARK: What comes after

  @Test func aFarewellIsShort() {
    let timeouts = LinkTimeouts()
    let short = Farewell(hasSentEnd: false, awaitsGoodbye: false, timeouts, at: .seconds(1))
    var long = Farewell(hasSentEnd: true, awaitsGoodbye: true, timeouts, at: .seconds(1))
    #expect(short.deadline == .seconds(3) && long.deadline == .seconds(11))
    long.hurry(at: .seconds(2))
    #expect(long.deadline == .seconds(4))
    // A second signal does not delay it.
    long.hurry(at: .seconds(3))
    #expect(long.deadline == .seconds(4) && LinkPhase.farewell(long).deadline == .seconds(4))
  }

  @Test func aProgramIsAskedToEndAndThenMadeTo() {
    var abandonment = Abandonment(at: .seconds(1))
    #expect(abandonment.deadline == .seconds(6))
    let first = abandonment.press(at: .seconds(6))
    #expect(first == Signals.terminate && abandonment.deadline == .seconds(11))
    for _ in 0..<2 {
      let next = abandonment.press(at: .seconds(11))
      #expect(next == Signals.kill && abandonment.deadline == .seconds(16))
    }
    let aborted = Abandonment(abortedAt: .seconds(1))
    #expect(aborted.signal == Signals.kill && aborted.deadline == .seconds(3))
    #expect(LinkPhase.abandoned(aborted).isOver && LinkPhase.closed.isOver)
    #expect(LinkPhase.closed.deadline == nil)
  }
}
