package import SyncCore

/// The state machine of a pairing; docs/formats/pairing.md shows the same rows.
package enum PairingTable {
  package struct Row: Sendable {
    package var role: PairingRole
    package var versions: [ProtocolVersion]
    package var states: [PairingState]
    package var event: PairingEvent
    package var actions: [PairingAction]
    package var next: PairingState
  }

  /// The row of the table for an event.
  ///
  /// An event without a row counts as out of order. In a final state, an event does not have an effect.
  package static func row(
    _ role: PairingRole, _ version: ProtocolVersion, _ state: PairingState, _ event: PairingEvent
  ) -> Row? {
    guard !state.isFinal else { return nil }
    let rows = rows.filter { $0.role == role && $0.versions.contains(version) && $0.states.contains(state) }
    return rows.first { $0.event == event } ?? rows.first { $0.event == .outOfOrder }
  }

  package static let rows: [Row] = provider + scanner

  private static let both = ProtocolVersion.allCases

  private static func rows(
    of role: PairingRole
  ) -> ([ProtocolVersion], [PairingState], PairingEvent, [PairingAction], PairingState) -> Row {
    { Row(role: role, versions: $0, states: $1, event: $2, actions: $3, next: $4) }
  }

  private static let provider: [Row] = {
    let any: [PairingState] = [.waiting, .confirmed]
    let row = rows(of: .provider)
    return [
      row(both, [.waiting], .rightHello, [.bindSession, .sendConfirm], .confirmed),
      row([.one], [.confirmed], .rightDone, [.storeTrust, .endSession], .paired),
      row([.two], [.confirmed], .rightDone, [.endSession, .storeTrust, .sendAck], .paired),
      row(both, [.waiting], .wrongProof, [.countWrongProof, .sendError(.invalidPairingSecret)], .refused),
      row([.two], any, .secretInClear, [.sendError(.invalidPairingSecret)], .refused),
      row(both, any, .wrongSession, [.sendError(.invalidPairingSession)], .refused),
      row([.one], any, .expired, [.sendError(.invalidPairingSession)], .refused),
      row([.two], any, .expired, [.sendError(.expiredPairingPayload)], .refused),
      row(both, any, .wrongVersion, [.sendError(.incompatibleProtocolVersion)], .broken),
      row(both, any, .stranger, [.sendError(.untrustedPeer)], .refused),
      row(both, any, .outOfOrder, [.sendError(.invalidPairingSession)], .broken),
      row(both, any, .tooLarge, [.sendError(.frameTooLarge)], .broken),
      row(both, any, .unreadable, [], .broken),
      row(both, any, .peerRefuses, [], .refused),
      row(both, any, .peerIsBusy, [], .unfinished),
      row(both, any, .end, [], .unfinished),
      row(both, any, .timeOut, [], .unfinished),
    ]
  }()

  private static let scanner: [Row] = {
    let any: [PairingState] = [.greeted, .finishing]
    let row = rows(of: .scanner)
    return [
      row(both, [.ready], .connected, [.sendHello], .greeted),
      row([.two], [.ready], .wrongFingerprint, [], .refused),
      row(both, [.ready], .stranger, [], .refused),
      row(both, [.ready], .expired, [], .refused),
      row(both, [.ready], .outOfOrder, [], .broken),
      row([.one], [.greeted], .rightConfirm, [.storeTrust, .sendDone], .paired),
      row([.two], [.greeted], .rightConfirm, [.sendDone], .finishing),
      row([.two], [.finishing], .rightAck, [.storeTrust], .paired),
      row([.two], [.greeted], .wrongProof, [.sendError(.invalidPairingSecret)], .refused),
      row([.two], any, .secretInClear, [.sendError(.invalidPairingSecret)], .refused),
      row(both, any, .wrongSession, [.sendError(.invalidPairingSession)], .refused),
      row(both, any, .expired, [.sendError(.expiredPairingPayload)], .refused),
      row(both, any, .wrongVersion, [.sendError(.incompatibleProtocolVersion)], .broken),
      row(both, any, .stranger, [.sendError(.untrustedPeer)], .refused),
      row(both, any, .outOfOrder, [.sendError(.invalidPairingSession)], .broken),
      row(both, any, .tooLarge, [.sendError(.frameTooLarge)], .broken),
      row(both, any, .unreadable, [], .broken),
      row(both, any, .peerRefuses, [], .refused),
      row(both, any, .peerIsBusy, [], .unfinished),
      row(both, any, .end, [], .unfinished),
      row(both, any, .timeOut, [], .unfinished),
    ]
  }()
}
