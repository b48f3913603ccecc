/// The stable name of everything that can go wrong; docs/exit-status.md lists them with their exit statuses.
public enum ErrorCode: String, CaseIterable, Sendable {
  case unknownOption, unknownCommand, invalidOptionValue, wrongOperands, conflictingOptions
  case fileNotFound, notReadable, cannotCreate, readFailed, writeFailed, fileTooLarge
  case commandNotFound, commandFailed, systemFailure
  case looseSecretFile, bug
  case unexpectedByte, unexpectedEnd, trailingBytes, invalidUTF8, controlCharacter, invalidEscape
  case loneSurrogate, nestingTooDeep, exponentTooLarge
  case notAnObject, noKey, duplicateMember, duplicateKey, invalidClock, invalidVersion, unterminatedLine
  case truncatedHeader, truncatedPayload, invalidHeader, frameTooLarge, lineBreakInPayload, skippedBytes
  case invalidBase64, invalidHex
  case notAMessage, notASyncResponse, incompatibleProtocolVersion, missingMember, unknownMember, wrongType,
    unknownTag
  case conflictingTypes, invalidDate, numberOutOfRange, inexactNumber, fractionOfSecond, nestedValue
  case compositeIdentity, missingClock
  case unknownValue, unknownZone
  case invalidProfile, clockAhead, deleteOfAbsent, newerInBase
  case cannotListen, cannotConnect, refusedByPeer, connectionLost
  case storeBusy, storeFull, storeReadOnly, storeCorrupt, storeFailed, notAStore, newerStore
  case invalidToken, tokenForeign, tokenExpired, tooManyDeletions, notASnapshot, unknownPeer, otherEntity,
    lineTooLarge
  case conflict, quarantined, quarantineFull
  case clockRefused, missingEntity, storeRulesDiffer, entityKeysDiffer, olderStore, identityDiffers,
    entitiesDiffer
  case untrustedPeer, rulesDiffer, otherProtocolVersion, protocolBroken, messageTooLarge, peerError
  case timedOut, connectionClosed, tokenLost, peerBusy
  case invalidStory
  case invalidQRCodePayload, expiredPairingPayload, wrongServiceType, weakSecret, terminalTooSmall
  case noIdentity, damagedRecord, noConnectionFacts, wrongFingerprint, invalidPairingSession,
    invalidPairingSecret
  case notConfirmed, peerNotFound, alreadyRunning
  case malformedPacket
  case unknownHandle, unconnectedPeer, changedIdentity, notAMeshMessage, untrustedSender, staleSnapshot,
    droppedVote
  case reservedKey, contextTooLarge, undecodableValue
  case notASigningKey, payloadTooLarge, pushRefused, pushesWaiting
  case partialRun
  case interrupted
}

extension ErrorCode {
  /// Whether the same run may go better later.
  package var isRetryable: Bool {
    switch self {
    case .storeBusy, .connectionLost, .timedOut, .connectionClosed, .tokenLost, .peerBusy, .alreadyRunning,
      .pushesWaiting, .interrupted:
      true
    case .commandFailed, .cannotConnect, .terminalTooSmall, .peerNotFound: true
    default: false
    }
  }
}
