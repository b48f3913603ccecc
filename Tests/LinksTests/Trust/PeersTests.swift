import Crypto
import Foundation
import JSONLines
import Links
import Pairing
import SyncCore
import Testing

@Suite struct PeersTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "trust-\(UUID())").path
  private let own = PeerIntroduction(
    peerId: "6f2c9a4e-0000-4000-8000-000000000009", deviceName: "Here", publicKeyFingerprint: "9")

  private func record(_ number: Int) throws -> TrustRecord {
    let peer = PeerIntroduction(
      peerId: "6f2c9a4e-0000-4000-8000-00000000000\(number)", deviceName: "Peer",
      publicKeyFingerprint: String(repeating: "\(number)", count: 32))
    return TrustRecord(peer, version: .one, pairedAt: try #require(Instant("2026-01-01T00:00:00Z")))
  }

  private func add(_ record: TrustRecord, to store: RecordFile<TrustList>) throws(TrustError) {
    try store.change { list throws(TrustError) in try list.add(record, own: own) }
  }

  @Test func whatIsAddedIsThere() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = Peers(in: folder).trust
    #expect(try store.load().records.isEmpty)
    try add(try record(1), to: store)
    try add(try record(2), to: store)
    let expected = [try record(1), try record(2)]
    #expect(try store.load().records == expected)
    let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  /// A peer stored between checking and storing counts too.
  @Test func aContradictionIsNotStored() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = Peers(in: folder).trust
    let known = try record(1)
    try add(known, to: store)
    var other = known
    other.publicKeyFingerprint = String(repeating: "7", count: 32)
    do throws(TrustError) {
      try add(other, to: store)
      Issue.record("stored")
    } catch {
      #expect(error == .conflict(.otherKey(known)))
    }
    #expect(try store.load().records == [known])
  }

  @Test func anUnchangedListIsNotWritten() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = Peers(in: folder).trust
    try add(try record(1), to: store)
    let before = try FileManager.default.attributesOfItem(atPath: store.path)[.systemFileNumber] as? Int
    try store.change { list throws(TrustError) in list.forget("nobody") }
    let after = try FileManager.default.attributesOfItem(atPath: store.path)[.systemFileNumber] as? Int
    #expect(before == after)
  }

  // MARK: Questions

  /// Over version 2 a peer is identified by its key, over version 1 by the lack of one; both until it is
  /// forgotten.
  @Test func aPeerIsCoveredUntilItIsForgotten() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let peers = Peers(in: folder, state: folder)
    let key = try #require(KeyFingerprint(text: String(repeating: "ab", count: 32)))
    let other = try #require(KeyFingerprint(text: String(repeating: "cd", count: 32)))
    let old = try record(1)
    let new = TrustRecord(
      PeerIntroduction(
        peerId: "6f2c9a4e-0000-4000-8000-00000000000A", deviceName: "Laptop", publicKeyFingerprint: key.text),
      version: .two, pairedAt: old.pairedAt)
    for record in [old, new] { try add(record, to: peers.trust) }
    #expect(try peers.owner(of: key) == LinkPeer(new) && peers.owner(of: other) == nil)
    #expect(peers.covers(LinkPeer(new), key) && peers.covers(LinkPeer(old), nil))
    #expect(!peers.covers(LinkPeer(new), other) && !peers.covers(LinkPeer(new), nil))
    #expect(!peers.covers(LinkPeer(old), key))
    // An id is the same in either case.
    try peers.forget(new.peerId.lowercased()).get()
    #expect(try peers.owner(of: key) == nil && !peers.covers(LinkPeer(new), key))
    #expect(peers.covers(LinkPeer(old), nil))
  }

  @Test func peersOfOneNameHaveTheirIdsInMessages() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let peers = Peers(in: folder)
    func pair(_ number: Int, _ name: String) throws -> (peer: LinkPeer, key: KeyFingerprint) {
      let key = try #require(KeyFingerprint(text: String(repeating: "0\(number)", count: 32)))
      let peer = PeerIntroduction(
        peerId: "6f2c9a4e-0000-4000-8000-00000000000\(number)", deviceName: name,
        publicKeyFingerprint: key.text)
      let new = TrustRecord(peer, version: .two, pairedAt: try record(1).pairedAt)
      try add(new, to: peers.trust)
      return (LinkPeer(new), key)
    }
    let (one, two, desk) = (try pair(1, "vm"), try pair(2, "vm"), try pair(3, "desk"))
    let onlyOne = ", and --peer accepts only 'vm' (6f2c9a4e-0000-4000-8000-000000000001)"
    #expect(
      peers.objection(to: two.key, wanting: one.peer)
        == "it shows the key of 'vm' (6f2c9a4e-0000-4000-8000-000000000002)" + onlyOne)
    #expect(
      peers.objection(to: desk.key, wanting: one.peer) == "it shows the key of 'desk'" + onlyOne)
    #expect(peers.mention(of: desk.peer) == "'desk'" && peers.distinction(of: desk.peer) == "")
  }

  /// A peer that is paired again under another name is still the wanted one.
  @Test func aWantedPeerMayGetAnotherName() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let peers = Peers(in: folder)
    let key = try #require(KeyFingerprint(text: String(repeating: "ab", count: 32)))
    let (first, second) = (try record(1), try record(2))
    let proven = PeerIntroduction(
      peerId: second.peerId, deviceName: "Laptop", publicKeyFingerprint: key.text)
    var records = [first, TrustRecord(proven, version: .two, pairedAt: first.pairedAt)]
    let wanted = records.map { LinkPeer($0) }
    for index in records.indices {
      records[index].deviceName = "Renamed"
      records[index].peerId = records[index].peerId.uppercased()
      try add(records[index], to: peers.trust)
    }
    #expect(try peers.owner(of: key, wanting: wanted[1]) == LinkPeer(records[1]))
    #expect(try peers.owner(of: key, wanting: wanted[0]) == nil)
    #expect(peers.objection(to: key, wanting: wanted[1]) == nil)
    let message = Message(
      id: try #require(UUIDText("6F2C9A4E-0000-4000-8000-000000000001")), version: .one,
      sentAt: first.pairedAt, body: .ack(SyncAck(peerId: first.peerId)))
    #expect(try peers.sender(of: message, wanted[0]).get() == LinkPeer(records[0]))
  }

  @Test func nobodyIsTrustedByAFileThatCannotBeRead() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let peers = Peers(in: folder)
    let known = try record(1)
    try add(known, to: peers.trust)
    #expect(peers.covers(LinkPeer(known), nil))
    let file = try FileHandle(forWritingTo: URL(filePath: peers.trust.path))
    try file.seekToEnd()
    try file.write(contentsOf: Data("{\n".utf8))
    #expect(!peers.covers(LinkPeer(known), nil))
    #expect(throws: Diagnostic.self) { try peers.load() }
    // It is not the same as a key that is not trusted.
    let key = try #require(KeyFingerprint(text: String(repeating: "ab", count: 32)))
    #expect(throws: TrustError.self) { try peers.owner(of: key) }
    let objection = try #require(peers.objection(to: key, wanting: nil))
    #expect(objection.hasPrefix("the trusted peers cannot be read: \(peers.trust.path): line 2: "))
  }

  @Test func aFileThatCanBeReadAgainCountsAgain() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let peers = Peers(in: folder)
    let known = try record(1)
    try add(known, to: peers.trust)
    for (mode, isCovered) in [(0o644, false), (0o600, true)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: peers.trust.path)
      #expect(peers.covers(LinkPeer(known), nil) == isCovered)
    }
  }

  @Test func anAddressIsRemembered() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let peers = Peers(in: "\(folder)/a", state: folder)
    #expect(try peers.address(of: own.peerId) == nil)
    try peers.transfers().change { list throws(TrustError) in
      var record = list.record(of: own.peerId)
      record.address = "laptop.local:7411"
      list.store(record)
    }
    #expect(try peers.address(of: own.peerId.uppercased()) == "laptop.local:7411")
  }
}
