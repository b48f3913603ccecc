package import JSONLines
package import SyncCore

extension Diagnostic {
  /// The session took longer than ``DialogueSettings/longestSession``.
  package static let longSession = Diagnostic(
    .timedOut, "the session did not finish within an hour",
    hint: "the next run continues where this one stopped")

  /// The other side could not apply some of the changes.
  package init(quarantinedThere count: Int) {
    self.init(
      .quarantined, "the other side could not apply all changes; in quarantine there: \(count)",
      hint: "'synclog quarantine list' on the other device shows them, and why")
  }

  /// Why a dialogue failed; nil if it finished properly.
  package init?(_ end: DialogueEnd, of settings: DialogueSettings) {
    switch end {
    case .done, .stopped: return nil
    case .refused(let code): self.init(refused: code, settings)
    case .differs(let difference):
      self.init(
        Self.code(of: difference.code), "\(difference.text); changes were not exchanged",
        hint: Self.hint(on: difference.code))
    case .peerError(let error):
      let reason = error.message.isEmpty ? "" : ": \(error.message.shown(upTo: 400))"
      self.init(
        Self.code(of: error.known), "the other side reports \(error.code.shown)\(reason)",
        hint: Self.hint(on: error.known))
    case .protocolBroken(let reason):
      self.init(.protocolBroken, "the other side broke the protocol: \(reason)")
    case .timedOut:
      self.init(.timedOut, "a message was not sent or received in time", hint: "use --timeout to wait longer")
    case .closed: self.init(.connectionClosed, "the connection ended in the middle of the dialogue")
    case .tokenLost:
      self.init(.tokenLost, "the other side rejected the token of the last changes read")
    case .cannotHandOver:
      self.init(
        .tokenForeign, "one of the two stores was replaced or restored",
        hint: "run without --direction, so that each side first reads the changes that it lacks")
    case .tooManyDeletes:
      self.init(.tooManyDeletions, "more records would be deleted than the store allows; all were kept")
    case .quarantineFull: self.init(.quarantineFull, "quarantine has no room for more changes")
    case .busy: self.init(.storeBusy, "another process uses the store")
    }
  }

  private init(refused code: PeerErrorCode, _ settings: DialogueSettings) {
    switch code {
    case .untrustedPeer:
      self.init(.untrustedPeer, "a message of another peer than '\(settings.peerId.shown)'")
    case .frameTooLarge: self.init(.messageTooLarge, "a message longer than the limit")
    default:
      self.init(.otherProtocolVersion, "a message of another version than \(settings.version.rawValue)")
    }
  }

  /// A remedy for an error that either side reports.
  private static func hint(on error: PeerErrorCode?) -> String? {
    switch error {
    case .rulesDiffer:
      "on the side whose rules are right: synclog rules show > rules.json; then on the other side, with that "
        + "file: synclog rules set --profile rules.json"
    case .identityDiffers: "record the data of one side into a new store, with the --key of the other side"
    case .entitiesDiffer:
      "record the data without entities into a new store with 'synclog record --entity-name', "
        + "or keep both kinds with --mix-entities; dump, record and put then require the entity"
    case .tooManyDeletions:
      "use --max-delete there to allow more; if 'peersync serve' runs there, restart it with that option"
    case .quarantineFull: "'synclog quarantine list' there shows the rejected changes, and why"
    default: nil
    }
  }

  /// The code for an error of the other side, which determines the exit status.
  private static func code(of error: PeerErrorCode?) -> ErrorCode {
    switch error {
    case .untrustedPeer, .invalidQRCodePayload, .expiredPairingPayload, .invalidPairingSession,
      .invalidPairingSecret:
      .untrustedPeer
    case .rulesDiffer: .rulesDiffer
    case .identityDiffers: .identityDiffers
    case .entitiesDiffer: .entitiesDiffer
    case .tokenForeign: .tokenForeign
    case .tooManyDeletions: .tooManyDeletions
    case .quarantineFull: .quarantineFull
    case .tokenExpired: .tokenLost
    case .busy, .rateLimited: .peerBusy
    case .incompatibleProtocolVersion: .otherProtocolVersion
    case .frameTooLarge: .messageTooLarge
    case nil: .peerError
    }
  }
}
