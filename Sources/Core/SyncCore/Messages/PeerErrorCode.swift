/// The codes that travel in `error` messages.
package enum PeerErrorCode: String, Sendable, CaseIterable {
  case invalidQRCodePayload, expiredPairingPayload, incompatibleProtocolVersion
  case invalidPairingSession, invalidPairingSecret, untrustedPeer
  /// The token is of this store, and deletions behind it have been compacted away.
  case tokenExpired
  /// The token is of another store, or of one that has been restored or copied.
  case tokenForeign
  /// The two sides merge by different rules.
  case rulesDiffer
  /// The identities of one entity have other members on the two sides.
  case identityDiffers
  /// The records of one side name no entity, and those of the other all do.
  case entitiesDiffer
  case frameTooLarge, rateLimited, busy
  /// A page is not applied: it would delete more records than its receiver allows.
  case tooManyDeletions
  /// A page is not stored: its receiver would have to set aside more of its changes than it keeps.
  case quarantineFull
}
