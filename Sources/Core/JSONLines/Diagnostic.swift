/// A report for the user: a stable code, a place, the fault, and a remedy if there is one.
package struct Diagnostic: Explained, Equatable, Sendable {
  package var code: ErrorCode
  /// The error in words: lower-case, no final period.
  package var message: String
  package var file: String?
  /// The line in the file, 1-based.
  package var line: Int?
  /// The byte offset in the file or stream, 0-based.
  package var offset: Int?
  package var hint: String?
  /// Whether the place is in a text that may have several lines.
  package var isOfText = false
  /// The exit status, if it differs from that of the code.
  package var ending = Ending.ofCode
  /// The pause that the other side requests; nil if it does not request one.
  package var retryAfter: Duration?
  /// Further members of the JSON form.
  package var facts: [JSONMember] = []

  package enum Ending: Sendable {
    case ofCode
    /// The exit status is that of the answer "no", as for an invalid payload.
    case no
    /// A pairing was refused.
    ///
    /// Other commands treat the same code as an answer, not as an error.
    case refused
  }

  package init(
    _ code: ErrorCode, _ message: String, file: String? = nil, line: Int? = nil, offset: Int? = nil,
    hint: String? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.line = line
    self.offset = offset
    self.hint = hint
  }

  /// Describes an error at a place.
  package init(_ error: some Explained, file: String? = nil, line: Int? = nil, offset: Int? = nil) {
    self.init(error.code, error.message, file: file, line: line, offset: offset, hint: error.remedy)
  }

  package var remedy: String? { hint }

  /// `capture.bin: offset 12: truncated header: need 4 bytes, have 2`.
  package var text: String {
    var parts: [String] = []
    if let file { parts.append(file.isEmpty ? "''" : file) }
    if let line { parts.append("line \(line)") } else if let offset { parts.append("offset \(offset)") }
    return (parts + [message]).joined(separator: ": ")
  }
}

/// An error with a code for machines and a text for people.
package protocol Explained: Error {
  var code: ErrorCode { get }
  /// The error in words: lower-case, no final period.
  var message: String { get }
  /// The remedy, if there is one.
  var remedy: String? { get }
}

extension Explained {
  package var remedy: String? { nil }
}

/// The stable name of every possible error; docs/exit-status.md lists them with their exit statuses.
public enum ErrorCode: String, CaseIterable, Sendable {
  case unknownOption, unknownCommand, invalidOptionValue, wrongOperands, conflictingOptions
  case fileNotFound, notReadable, cannotCreate, readFailed, writeFailed, fileTooLarge
  case commandNotFound, commandFailed, systemFailure
  case looseSecretFile, bug
  case unexpectedByte, unexpectedEnd, trailingBytes, invalidUTF8, controlCharacter, invalidEscape
  case loneSurrogate, nestingTooDeep, exponentTooLarge
  case notAnObject, noKey, duplicateMember, duplicateKey, invalidClock, invalidVersion, unterminatedLine,
    untaggedLine
  case truncatedHeader, truncatedPayload, invalidHeader, frameTooLarge, lineBreakInPayload, skippedBytes
  case invalidBase64, invalidHex, invalidDeflate
  case notAMessage, notASyncResponse, incompatibleProtocolVersion, missingMember, unknownMember, wrongType,
    unknownTag
  case conflictingTypes, invalidDate, numberOutOfRange, inexactNumber, fractionOfSecond, nestedValue
  case compositeIdentity, missingClock
  case unknownValue, unknownZone
  case invalidProfile, clockAhead, deleteOfAbsent, newerInBase
  case cannotListen, cannotConnect, remoteUnreachable, refusedByPeer, connectionLost
  case storeBusy, storeFull, storeReadOnly, storeCorrupt, storeFailed, notAStore, newerStore
  case invalidToken, tokenForeign, tokenExpired, tooManyDeletions, notASnapshot, unknownPeer, otherEntity,
    lineTooLarge
  case conflict, quarantined, quarantineFull, hookFailed
  case clockRefused, missingEntity, storeRulesDiffer, entityKeysDiffer, olderStore, identityDiffers,
    entitiesDiffer
  case untrustedPeer, rulesDiffer, otherProtocolVersion, protocolBroken, messageTooLarge, peerError
  case timedOut, connectionClosed, tokenLost, peerBusy
  case invalidStory, invalidCalendar
  case unknownTable, unknownColumn, unfitValue, rowRefused
  case invalidQRCodePayload, expiredPairingPayload, wrongServiceType, weakSecret, terminalTooSmall
  case noIdentity, damagedRecord, noConnectionFacts, wrongFingerprint, invalidPairingSession,
    invalidPairingSecret
  case notConfirmed, peerNotFound, alreadyRunning
  case malformedPacket
  case notACapture, truncatedCapture, unsupportedLinkType, invalidFilter
  case overlappingBytes, strayBytes, streamEvicted, missingBytes
  case unknownHandle, unconnectedPeer, changedIdentity, notAMeshMessage, untrustedSender, staleSnapshot,
    droppedVote, droppedSong
  case reservedKey, contextTooLarge, undecodableValue
  case notASigningKey, payloadTooLarge, pushRefused, pushesWaiting
  case partialRun
  case diskNearlyFull, programsDiffer, noNetwork, clocksDiffer
  case interrupted
}

extension ErrorCode {
  /// Whether the same run may succeed later.
  package var isRetryable: Bool {
    switch self {
    case .storeBusy, .connectionLost, .timedOut, .connectionClosed, .tokenLost, .peerBusy, .alreadyRunning,
      .pushesWaiting, .interrupted, .hookFailed:
      true
    case .commandFailed, .cannotConnect, .remoteUnreachable, .terminalTooSmall, .peerNotFound: true
    default: false
    }
  }
}
