import JSONLines
import Pairing
import SyncCore
import Testing

@Suite struct TrustListTests {
  private static let line =
    #"{"peerId":"6f2c9a4e-0000-4000-8000-000000000001","deviceName":"Mac","publicKeyFingerprint":"0123456789abcdef0123456789abcdef","protocolVersion":1,"pairedAt":"2026-01-01T00:00:00.000Z"}"#

  private func damage(_ text: String) -> DamagedLine? {
    do throws(DamagedLine) {
      _ = try TrustList(parsing: Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test func isWrittenAsItIsRead() throws {
    let text = Self.line + "\n"
    let list = try TrustList(parsing: Array(text.utf8))
    #expect(String(decoding: list.text, as: UTF8.self) == text)
    #expect(try TrustList(parsing: []).records.isEmpty)
  }

  @Test func membersOfLaterVersionsStay() throws {
    let line = Self.line.dropLast() + #","group":["a",1.50]}"#
    var list = try TrustList(parsing: Array("\(line)\n\n".utf8))
    #expect(String(decoding: list.text, as: UTF8.self) == "\(line)\n")
    list.store(TrustRecord(list.records[0].introduction, version: .one, pairedAt: list.records[0].pairedAt))
    #expect(String(decoding: list.text, as: UTF8.self) == "\(line)\n")
  }

  @Test(arguments: [
    "x", "{}", "[]", line.replacing("6f2c9a4e-", with: "z"), line.replacing(#":1,"#, with: #":3,"#),
    line.replacing(#":1,"#, with: #":2,"#), line.replacing("2026-01-01T", with: "2026-13-01T"),
    line.replacing(#""Mac""#, with: "7"), line.dropLast() + #","peerId":"x"}"#, String(line.dropLast()),
  ])
  func aLineThatIsNoRecordIsDamage(line: String) {
    #expect(damage("\(line)\n")?.line == 1)
    #expect(damage("\n\n\(line)")?.line == 3)
  }

  @Test func twoRecordsOfOnePeerAreDamage() {
    #expect(damage("\(Self.line)\n\(Self.line)\n")?.line == 2)
    #expect(damage("\(Self.line)\n\(Self.line.replacing("000001", with: "000002"))\n")?.line == 2)
  }

  // MARK: Finding

  private var list: TrustList {
    var list = TrustList()
    for (id, name) in [
      ("abcd1111", "Mac"), ("abcd2222", "Phone"), ("ef003333", "Phone"), ("ef004444", "abcd"),
    ] {
      let peer = PeerIntroduction(
        peerId: "\(id)-0000-4000-8000-000000000001", deviceName: name, publicKeyFingerprint: id)
      list.store(TrustRecord(peer, version: .one, pairedAt: TestPairing.begin))
    }
    return list
  }

  private func found(_ peer: String) -> [String] {
    switch list.find(peer) {
    case .one(let record): [record.publicKeyFingerprint]
    case .none: []
    case .several(let records): records.map(\.publicKeyFingerprint)
    }
  }

  @Test func idPrefixOrName() {
    #expect(found("abcd1111-0000-4000-8000-000000000001") == ["abcd1111"])
    #expect(found("ABCD1111-0000-4000-8000-000000000001") == ["abcd1111"])
    #expect(found("abcd1") == ["abcd1111"])
    #expect(found("Mac") == ["abcd1111"])
    #expect(found("mac") == [])
    #expect(found("abc") == [])
    #expect(found("") == [])
    #expect(found("Phone") == ["abcd2222", "ef003333"])
    #expect(found("abcd") == ["abcd1111", "abcd2222", "ef004444"])
  }

  // MARK: Version 1

  /// Nothing proves the sender of a version 1 message, so only peers without a proof are believed.
  @Test func onlyPeersOfVersion1AreBelievedOverIt() {
    var list = list
    let proven = PeerIntroduction(
      peerId: "99990000-0000-4000-8000-000000000001", deviceName: "Caf\u{e9}", publicKeyFingerprint: "9")
    list.store(TrustRecord(proven, version: .two, pairedAt: TestPairing.begin))
    func objection(_ id: String, _ name: String) -> String? {
      let body = Message.Body.syncRequest(SyncRequest(peerId: id, deviceName: name))
      return list.objection(
        toSenderOf: Message(id: TestPairing.session, version: .one, sentAt: TestPairing.begin, body: body))
    }
    #expect(objection("ABCD1111-0000-4000-8000-000000000001", "Mac") == nil)
    #expect(objection("abcd1111-0000-4000-8000-000000000001", "A new name") == nil)
    for name in ["", String(repeating: "x", count: 64), "a\nb"] {
      #expect(objection("abcd1111-0000-4000-8000-000000000001", name)?.contains("name") == true)
    }
    #expect(objection("abcd1111-0000-4000-8000-000000000001", "CAFE\u{301}")?.contains("version 2") == true)
    #expect(objection("99990000-0000-4000-8000-000000000001", "x")?.contains("version 2") == true)
    #expect(objection("abcd1111-0000-4000-8000-000000000002", "Mac")?.contains("not trusted") == true)
    let error = Message(
      id: TestPairing.session, version: .one, sentAt: TestPairing.begin, body: .error(PeerError(.busy, "")))
    #expect(list.objection(toSenderOf: error) != nil)
  }
}
