import Captures
import SyncCore
import TestSupport
import Testing

/// One fault in an otherwise correct conversation is at most one finding: its consequences are none.
@Suite struct ConversationFaultTests {
  /// The possible faults of one message in a conversation.
  enum Fault: String, CaseIterable {
    case missing, twice, sentAgain, swapped, unknownType, unknownVersion, otherVersion, otherPeer, otherReply
    case otherToken, otherSide, otherSession, otherKey, usedID, forged, withoutPeer, withoutID
  }

  struct Talk: CustomTestStringConvertible {
    var name: String
    var lines: [String]
    var testDescription: String { name }
  }

  static func talk(
    _ name: String, _ direction: DialogueSettings.Direction = .both, _ version: ProtocolVersion = .two,
    pageLimit: Int = 4 << 20, window: Int = 1, records: Int = 3
  ) -> Talk {
    var (phone, mac) = (MemoryStore("phone", seed: 1), MemoryStore("mac", seed: 2))
    for index in 0..<3 { phone.write("p\(index)", "phone", at: index) }
    for index in 0..<records { mac.write("m\(index)", "mac", at: index) }
    var pipe = DialoguePipe(
      phone, mac, direction: direction, version: version, pageLimit: pageLimit, window: window)
    pipe.run()
    return Talk(name: name, lines: pipe.sent.map { String(decoding: $0.line, as: UTF8.self) })
  }

  static let talks = [
    talk("both ways"), talk("both ways, many pages", pageLimit: 1), talk("pull", .pull, pageLimit: 1),
    talk("push", .push, pageLimit: 1), talk("pages ahead", pageLimit: 1, window: 3),
    talk("many pages ahead", .pull, pageLimit: 1, window: 16, records: 20),
    talk("version 1", .pull, .one),
    talk("version 1, both ways", .both, .one),
    Talk(name: "pairing", lines: PairingLines.all), Talk(name: "pairing, version 1", lines: PairingLines.one),
  ]

  private func findings(_ lines: [String]) -> [String] { Self.findings(lines) }

  static func findings(_ lines: [String]) -> [String] {
    var check = ConversationCheck()
    return lines.enumerated().flatMap { number, line -> [String] in
      let bytes = Array(line.utf8)
      guard let place = try? ConversationLine(bytes.span) else { return ["\(number): no message"] }
      return check.check(bytes.span, place.message).map { "\(number): \($0.code.rawValue): \($0.message)" }
    }
  }

  @Test(arguments: talks)
  func whatKeepsToTheProtocolHasNoFindings(talk: Talk) {
    #expect(talk.lines.count > 2)
    #expect(findings(talk.lines) == [])
  }

  /// The letters of an id may have either case, in each message separately.
  @Test func anIdInOtherLettersIsNoThirdPeer() {
    let talk = Self.talks[0].lines.enumerated().map { number, line in
      line.replacing("\"mac\"", with: number % 2 == 0 ? "\"aBcD\"" : "\"AbCd\"")
        .replacing("\"phone\"", with: number % 3 == 0 ? "\"eFgH\"" : "\"EfGh\"")
    }
    #expect(findings(talk) == [])
  }

  @Test(arguments: talks, Fault.allCases)
  func oneFaultIsOneFinding(talk: Talk, fault: Fault) {
    for index in Tries.some(talk.lines.indices) {
      // The first message determines the version of a conversation.
      if fault == .otherVersion, index == 0 { continue }
      let damaged = Self.damaged(talk.lines, fault, at: index)
      let findings = findings(damaged)
      #expect(findings.count <= 1, "\(fault) at \(index): \(findings)")
      if Self.areAlwaysFound.contains(fault) { #expect(findings.count == 1, "\(fault) at \(index)") }
    }
  }

  private static let areAlwaysFound: Set<Fault> = [
    .twice, .unknownType, .unknownVersion, .otherVersion, .otherSide, .withoutPeer, .withoutID,
  ]

  /// Only messages that one fault explains are excused.
  @Test func twoFaultsAreTwoFindings() {
    var lines = Self.talk("pull", .pull, pageLimit: 1).lines
    lines[7] = Self.ofTheOtherSide(lines[7])
    lines.remove(at: 2)
    #expect(
      findings(lines) == [
        "2: unexpectedMessage: a request before the previous page was acknowledged",
        "6: responseWithoutRequest: a response without an open request",
      ])
  }

  /// The members are those of version 1, whatever version a message states.
  @Test(arguments: [talk("version 1, both ways", .both, .one).lines, PairingLines.one])
  func aMessageThatCallsItselfVersion2IsOfAnotherVersion(lines: [String]) {
    for index in lines.indices.dropFirst() {
      #expect(
        findings(Self.damaged(lines, .otherVersion, at: index))
          == ["\(index): versionChanged: version 2 after version 1"])
    }
    let all = lines.enumerated().map { $0 == 0 ? $1 : Self.damaged([$1], .otherVersion, at: 0)[0] }
    #expect(findings(all) == ["1: versionChanged: version 2 after version 1"])
  }

  @Test func aSecretInVersion2IsAFindingInAnyConversation() {
    let hello = Self.damaged([PairingLines.one[0]], .otherVersion, at: 0)[0]
    #expect(
      findings([PairingLines.one[0], hello.replacing("0001\",\"pro", with: "0009\",\"pro")])
        == ["1: secretInClear: 'pairingSecret' in a message of version 2"])
  }

  private static func damaged(_ lines: [String], _ fault: Fault, at index: Int) -> [String] {
    var lines = lines
    func change(_ member: String, to value: String) {
      lines[index] = lines[index].replacing(try! Regex(#""\#(member)":("[^"]*"|[0-9]+)"#), with: value)
    }
    let other = "6F2C9A4E-FFFF-4000-8000-000000000001"
    switch fault {
    case .missing: lines.remove(at: index)
    case .twice: lines.insert(lines[index], at: index)
    case .sentAgain:
      let first = lines[index]
      change("id", to: #""id":"\#(other)""#)
      lines.insert(first, at: index)
    case .swapped: if index + 1 < lines.count { lines.swapAt(index, index + 1) }
    case .unknownType: change("type", to: #""type":"other""#)
    case .unknownVersion: change("protocolVersion", to: #""protocolVersion":3"#)
    case .otherVersion:
      change("protocolVersion", to: #""protocolVersion":\#(lines[index].contains(#"Version":1"#) ? 2 : 1)"#)
    case .otherPeer: change("peerId", to: #""peerId":"watch""#)
    case .otherReply: change("inReplyTo", to: #""inReplyTo":"\#(other)""#)
    case .otherToken:
      change("ackTokenData", to: #""ackTokenData":"WFhY""#)
      change("newTokenData", to: #""newTokenData":"WFhY""#)
    case .otherSide: lines[index] = ofTheOtherSide(lines[index])
    case .otherSession: change("pairingSessionId", to: #""pairingSessionId":"\#(other)""#)
    case .otherKey:
      change("publicKeyFingerprint", to: #""publicKeyFingerprint":"\#(String(repeating: "b", count: 64))""#)
    case .usedID:
      let id = #/"id":"[^"]*"/#
      let used = lines[0].firstMatch(of: id).map { String($0.output) } ?? ""
      if index > 0 { lines[index] = lines[index].replacing(id, with: used, maxReplacements: 1) }
    case .forged:
      let right = lines[index]
      change("id", to: #""id":"\#(other)""#)
      lines[index] = ofTheOtherSide(lines[index])
      lines.insert(right, at: index + 1)
    case .withoutPeer: change("peerId", to: #""peer":"x""#)
    case .withoutID: change("id", to: #""id":"x""#)
    }
    return lines
  }

  private static func ofTheOtherSide(_ line: String) -> String {
    let other = line.contains(#""peerId":"phone""#) ? "mac" : "phone"
    return line.replacing(try! Regex(#""peerId":"[^"]*""#), with: #""peerId":"\#(other)""#)
  }

  // MARK: Sides of a pairing

  @Test(arguments: [PairingLines.all, PairingLines.one])
  func whatComesFromTheWrongSideIsAFinding(lines: [String]) {
    for (index, message) in [
      (0, nil), (1, "a pairConfirm of the side that sent the pairHello"),
      (2, "a pairDone of the side that sent the pairConfirm"),
      (3, "an ack of a pairDone by the side that sent it"),
    ] where index < lines.count {
      var lines = lines
      lines[index] = Self.ofTheOtherSide(lines[index])
      let findings = findings(lines)
      if let message {
        #expect(findings == ["\(index): unexpectedMessage: \(message)"])
      } else {
        // The beginning side is the scanner, so the fault shows in the next message.
        #expect(findings == ["1: unexpectedMessage: a pairConfirm of the side that sent the pairHello"])
      }
    }
  }

  /// The ack answers the sender of the `pairDone`, even if the other side should have sent it.
  @Test func theAckOfAPairDoneOfTheWrongSideIsNoFinding() {
    let lines = PairingLines.all.enumerated().map { $0 < 2 ? $1 : Self.ofTheOtherSide($1) }
    #expect(findings(lines) == ["2: unexpectedMessage: a pairDone of the side that sent the pairConfirm"])
  }

  @Test func thePairHelloOfTheOtherSideIsAFinding() {
    let other = PairingLines.all[0].replacing("phone", with: "mac").replacing(
      "0001\",\"pro", with: "0009\",\"pro")
    #expect(
      findings([PairingLines.all[0], other])
        == ["1: unexpectedMessage: a pairHello of the side that shows the symbol"])
  }

  @Test(arguments: [PairingLines.all, PairingLines.one])
  func theRightPairConfirmAfterAFalseOneIsNoFinding(lines: [String]) {
    #expect(
      findings(Self.damaged(lines, .forged, at: 1))
        == ["1: unexpectedMessage: a pairConfirm of the side that sent the pairHello"])
  }

  @Test(arguments: [PairingLines.all, PairingLines.one])
  func thePairDoneAfterAPairConfirmOfAnotherSessionIsNoFinding(lines: [String]) {
    #expect(
      findings(Self.damaged(lines, .otherSession, at: 1))
        == ["1: unexpectedMessage: pairConfirm without a pairHello of its session"])
  }

  @Test(arguments: [PairingLines.all, PairingLines.one])
  func aPairDoneHasTheKeyOfItsPairHello(lines: [String]) {
    for index in [0, 2] {
      #expect(
        findings(Self.damaged(lines, .otherKey, at: index))
          == ["2: unexpectedMessage: a pairDone with another key than the pairHello of its session"])
    }
    #expect(findings(Self.damaged(lines, .otherKey, at: 1)) == [])
  }

  @Test(arguments: [PairingLines.all, PairingLines.one])
  func aPairDoneIsSentOnce(lines: [String]) {
    #expect(
      findings(Self.damaged(lines, .sentAgain, at: 2))
        == ["3: unexpectedMessage: a second pairDone of its session"])
  }

  /// After a broken connection the scanner begins again.
  @Test func aPairingMayBeRepeatedFromItsPairHello() {
    let again = PairingLines.all.map { $0.replacing("-8000-00000000000", with: "-9000-00000000000") }
      .map { $0.replacing("-9000-00000000000C", with: "-8000-00000000000C") }
    #expect(findings(Array(PairingLines.all.prefix(3)) + again) == [])
  }

  // MARK: Contents

  @Test(arguments: [
    (#""upserts":[{}],"deletes":[]"#, "delta/upserts/0: no member 'entityName'"),
    (#""upserts":[],"deletes":[7]"#, "delta/deletes/0: not a JSON object"),
  ])
  func entriesOfADeltaAreLookedAt(delta: String, message: String) {
    var lines = Self.talk("version 1", .pull, .one).lines
    lines[1] = lines[1].replacing(try! Regex(#""upserts":.*\],"deletes":\[\]"#), with: delta)
    #expect(findings(lines) == ["1: invalidMessage: \(message)"])
  }

  @Test(arguments: [
    (#"{}"#, "not a change line: no member 'identity'"),
    (#"{"id":"1"}"#, "not a change line: no member 'identity'"),
    (#"{"identity":{}}"#, "no key: 'entityName' is missing or not a string"),
  ])
  func changesAreChangeLines(line: String, message: String) {
    var lines = Self.talk("pull", .pull).lines
    lines[1] = lines[1].replacing(try! Regex(#""changes":\[.*\]"#), with: #""changes":[\#(line)]"#)
    #expect(findings(lines) == ["1: invalidMessage: changes/0: \(message)"])
  }
}

/// The messages of a successful pairing.
enum PairingLines {
  private static let digest = String(repeating: "a", count: 64)

  private static func line(
    _ version: Int, _ number: Int, _ type: String, _ peer: String, _ rest: String
  ) -> String {
    #"{"id":"6F2C9A4E-0000-4000-8000-00000000000\#(number)","protocolVersion":\#(version),"#
      + #""sentAt":"2026-01-01T07:06:01Z","type":"\#(type)","peerId":"\#(peer)","deviceName":"x","#
      + #""publicKeyFingerprint":"\#(digest)","pairingSessionId":"6F2C9A4E-0000-4000-8000-00000000000C"\#(rest)}"#
  }

  private static func reply(to number: Int) -> String {
    #","inReplyTo":"6F2C9A4E-0000-4000-8000-00000000000\#(number)""#
  }

  private static let proof = #","pairingProof":"\#(digest)""#

  static let all = [
    line(2, 1, "pairHello", "phone", proof), line(2, 2, "pairConfirm", "mac", proof + reply(to: 1)),
    line(2, 3, "pairDone", "phone", reply(to: 2)),
    line(2, 4, "ack", "mac", #","ackTokenData":"""# + reply(to: 3)),
  ]

  static let one = [
    line(1, 1, "pairHello", "phone", #","pairingSecret":"x""#), line(1, 2, "pairConfirm", "mac", ""),
    line(1, 3, "pairDone", "phone", ""),
  ]
}
