@testable import Crypto
import JSONLines
@testable import Links
import SyncCore
import SystemIO
import Testing

/// A link from phase to phase, with bare bytes at the other end of a connection over the loopback.
struct LinkTests {
  private final class Talker: Speaker {
    private(set) var stops = 0
    private(set) var ends = 0
    var isDone = false
    var deadline: Duration? { nil }
    var alarm: CInt? { nil }
    var hasOutput: Bool { false }
    func begin(_ facts: LinkFacts, at now: Duration) {}
    func hear(_ bytes: Span<UInt8>, at now: Duration) {}
    func hearEnd(at now: Duration) { ends += 1 }
    func advance(at now: Duration) {}
    func stop(at now: Duration) { stops += 1 }
    func takeOutput(_ limit: Int, at now: Duration) -> [UInt8] { [] }
  }

  private let link: Link
  private let far: Connection
  private let talker = Talker()
  private let start = SystemClock.monotonic()

  /// Over version 1, where a connector is open at once, and a listener waits for the first message.
  private init(_ side: LinkSettings.Side) throws {
    let listener = try Listener.open(host: "127.0.0.1", port: 0, interface: nil)
    let address = try #require(try SocketAddress.resolve("127.0.0.1", port: listener.port).first)
    far = try Connection.connect(to: address, through: nil, until: SystemClock.monotonic() + .seconds(10))
    var near: Connection?
    while near == nil { near = try listener.accept() }
    var settings = LinkSettings(side, identity: try DeviceIdentity(creating: "phone")) { _ in nil }
    settings.version = .one
    settings.speaker = { [talker] in talker }
    link = Link(.plain(try #require(near)), settings)
  }

  init() throws { try self.init(.connector) }

  /// Drives the link until something has come about.
  private func drive(until isReached: () -> Bool) throws {
    for _ in 0..<500 where !isReached() {
      link.advance(at: SystemClock.monotonic())
      var polls = PollSet()
      link.watch(&polls)
      polls.wait(until: SystemClock.monotonic() + .milliseconds(10))
    }
    try #require(isReached())
  }

  private var isFarewell: Bool { if case .farewell = link.phase { true } else { false } }

  @Test func nothingBeginsBeforeItsTime() {
    link.begin(at: start + .seconds(2))
    for _ in 0..<2 {
      link.advance(at: start)
      #expect(!link.hasOpened && link.wakeUp == start + .seconds(2))
    }
    link.advance(at: start + .seconds(2))
    #expect(link.hasOpened)
  }

  @Test func theFirstReasonIsTheOneThatIsTold() {
    link.begin(at: start)
    link.advance(at: start)
    for failure in [LinkFailure.timedOut("a"), .crowdedOut] { link.fail(failure, at: start) }
    link.advance(at: start)
    // The driver must not wait: no event would wake it to remove the link.
    #expect(link.isClosed && link.failure == .timedOut("a") && link.hasWork)
  }

  @Test func aLimitOfSilenceMayBeOfAnyLength() { far.limitSilence(to: .seconds(1 << 40)) }

  // MARK: Signals

  @Test func aSignalInEachPhase() throws {
    link.begin(at: start)
    link.advance(at: start)
    for _ in 0..<2 { link.stop(by: Signals.terminate) }
    #expect(talker.stops == 2 && link.hasWork == false)
    talker.isDone = true
    link.advance(at: start)
    #expect(isFarewell)
    let deadline = link.wakeUp
    for _ in 0..<2 { link.stop(by: Signals.terminate) }
    #expect(isFarewell && link.wakeUp == deadline && talker.stops == 2)
    link.abort(at: start)
    link.stop(by: Signals.terminate)
    #expect(link.isClosed && link.failure == nil)
  }

  @Test func aSignalBeforeTheLinkIsOpenEndsIt() throws {
    let test = try LinkTests(.listener)
    test.link.begin(at: start)
    test.link.advance(at: start)
    link.begin(at: start + .seconds(1))
    for link in [link, test.link] {
      for _ in 0..<2 { link.stop(by: Signals.terminate) }
      #expect(link.isClosed && !link.hasOpened && link.failure == .stopped)
    }
    let told = Diagnostic(LinkFailure.stopped, from: "192.0.2.7:1")
    #expect(told.code == .peerBusy && told.code.isRetryable)
    test.far.shutdownWriting()
  }

  // MARK: The other side's end

  @Test func aHalfCloseIsHeardOnceAndTheLinkGoesOn() throws {
    link.begin(at: start)
    link.advance(at: start)
    far.shutdownWriting()
    try drive { talker.ends == 1 }
    for _ in 0..<3 { link.advance(at: SystemClock.monotonic()) }
    #expect(talker.ends == 1 && !link.isClosed)
    talker.isDone = true
    try drive { link.isClosed }
    #expect(link.failure == nil)
  }

  @Test func aHalfCloseBeforeTheFirstMessageEndsTheLink() throws {
    let test = try LinkTests(.listener)
    test.link.begin(at: start)
    test.far.shutdownWriting()
    try test.drive { test.link.isClosed }
    #expect(test.link.failure == .connectionLost("the connection ended before a message arrived"))
  }

  @Test func aHalfCloseIsWaitedForInTheFarewell() throws {
    link.begin(at: start)
    link.advance(at: start)
    talker.isDone = true
    link.advance(at: start)
    link.advance(at: start)
    #expect(isFarewell)
    far.shutdownWriting()
    try drive { link.isClosed }
  }

  // MARK: Places

  /// A peer that does not end its streams must not use up the places of all others.
  @Test func aLinkHasAPlaceUntilItIsClosed() throws {
    let open = OpenLinks(sharing: 16)
    let id = "6f2c9a4e-0000-4000-8000-00000000000"
    var tests: [LinkTests] = []
    for _ in 0..<20 {
      let test = try LinkTests(.connector)
      test.link.begin(at: start)
      test.link.advance(at: start)
      test.link.peer = LinkPeer(peerId: "\(id)1", deviceName: "laptop")
      open.handle(.opened(test.link))
      test.talker.isDone = true
      test.link.advance(at: start)
      tests.append(test)
    }
    #expect(tests.map(\.link.isClosed) == (0..<20).map { $0 < 16 })
    #expect(tests.allSatisfy { $0.link.failure == nil })
    #expect(open.refusal(of: LinkPeer(peerId: "\(id)2", deviceName: "phone")) == nil)
  }

  // MARK: Deadlines

  @Test func nobodyIsWaitedForLongerThanThat() throws {
    let test = try LinkTests(.listener)
    test.link.begin(at: start)
    test.link.advance(at: start)
    test.link.advance(at: start + .seconds(9))
    #expect(!test.link.isClosed)
    test.link.advance(at: start + .seconds(10))
    #expect(test.link.isClosed && test.link.failure == .timedOut("no message within 10 s"))
    test.far.shutdownWriting()
    talker.isDone = true
    link.begin(at: start)
    link.advance(at: start)
    #expect(isFarewell && link.wakeUp == start + .seconds(2))
    link.advance(at: start + .seconds(2))
    #expect(link.isClosed && link.failure == nil)
  }
}
