/// The names of members that messages have.
package enum MessageName: String, CaseIterable {
  case id, protocolVersion, sentAt, type, inReplyTo
  case pairingSessionId, pairingSecret, pairingProof, publicKeyFingerprint
  case peerId, deviceName
  case sinceTokenData, ackedTokenData, rulesDigest, mergeRules, entities, mixEntities, waitSeconds, resync
  case delta, changes, hasMore, rules, heldTokenData, quarantinedKeys
  case ackTokenData, yourTurn, quarantined
  case errorCode, errorMessage
}
