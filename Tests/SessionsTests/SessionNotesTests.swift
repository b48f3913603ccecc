import Crypto
import JSONLines
import Links
import Pairing
@testable import Sessions
import SyncCore
import SystemIO
import TestSupport
import Testing

/// What is noted of sessions that overlap, or while another process has locked the notes.
@Suite struct SessionNotesTests {
  private let peer = LinkPeer(peerId: "6f2c9a4e-0000-4000-8000-000000000001", deviceName: "Phone")

  private func peers(in folder: TemporaryFolder) throws -> Peers {
    let peers = Peers(in: folder.path("device"), state: folder.path("device"))
    let introduction = PeerIntroduction(
      peerId: peer.peerId, deviceName: peer.deviceName,
      publicKeyFingerprint: String(repeating: "1", count: 64))
    let record = TrustRecord(introduction, version: .two, pairedAt: .epoch)
    try peers.trust.change { list throws(TrustError) in try list.add(record, own: nil) }
    return peers
  }

  /// An open link of a speaker.
  private func link(_ speaker: DialogueSpeaker) throws -> Link {
    let listener = try Listener.open(host: "127.0.0.1", port: 0, interface: nil)
    let address = try #require(try SocketAddress.resolve("127.0.0.1", port: listener.port).first)
    let now = SystemClock.monotonic()
    let connection = try Connection.connect(to: address, through: nil, until: now + .seconds(10))
    var settings = LinkSettings(.connector, identity: try DeviceIdentity(creating: "laptop")) { _ in nil }
    (settings.version, settings.vouched) = (.one, peer)
    settings.speaker = { speaker }
    let link = Link(.plain(connection), settings)
    link.begin(at: now)
    link.advance(at: now)
    withExtendedLifetime(listener) {}
    return link
  }

  @Test func aNoteThatHadToWaitDoesNotReplaceALaterOne() throws {
    let folder = try TemporaryFolder()
    let peers = try peers(in: folder)
    let trial = try SpeakerTrial(.init(.acceptor))
    trial.say(SpeakerTrial.request(waitSeconds: 60))
    try #require(trial.speaker.hasCaughtUp)
    let notes = SessionNotes(peers, trial.sessions)
    let failed = SessionReport(peer, trouble: Diagnostic(.connectionLost, "the connection was lost"))
    let transfers = try peers.transfers()
    try transfers.change { _ throws(TrustError) in _ = try? notes.write(failed, address: nil) }
    #expect(try transfers.load().records.isEmpty)
    notes.begin(try link(trial.speaker), with: peer, at: nil)
    _ = notes.tend(at: SystemClock.monotonic())
    let noted = try transfers.load().record(of: peer.peerId)
    #expect(noted.lastRunAt != nil && noted.trouble == nil)
  }

  /// A peer that changes its network connects again before its old link is known to be dead.
  @Test(arguments: [true, false])
  func anOldLinkDoesNotReplaceTheSuccessOfANewerOne(_ hasCaughtUp: Bool) throws {
    let folder = try TemporaryFolder()
    let peers = try peers(in: folder)
    let (older, newer) = (try SpeakerTrial(.init(.acceptor)), try SpeakerTrial(.init(.acceptor)))
    if hasCaughtUp { newer.say(SpeakerTrial.request(waitSeconds: 60)) }
    try #require(newer.speaker.hasCaughtUp == hasCaughtUp)
    let notes = SessionNotes(peers, newer.sessions)
    let links = [try link(older.speaker), try link(newer.speaker)]
    for link in links { notes.begin(link, with: peer, at: nil) }
    _ = notes.tend(at: SystemClock.monotonic())
    var lost = SessionReport(peer, trouble: Diagnostic(.connectionLost, "the connection was lost"))
    lost.bytesReceived = 5
    try notes.end(links[0], as: lost)
    let noted = try peers.transfers().load().record(of: peer.peerId)
    #expect(noted.bytesReceived >= 5 && (noted.trouble == nil) == hasCaughtUp)
  }
}
