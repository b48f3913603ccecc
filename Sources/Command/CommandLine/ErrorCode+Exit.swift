package import JSONLines

extension ErrorCode {
  package var exit: ExitStatus { row.exit }
  package var meaning: String { row.meaning }

  private var row: (exit: ExitStatus, meaning: String) {
    switch self {
    case .unknownOption: (.usage, "The command does not have this option.")
    case .unknownCommand: (.usage, "The tool does not have this subcommand, or a subcommand is missing.")
    case .invalidOptionValue:
      (
        .usage,
        "The value of an option or environment variable is missing, unexpected or invalid."
      )
    case .wrongOperands: (.usage, "Too few or too many operands.")
    case .conflictingOptions: (.usage, "Options exclude each other, or one requires another.")
    case .fileNotFound: (.noInput, "An input file does not exist.")
    case .notReadable: (.noInput, "An input cannot be opened for reading, or is a folder.")
    case .cannotCreate: (.cannotCreate, "An output file cannot be created.")
    case .readFailed: (.inputOutput, "Reading failed before the end.")
    case .writeFailed: (.inputOutput, "Writing failed, for example on a full disk.")
    case .fileTooLarge: (.badData, "An input that must fit into memory is too large.")
    case .commandNotFound: (.unavailable, "The command to run does not exist or may not be executed.")
    case .commandFailed: (.unavailable, "The command could not be started.")
    case .systemFailure: (.system, "Another call to the operating system failed.")
    case .bug: (.bug, "A bug in the tool: please report it.")
    case .looseSecretFile: (.refused, "A file with a secret can be read or replaced by others.")
    case .unexpectedByte: (.badData, "JSON text contains a byte that is not allowed at that place.")
    case .unexpectedEnd: (.badData, "The JSON text ends too early.")
    case .trailingBytes: (.badData, "Further bytes follow the JSON value.")
    case .invalidUTF8: (.badData, "Text is not UTF-8.")
    case .controlCharacter: (.badData, "A JSON string contains a raw control character.")
    case .invalidEscape: (.badData, "A JSON string contains an invalid escape.")
    case .loneSurrogate: (.badData, "An escaped surrogate lacks its other half.")
    case .nestingTooDeep:
      (.badData, "JSON is nested deeper than 512 levels, or 510 in a store.")
    case .exponentTooLarge: (.badData, "A number has an exponent beyond ±1,000,000,000.")
    case .notAnObject: (.badData, "A line is JSON but not an object.")
    case .noKey: (.badData, "A line, a row or a table does not have a valid key.")
    case .duplicateMember: (.badData, "A member that the tool reads appears twice in an object.")
    case .duplicateKey: (.badData, "Two lines of one snapshot have the same key.")
    case .invalidClock: (.badData, "A clock is neither RFC 3339 nor epoch seconds or milliseconds.")
    case .invalidVersion: (.badData, "A version is not a number. On the wire it must be a 64-bit integer.")
    case .unterminatedLine:
      (.badData, "The last line of a snapshot lacks a line feed, so records may be missing.")
    case .untaggedLine: (.badData, "A line of --tagged does not have a tag: - or + and a tab.")
    case .truncatedHeader: (.badData, "The stream ends inside a frame's header.")
    case .truncatedPayload: (.badData, "The stream ends inside a frame's payload.")
    case .invalidHeader: (.badData, "Bytes are not a frame header of this prefix.")
    case .frameTooLarge: (.badData, "A frame is longer than --max-size, or than its prefix can express.")
    case .lineBreakInPayload:
      (.badData, "An unchecked payload has a line feed, or a carriage return at its end.")
    case .skippedBytes: (.badData, "Bytes that do not belong to a frame were skipped.")
    case .invalidBase64: (.badData, "Text is not standard Base64.")
    case .invalidHex: (.badData, "Text is not a hex dump.")
    case .invalidDeflate: (.badData, "A deflated message is damaged, or its length is not the stated one.")
    case .notAMessage:
      (.badData, "A line is neither a message of the peer protocol nor an envelope with one.")
    case .notASyncResponse: (.badData, "A message is not a syncResponse, the only message with a delta.")
    case .missingMember: (.badData, "A member that the record, its profile or the wire requires is missing.")
    case .incompatibleProtocolVersion:
      (.badData, "A message has another protocol version; for a pairing code the status is 1.")
    case .unknownMember: (.badData, "A member is unknown to the wire format or to a file of types.")
    case .wrongType: (.badData, "A member's value has the wrong JSON type.")
    case .unknownTag: (.badData, "A typed value has a type that the wire format does not have.")
    case .conflictingTypes:
      (.badData, "Two entries of one delta have the same plain JSON record, but different types.")
    case .invalidDate: (.badData, "A date is not RFC 3339.")
    case .numberOutOfRange:
      (.badData, "A number is outside its type's range, or not an integer where one is required.")
    case .inexactNumber:
      (
        .badData,
        "A double cannot hold the number exactly; --lossy rounds it in a field, not in an identity."
      )
    case .fractionOfSecond:
      (.badData, "The wire cannot carry a time finer than a second; --lossy cuts it.")
    case .nestedValue: (.badData, "A field's value is an array or object; --lossy leaves it out.")
    case .compositeIdentity:
      (.badData, "The wire cannot carry an identity without members or with several.")
    case .missingClock:
      (.badData, "A deletion from a peer, or a line for the wire, lacks its clock.")
    case .unknownValue: (.badData, "A member's value is not one of the allowed words.")
    case .unknownZone: (.badData, "A time zone does not exist on this system.")
    case .invalidProfile:
      (.configuration, "A profile is not JSON, or has an unknown member.")
    case .clockAhead: (.badData, "A clock is further ahead of now than --max-drift allows.")
    case .deleteOfAbsent: (.badData, "A delta deletes a record that the base does not have (apply --strict).")
    case .newerInBase: (.badData, "A delta changes a record that is newer in the base (apply --strict).")
    case .cannotListen: (.system, "The tool cannot listen on a port, or a network interface does not exist.")
    case .cannotConnect: (.unavailable, "The other side cannot be reached.")
    case .remoteUnreachable: (.tryAgain, "The server of a remote cannot be reached.")
    case .refusedByPeer:
      (.refused, "The other side does not trust this device.")
    case .connectionLost: (.tryAgain, "The connection was lost.")
    case .storeBusy: (.tryAgain, "Another process is writing to the store or the file.")
    case .storeFull: (.inputOutput, "The disk of the store is full.")
    case .storeReadOnly: (.cannotCreate, "The store cannot be written to.")
    case .storeCorrupt: (.badData, "The store is damaged.")
    case .storeFailed: (.inputOutput, "Reading or writing the store failed.")
    case .notAStore: (.badData, "A file is not a store.")
    case .newerStore: (.configuration, "A later version has written the store.")
    case .invalidToken: (.badData, "Text is not a token of a store.")
    case .tokenForeign:
      (
        .refused,
        "A token is from another store, or from a history that this store lost when it was restored."
      )
    case .tokenExpired: (.refused, "A token is older than the last compaction of tombstones.")
    case .tooManyDeletions: (.refused, "More live records would be deleted than --max-delete allows.")
    case .notASnapshot: (.badData, "The input is a delta, but a snapshot or lines are required.")
    case .unknownPeer:
      (.noInput, "A peer, a remote or a server's key is unknown, or the given id matches several peers.")
    case .otherEntity: (.badData, "A snapshot of one entity has a record of another.")
    case .lineTooLarge: (.badData, "A line is longer than a store accepts.")
    case .conflict: (.badData, "A local change lost against the stored record by the rule of its entity.")
    case .quarantined: (.badData, "Changes are in quarantine.")
    case .quarantineFull:
      (.refused, "The quarantine of this peer is full.")
    case .untrustedPeer:
      (.refused, "The other side is not the expected trusted peer, or does not trust this device.")
    case .clockRefused:
      (.refused, "A clock of a local write is further ahead of now than --max-drift allows.")
    case .missingEntity:
      (.configuration, "A record does not name its entity, and the store has more than one.")
    case .storeRulesDiffer: (.configuration, "Options contradict the rules of the store.")
    case .entityKeysDiffer: (.configuration, "The rules would change the keys of an entity's records.")
    case .olderStore: (.configuration, "An earlier version has written the store.")
    case .rulesDiffer: (.configuration, "Two peers merge by different rules.")
    case .identityDiffers:
      (.configuration, "The key members of an entity are not the same on both sides, or in input and store.")
    case .entitiesDiffer:
      (.refused, "The records of one peer name their entity, and those of the other peer do not.")
    case .otherProtocolVersion: (.protocolBroken, "The peer uses another version of the protocol.")
    case .protocolBroken:
      (.protocolBroken, "TLS 1.3 is missing, or a message is malformed or out of order.")
    case .messageTooLarge: (.protocolBroken, "A message is larger than a side accepts.")
    case .peerError: (.protocolBroken, "The other side reported an error with an unknown code.")
    case .timedOut: (.tryAgain, "The other side took too long.")
    case .connectionClosed: (.tryAgain, "The connection ended in the middle of a dialogue.")
    case .tokenLost: (.tryAgain, "A token was rejected twice in one dialogue.")
    case .peerBusy: (.tryAgain, "A side is too busy to serve the other side now, or is stopping.")
    case .invalidStory: (.badData, "A line is not a story of syncsim, or not a step of one.")
    case .invalidCalendar: (.badData, "An iCalendar file or an event in it cannot be used.")
    case .unknownTable:
      (
        .noInput,
        "A table does not exist, a view cannot be written to, or a table can be used only by its app."
      )
    case .unknownColumn: (.badData, "The table does not have a column that an option or a row names.")
    case .unfitValue: (.badData, "JSON cannot express a value, or a column cannot hold it.")
    case .rowRefused: (.badData, "The table refuses a row because of a constraint or a trigger.")
    case .invalidQRCodePayload: (.no, "Text is not a pairing code.")
    case .expiredPairingPayload: (.no, "A pairing code has expired.")
    case .wrongServiceType: (.no, "A pairing code is for another service.")
    case .weakSecret: (.no, "A pairing secret can be guessed.")
    case .terminalTooSmall:
      (.unavailable, "The terminal is too small for the symbol, or does not have colours.")
    case .noIdentity: (.noInput, "This device does not have an identity yet.")
    case .damagedRecord:
      (.badData, "A file of identity, trust, sessions or a shared folder is damaged.")
    case .noConnectionFacts: (.refused, "Variables that peerlink sets are missing or invalid.")
    case .wrongFingerprint: (.refused, "A key differs from the key in the pairing code.")
    case .invalidPairingSession: (.refused, "The pairing session is unknown or has ended.")
    case .invalidPairingSecret: (.refused, "A secret or proof in a pairing is wrong.")
    case .notConfirmed: (.refused, "The pairing was not confirmed.")
    case .peerNotFound: (.unavailable, "A trusted peer was not found, and its address is unknown.")
    case .alreadyRunning: (.tryAgain, "Another run uses the same store.")
    case .hookFailed: (.tryAgain, "The command of --on-change failed.")
    case .diskNearlyFull: (.no, "The disk of a store is nearly full.")
    case .programsDiffer: (.no, "Another version of a tool is on PATH.")
    case .noNetwork: (.no, "The device does not have a network connection with multicast.")
    case .clocksDiffer: (.no, "The clock of a peer differs from this device's.")
    case .malformedPacket: (.badData, "Bytes are not a DNS message.")
    case .notACapture:
      (.badData, "Bytes are not a capture that libpcap can read.")
    case .truncatedCapture: (.badData, "A capture ends inside a packet, or is damaged there.")
    case .unsupportedLinkType:
      (.unavailable, "A capture has packets with an unsupported kind of header, or with several kinds.")
    case .invalidFilter: (.usage, "A filter expression is invalid.")
    case .overlappingBytes:
      (.badData, "A capture repeats bytes of a stream with different values, or stream lines repeat bytes.")
    case .strayBytes: (.badData, "Bytes are too early or too late for their stream, or outside its window.")
    case .streamEvicted: (.badData, "A stream was dropped before its end to save memory.")
    case .missingBytes: (.badData, "Bytes are missing from the capture; gaps in the output show where.")
    case .unknownHandle: (.badData, "A callback has an unknown handle.")
    case .unconnectedPeer: (.badData, "A message is from a peer that is not connected.")
    case .changedIdentity: (.badData, "A connected peer is announced with another id.")
    case .notAMeshMessage: (.badData, "A message from or for a peer is not a message of the mesh.")
    case .untrustedSender: (.badData, "The receiver does not accept a message from this peer.")
    case .staleSnapshot: (.badData, "A snapshot is not newer than the previous one.")
    case .droppedVote: (.badData, "A vote is for a song that is not in the queue.")
    case .droppedSong: (.badData, "A suggested song is too long, or too many are queued.")
    case .reservedKey: (.badData, "A key is reserved for the messages between phone and watch.")
    case .contextTooLarge:
      (.badData, "An application context is so large that the system would drop it silently.")
    case .undecodableValue: (.badData, "A value does not have the form that its handler expects.")
    case .notASigningKey:
      (.badData, "A file does not contain a private key of the kind that the push service requires.")
    case .payloadTooLarge: (.badData, "A notification is larger than the push service accepts.")
    case .pushRefused:
      (.refused, "The push service rejects this key or topic, or --endpoint names the wrong service.")
    case .pushesWaiting: (.tryAgain, "Some pushes could not be delivered yet.")
    case .interrupted: (.tryAgain, "A signal ended a session early.")
    case .partialRun: (.badData, "Some of the input was left out; the count is in the message.")
    }
  }
}
