/// How a dialogue ended on one side.
package enum DialogueEnd: Equatable, Sendable {
  /// So many changes could not be applied here, or not be sent.
  case done(setAside: Int)
  /// Stopped where nothing is half done.
  case stopped
  /// This side has refused to go on, with the error that it sent.
  case refused(PeerErrorCode)
  /// The same, as the rules or records of the two stores do not go together.
  case differs(RulesDifference)
  /// The other side has sent an error.
  case peerError(PeerError)
  /// The other side broke the protocol; the message says how.
  case protocolBroken(String)
  case timedOut
  /// The connection ended in the middle.
  case closed
  /// A token was not accepted twice in one session.
  case tokenLost
  /// The other side's store is another one than before, and this side may not hand over the turn or was not asked.
  case cannotHandOver
  /// More would be removed than the guard allows.
  case tooManyDeletes
  /// More cannot be applied than is kept aside.
  case quarantineFull
  /// Another process has the store.
  case busy

  /// The exit status: 0, 65, 75, 76, 77 or 78, as docs/exit-status.md has them.
  package var status: Int32 {
    switch self {
    case .done(let setAside): setAside == 0 ? 0 : 65
    case .stopped: 0
    case .refused(let code): Self.status(of: code)
    case .differs(let difference): Self.status(of: difference.code)
    case .peerError(let error): error.known.map(Self.status) ?? 76
    case .protocolBroken: 76
    case .timedOut, .closed, .tokenLost, .busy: 75
    case .cannotHandOver, .tooManyDeletes, .quarantineFull: 77
    }
  }

  private static func status(of code: PeerErrorCode) -> Int32 {
    switch code {
    case .invalidQRCodePayload, .expiredPairingPayload, .invalidPairingSession, .invalidPairingSecret: 77
    case .untrustedPeer, .tokenForeign, .tooManyDeletions, .quarantineFull, .entitiesDiffer: 77
    case .rulesDiffer, .identityDiffers: 78
    case .busy, .rateLimited, .tokenExpired: 75
    case .incompatibleProtocolVersion, .frameTooLarge: 76
    }
  }
}
