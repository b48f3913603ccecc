import JSONLines
import Pairing
import SyncCore

/// A payload is the same after it is written and read again, and so is a list of trusted peers.
///
/// The first byte chooses which of the two the rest is.
func fuzzPayload(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let text = Array(bytes.dropFirst())
  if choice & 1 == 0 { checkPayload(text) } else { checkTrust(text) }
}

private func checkPayload(_ text: [UInt8]) {
  do throws(PairingPayloadProblem) {
    let payload = try PairingPayload(parsing: text.span)
    let again = try PairingPayload(parsing: payload.base64.span)
    require(again.json == payload.json, "one payload is written in one way")
    let symbol = try PairingPayload.symbolText(of: text.span)
    require(
      try PairingPayload(parsing: symbol.span).json == payload.json, "a symbol holds what it is made of")
    if let code = payload.typed {
      let typed = try PairingPayload(parsing: Array(code.utf8).span)
      require(typed.typed == code, "a code is typed in one way")
      require(
        typed.sessionId == payload.sessionId && typed.secret.bytes == payload.secret.bytes,
        "a code names the same session and secret")
    }
    for problem in payload.problems(at: payload.expiresAt) { checkMessage(problem.message) }
  } catch {
    checkMessage(error.message)
  }
}

private func checkTrust(_ text: [UInt8]) {
  do throws(DamagedLine) {
    let list = try TrustList(parsing: text)
    require(try TrustList(parsing: list.text) == list, "one list is written in one way")
    for record in list.records {
      require(list.find(record.peerId) == .one(record), "a peer is found by its id")
      let conflict = list.conflict(with: record.introduction, over: record.version, own: own)
      require(conflict == nil || conflict == .ourselves, "a peer that is known contradicts nothing")
    }
  } catch {
    require(error.line > 0, "lines count from 1")
    checkMessage(error.message)
  }
}

private func checkMessage(_ message: String) {
  require(!message.isEmpty && !message.hasSuffix("."), "a message has no period")
  require(message.escapingControls == message, "a message steers no terminal")
}

private let own = PeerIntroduction(
  peerId: "6f2c9a4e-0000-4000-8000-000000000001", deviceName: "Here", publicKeyFingerprint: "0")
