@testable import SyncCore
import Pairing
import Testing

/// The messages that pass before there is trust.
struct PairingGateTests {
  private func frame(_ payload: String) -> [UInt8] {
    let count = UInt32(payload.utf8.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + Array(payload.utf8)
  }

  private let hello = #"{"type":"pairHello"}"#

  @Test func passesWholeFramesOnly() throws {
    let bytes = frame(hello)
    for count in 0..<bytes.count {
      var gate = PairingGate()
      #expect(try gate.pass(bytes.span.extracting(0..<count), fromListener: false) == 0)
      #expect(!gate.hasHello)
    }
    var gate = PairingGate()
    let two = bytes + frame(#"{"type":"ack"}"#) + [0, 0]
    #expect(try gate.pass(two.span, fromListener: false) == two.count - 2)
    #expect(gate.hasHello && !gate.isProven)
  }

  @Test func aConfirmationIsTheProof() throws {
    var gate = PairingGate()
    let (hello, confirm) = (frame(hello), frame(#"{"type":"pairConfirm"}"#))
    _ = try gate.pass(hello.span, fromListener: false)
    _ = try gate.pass(confirm.span, fromListener: true)
    #expect(gate.isProven)
  }

  /// Whoever connects could say so of itself.
  @Test func onlyTheListenerConfirmsAndOnlyTheOtherSideBegins() throws {
    var gate = PairingGate()
    let (hello, confirm) = (frame(hello), frame(#"{"type":"pairConfirm"}"#))
    #expect(throws: PairingGateError.notPairing(type: "pairHello")) {
      try gate.pass(hello.span, fromListener: true)
    }
    _ = try gate.pass(hello.span, fromListener: false)
    #expect(throws: PairingGateError.notPairing(type: "pairConfirm")) {
      try gate.pass(confirm.span, fromListener: false)
    }
    #expect(!gate.isProven)
  }

  @Test(arguments: ["pairConfirm", "pairDone", "ack", "error", "syncRequest", "syncResponse", "other"])
  func nothingComesBeforeTheHello(type: String) {
    var gate = PairingGate()
    let bytes = frame(#"{"type":"\#(type)"}"#)
    #expect(throws: PairingGateError.notPairing(type: type)) {
      try gate.pass(bytes.span, fromListener: false)
    }
  }

  @Test(arguments: ["syncRequest", "syncResponse", "other"])
  func nothingElsePassesAfterIt(type: String) {
    var gate = PairingGate()
    let bytes = frame(hello) + frame(#"{"type":"\#(type)"}"#)
    #expect(throws: PairingGateError.notPairing(type: type)) {
      try gate.pass(bytes.span, fromListener: false)
    }
  }

  /// As the pairing itself would answer them.
  @Test(arguments: [
    ("pairConfirm", PeerErrorCode.invalidPairingSession), ("pairDone", .invalidPairingSession),
    ("ack", .invalidPairingSession), ("syncRequest", .untrustedPeer), ("syncResponse", .untrustedPeer),
    ("error", nil), ("other", nil),
  ])
  func whatTheOtherSideIsTold(type: String, code: PeerErrorCode?) {
    let id = "6F2C9A4E-0000-4000-8000-000000000001"
    for (text, question) in [(id.lowercased(), id), ("x", nil)] {
      let bytes = frame(#"{"id":"\#(text)","type":"\#(type)"}"#)
      var gate = PairingGate()
      do throws(PairingGateError) {
        _ = try gate.pass(bytes.span, fromListener: false)
        Issue.record("it has passed")
      } catch {
        #expect(error.answer == code && error.question == question.flatMap { UUIDText($0) })
      }
    }
    #expect(PairingGateError.frameTooLarge(limit: 1).answer == .frameTooLarge)
    #expect(PairingGateError.noMessage.answer == nil)
  }

  /// Any number of scalars can form one character.
  @Test func aLongTypeIsCut() {
    let type = "x" + String(repeating: "\u{301}", count: 3_900)
    #expect(PairingGateError.notPairing(type: type).message.unicodeScalars.count < 100)
  }

  @Test(arguments: ["", "x", "{}", "[]", #"{"type":7}"#])
  func onlyMessagesPass(payload: String) {
    var gate = PairingGate()
    let bytes = frame(payload)
    #expect(throws: PairingGateError.noMessage) { try gate.pass(bytes.span, fromListener: false) }
  }

  /// Whatever its other faults: its type, its place, or a missing type.
  @Test(arguments: [
    #""type":"hallo""#, #""type":"syncRequest""#, #""type":"syncResponse""#, #""type":"pairConfirm""#,
    #""type":"pairDone""#, #""type":"ack""#, #""type":"error""#, #""type":7"#, #""x":1"#,
  ])
  func anotherVersionIsRefusedAsSuch(members: String) {
    for (version, other) in [(ProtocolVersion.one, "2"), (.one, "3"), (.two, "1")] {
      var gate = PairingGate(version)
      let bytes = frame(#"{"protocolVersion":\#(other),\#(members)}"#)
      #expect(throws: PairingGateError.otherVersion(other)) { try gate.pass(bytes.span, fromListener: false) }
    }
    #expect(PairingGateError.otherVersion("3").answer == .incompatibleProtocolVersion)
  }

  /// The beginning of a ClientHello (RFC 8446 §5.1).
  @Test func aHandshakeOfTLSIsNamed() {
    var gate = PairingGate(.one)
    let bytes: [UInt8] = [0x16, 3, 1, 2, 0, 1]
    #expect {
      try gate.pass(bytes.span, fromListener: false)
    } throws: {
      guard case PairingGateError.foreign(let reason) = $0 else { return false }
      return reason.contains("TLS")
    }
    #expect(PairingGateError.foreign("x").answer == .incompatibleProtocolVersion)
  }

  /// The pairing answers it, with the same code.
  @Test func aHelloOfAnotherVersionPasses() throws {
    var gate = PairingGate(.one)
    let bytes = frame(#"{"protocolVersion":2,"type":"pairHello"}"#)
    #expect(try gate.pass(bytes.span, fromListener: false) == bytes.count)
  }

  /// After the hello too, as the pairing answers any message of another version.
  @Test func aSyncOfAnotherVersionAfterTheHello() {
    var gate = PairingGate(.one)
    let bytes = frame(hello) + frame(#"{"protocolVersion":2,"type":"syncRequest"}"#)
    #expect(throws: PairingGateError.otherVersion("2")) { try gate.pass(bytes.span, fromListener: false) }
  }

  /// The length alone decides, before a byte of the payload is there.
  @Test func longFramesAreRefusedAtTheirHeader() throws {
    var gate = PairingGate()
    let limit = PairingGate.limit
    let longest: [UInt8] = [0, 0, UInt8(limit >> 8), UInt8(limit & 255)]
    #expect(try gate.pass(longest.span, fromListener: false) == 0)
    let longer: [UInt8] = [0, 0, UInt8(limit >> 8), UInt8(limit & 255) + 1]
    #expect(throws: PairingGateError.frameTooLarge(limit: limit)) {
      try gate.pass(longer.span, fromListener: false)
    }
  }
}
