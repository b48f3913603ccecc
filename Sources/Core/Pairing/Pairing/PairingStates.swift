package import SyncCore

/// A side of a pairing.
package enum PairingRole: String, Sendable, CaseIterable {
  /// The side that shows the QR symbol and waits.
  case provider
  /// The side that reads the QR symbol and begins.
  case scanner
}

/// The state of a side of a pairing.
package enum PairingState: String, Sendable, CaseIterable {
  /// Scanner: has not sent a message yet.
  case ready
  /// Provider: waits for a `pairHello`.
  case waiting
  /// Scanner: waits for a `pairConfirm`.
  case greeted
  /// Provider: waits for a `pairDone`.
  case confirmed
  /// Scanner, version 2: waits for the ack of its `pairDone`.
  case finishing
  /// The other side is trusted.
  case paired
  /// The pairing failed, and the same attempt would fail again.
  case refused
  /// The pairing failed, because the other side broke the protocol.
  case broken
  /// The pairing failed, because the other side closed the connection or is busy; a retry may succeed.
  case unfinished

  package var isFinal: Bool { [.paired, .refused, .broken, .unfinished].contains(self) }
}

/// An event of a pairing, as seen from one side.
package enum PairingEvent: String, Sendable, CaseIterable {
  /// Scanner: connected, in version 2 to the key of the payload.
  case connected
  /// Scanner, version 2: the other end's key differs from the key in the payload.
  case wrongFingerprint
  /// A `pairHello` with a right proof or secret, from a scanner that may be trusted.
  case rightHello
  /// A `pairConfirm` of this session that answers our `pairHello`, with a right proof in version 2.
  case rightConfirm
  /// A `pairDone` of the scanner that sent the right `pairHello` on this connection.
  case rightDone
  /// Version 2: the `ack` of our `pairDone`.
  case rightAck
  /// A wrong secret or proof.
  case wrongProof
  /// Another session, an ended one, or one that is bound to another scanner.
  case wrongSession
  /// The payload has expired.
  case expired
  /// A message of another protocol version.
  case wrongVersion
  /// Version 2: a message with the secret in clear.
  case secretInClear
  /// A peer that tries to sync, or whose id or key contradicts the connection or known facts.
  case stranger
  /// An unexpected message.
  case outOfOrder
  /// Bytes that are not a message.
  case unreadable
  /// A line longer than the limit for pairing messages.
  case tooLarge
  /// An `error` message.
  case peerRefuses
  /// An `error` message with `busy` or `rateLimited`.
  case peerIsBusy
  /// The connection has ended.
  case end
  /// A message did not arrive in time.
  case timeOut
}

/// An action of a side.
///
/// Actions are carried out in order, and data is written to disk before the next message is sent.
package enum PairingAction: Equatable, Sendable {
  case countWrongProof, bindSession, endSession
  case storeTrust
  case sendHello, sendConfirm, sendDone, sendAck
  case sendError(PeerErrorCode)
}

extension PairingAction: CustomStringConvertible {
  package var description: String {
    switch self {
    case .countWrongProof: "count the wrong proof"
    case .bindSession: "bind the session"
    case .endSession: "end the session"
    case .storeTrust: "store the trust"
    case .sendHello: "send `pairHello`"
    case .sendConfirm: "send `pairConfirm`"
    case .sendDone: "send `pairDone`"
    case .sendAck: "send `ack`"
    case .sendError(let code): "send `\(code.rawValue)`"
    }
  }
}
