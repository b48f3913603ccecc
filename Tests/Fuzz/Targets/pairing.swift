import Pairing
import SyncCore

/// Both sides of a pairing accept any messages in any order, and trust nobody without the right proof.
///
/// The first byte chooses role, version and how time passes; each line is a message. Stored records about
/// pairings and runs read back the same.
func fuzzPairing(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let text = Array(bytes.dropFirst())
  if let list = try? PairingSessionList(parsing: text) {
    require((try? PairingSessionList(parsing: list.text)) == list, "sessions read back")
  }
  if let list = try? TransferList(parsing: text) {
    require((try? TransferList(parsing: list.text))?.text == list.text, "runs read back")
  }
  let version = choice & 1 == 0 ? ProtocolVersion.two : .one
  pair(context(choice & 2 == 0 ? .provider : .scanner, version), text, from: choice & 4 == 0 ? 0 : 290)
}

private func pair(_ context: PairingContext, _ text: [UInt8], from start: Int64) {
  var machine = PairingMachine(context)
  var session = PairingSession(context.payload, context.version)
  var inputs: [PairingInput] = [.connected]
  for line in text.split(separator: 10) {
    do throws(MessageError) {
      inputs.append(.message(try Message(parsing: Array(line).span)))
    } catch {
      inputs.append(line.isEmpty ? .tooLarge : .unreadable(error))
    }
  }
  for (place, input) in (inputs + [.end, .timeOut]).enumerated() {
    let now = beginning.advanced(by: .seconds(start + Int64(place)))
    for effect in machine.handle(input, PairingFacts(now: now, session: session, trust: TrustList())) {
      switch effect {
      case .keep(let kept): session = kept
      case .send(let message): require((try? Message(parsing: message.line.span)) != nil, "an answer reads")
      case .trust(let record):
        require(session.wrongProofs < PairingSession.wrongProofLimit, "no trust after too many wrong proofs")
        require(now < context.payload.expiresAt, "no trust after the end of the session")
        require(record.peerId != context.own.peerId, "no trust in ourselves")
      }
    }
  }
}

private let beginning = Instant("2026-01-01T07:00:00Z")!

/// As the messages of Tests/Vectors/messages.json have it.
private func context(_ role: PairingRole, _ version: ProtocolVersion) -> PairingContext {
  let digest = String(repeating: "0123456789abcdef", count: 4)
  let eight: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]
  let proof = eight + eight + eight + eight
  return PairingContext(
    role: role, version: version,
    payload: PairingPayload(
      sessionId: UUIDText("6F2C9A4E-0000-4000-8000-00000000000C")!,
      secret: PairingSecret("0123456789ABCDEF0123456789ABCDEF"), version: version,
      expiresAt: beginning.advanced(by: .seconds(300)), publicKeyFingerprint: digest),
    own: PeerIntroduction(
      peerId: "6f2c9a4e-0000-4000-8000-000000000002", deviceName: "Here",
      publicKeyFingerprint: version == .one ? "0" : String(digest.reversed())),
    peerFingerprint: version == .one ? nil : digest,
    proofs: version == .one ? nil : PairingContext.Proofs(hello: proof, confirm: proof),
    areEqual: { $0 == $1 }, newId: { UUIDText("6F2C9A4E-0000-4000-8000-00000000000A")! })
}
