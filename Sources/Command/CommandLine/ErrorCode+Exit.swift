package import JSONLines

extension ErrorCode {
  package var exit: ExitStatus { row.exit }
  package var meaning: String { row.meaning }

  private var row: (exit: ExitStatus, meaning: String) {
    switch self {
    case .unknownOption: (.usage, "An option that the command does not have.")
    case .unknownCommand: (.usage, "A subcommand that the tool does not have, or none where one is needed.")
    case .invalidOptionValue:
      (
        .usage,
        "The value of an option or an environment variable is missing, not wanted, or not of its form."
      )
    case .wrongOperands: (.usage, "Too few or too many operands.")
    case .conflictingOptions: (.usage, "Options that cannot go together, or one that needs another.")
    case .fileNotFound: (.noInput, "An input file does not exist.")
    case .notReadable: (.noInput, "An input exists and cannot be opened for reading, or is a folder.")
    case .cannotCreate: (.cannotCreate, "An output file cannot be created.")
    case .readFailed: (.inputOutput, "Reading failed half-way.")
    case .writeFailed: (.inputOutput, "Writing failed, on a full disk for example.")
    case .fileTooLarge: (.badData, "An input that is read as a whole is larger than is taken.")
    case .commandNotFound: (.unavailable, "The command to run does not exist or may not be executed.")
    case .commandFailed: (.unavailable, "The command could not be started.")
    case .systemFailure: (.system, "The operating system refused something else.")
    case .bug: (.bug, "A bug in the tool: please report it.")
    case .looseSecretFile: (.refused, "A file with a secret can be read or replaced by others.")
    case .unexpectedByte: (.badData, "A byte that JSON does not allow in its place.")
    case .unexpectedEnd: (.badData, "The JSON text ends too early.")
    case .trailingBytes: (.badData, "Something follows the JSON value.")
    case .invalidUTF8: (.badData, "Text that is not UTF-8.")
    case .controlCharacter: (.badData, "A raw control character in a JSON string.")
    case .invalidEscape: (.badData, "An escape that JSON does not have.")
    case .loneSurrogate: (.badData, "An escaped surrogate without its other half.")
    case .nestingTooDeep:
      (.badData, "JSON nested deeper than 512 levels, or 510 where a store is to keep it.")
    case .exponentTooLarge: (.badData, "A number whose exponent is beyond ±1,000,000,000.")
    case .notAnObject: (.badData, "A line that is JSON but no object.")
    case .noKey: (.badData, "A line without the members that make its key.")
    case .duplicateMember: (.badData, "A member that the tool reads stands twice in one object.")
    case .duplicateKey: (.badData, "Two lines of one snapshot have the same key.")
    case .invalidClock: (.badData, "A clock that is neither RFC 3339 nor epoch seconds or milliseconds.")
    case .invalidVersion: (.badData, "A version that is no number, or for the wire no integer of 64 bits.")
    case .unterminatedLine:
      (.badData, "The last line has no line feed where absence means deletion.")
    case .truncatedHeader: (.badData, "The stream ends inside a frame's header.")
    case .truncatedPayload: (.badData, "The stream ends inside a frame's payload.")
    case .invalidHeader: (.badData, "Bytes that are no frame header of this prefix.")
    case .frameTooLarge: (.badData, "A frame's length is above --max-size or above what the prefix can say.")
    case .lineBreakInPayload: (.badData, "An unchecked payload has a line feed and cannot stand on one line.")
    case .skippedBytes: (.badData, "Bytes that belong to no frame were passed over.")
    case .invalidBase64: (.badData, "Text that is not standard Base64.")
    case .invalidHex: (.badData, "Text that is no hex dump.")
    case .notAMessage: (.badData, "A line that is no message of the peer protocol, nor an envelope with one.")
    case .notASyncResponse: (.badData, "A message that is no syncResponse where a delta is wanted.")
    case .missingMember: (.badData, "A member that the record, its profile or the wire requires is missing.")
    case .incompatibleProtocolVersion:
      (.badData, "A message of another protocol version; for a pairing payload the status is 1.")
    case .unknownMember: (.badData, "A member that the wire, or a file of types, does not have.")
    case .wrongType: (.badData, "A member's value is of another JSON type than it must be.")
    case .unknownTag: (.badData, "A typed value whose type is none of the wire's.")
    case .conflictingTypes:
      (.badData, "Two entries of one delta are the same record in plain JSON, with different types.")
    case .invalidDate: (.badData, "A date that is not RFC 3339.")
    case .numberOutOfRange: (.badData, "A number beyond its type's range, or no integer where one is wanted.")
    case .inexactNumber:
      (.badData, "A number that no double holds exactly; --lossy rounds it in a field, never in an identity.")
    case .fractionOfSecond:
      (.badData, "A time finer than a second, which the wire cannot carry; --lossy cuts it.")
    case .nestedValue: (.badData, "An array or object as a field's value; --lossy leaves it out.")
    case .compositeIdentity:
      (.badData, "An identity of none or several members, which the wire cannot carry.")
    case .missingClock:
      (.badData, "A line without a clock where one is needed: a deletion from a peer, or on the wire.")
    case .unknownValue: (.badData, "A member's value is none of the words that it may be.")
    case .unknownZone: (.badData, "A time zone that the system does not have.")
    case .invalidProfile:
      (.configuration, "A profile that is no JSON, or has a member that profiles do not have.")
    case .clockAhead: (.badData, "A clock further ahead of now than --max-drift allows.")
    case .deleteOfAbsent: (.badData, "A delta deletes what the base does not have (apply --strict).")
    case .newerInBase: (.badData, "A delta changes what is newer in the base (apply --strict).")
    case .cannotListen: (.system, "A port cannot be listened on, or a network interface does not exist.")
    case .cannotConnect: (.unavailable, "The other side cannot be reached.")
    case .refusedByPeer:
      (.refused, "The other side does not trust this device.")
    case .connectionLost: (.tryAgain, "The connection broke off.")
    case .storeBusy: (.tryAgain, "Another process is writing to the store or the file.")
    case .storeFull: (.inputOutput, "The disk that the store is on has no room.")
    case .storeReadOnly: (.cannotCreate, "The store cannot be written to.")
    case .storeCorrupt: (.badData, "The store is damaged.")
    case .storeFailed: (.inputOutput, "Reading or writing the store failed.")
    case .notAStore: (.badData, "A file that is no store.")
    case .newerStore: (.configuration, "A store that a later version has written.")
    case .invalidToken: (.badData, "Text that is no token of a store.")
    case .tokenForeign: (.refused, "A token of another store, or of one that was restored since.")
    case .tokenExpired: (.refused, "A token from before tombstones were compacted away.")
    case .tooManyDeletions: (.refused, "More live records would be deleted than --max-delete allows.")
    case .notASnapshot: (.badData, "A delta where a snapshot, or lines, are wanted.")
    case .unknownPeer: (.noInput, "A peer that is not known, or the beginning of several.")
    case .otherEntity: (.badData, "A snapshot of one entity has a record of another.")
    case .lineTooLarge: (.badData, "A line that is longer than a store takes.")
    case .conflict: (.badData, "A local change that its rule lets lose against the stored one.")
    case .quarantined: (.badData, "Changes are in quarantine.")
    case .quarantineFull:
      (.refused, "More changes of one peer cannot be applied than quarantine has room for.")
    case .untrustedPeer:
      (.refused, "Another peer than the one that is trusted, or no trust on the other side.")
    case .clockRefused:
      (.refused, "A clock of a local write is further ahead of now than --max-drift allows.")
    case .missingEntity:
      (.configuration, "A record that names no entity, where the store has more than one.")
    case .storeRulesDiffer: (.configuration, "Options that say other rules than the store has.")
    case .entityKeysDiffer: (.configuration, "The rules would give the records of an entity other keys.")
    case .olderStore: (.configuration, "A store that an earlier version has written.")
    case .rulesDiffer: (.configuration, "Two peers merge by different rules.")
    case .identityDiffers: (.configuration, "An entity has other key members on two peers, or in a store.")
    case .entitiesDiffer: (.refused, "The records of one peer name no entity, and those of the other do.")
    case .otherProtocolVersion: (.protocolBroken, "A peer that speaks another version of the protocol.")
    case .protocolBroken:
      (.protocolBroken, "No TLS 1.3, a message that is none, or one that cannot stand where it does.")
    case .messageTooLarge: (.protocolBroken, "A message above what a side reads.")
    case .peerError: (.protocolBroken, "An error of the other side with a code that is not known.")
    case .timedOut: (.tryAgain, "The other side has taken too long.")
    case .connectionClosed: (.tryAgain, "The connection has ended in the middle of a dialogue.")
    case .tokenLost: (.tryAgain, "A token that was not accepted twice in one dialogue.")
    case .peerBusy: (.tryAgain, "The other side cannot be served now.")
    case .invalidStory: (.badData, "A line that is no story of syncsim, or no step of one.")
    case .invalidCalendar: (.badData, "An iCalendar file, or an event in it, that cannot be used.")
    case .unknownTable:
      (.noInput, "A table that the database does not have, or a view where one is to be written to.")
    case .unknownColumn: (.badData, "A column, or a member of a row, that the table does not have.")
    case .unfitValue: (.badData, "A value that JSON, or a column, has no form for.")
    case .rowRefused: (.badData, "A row that the table refuses, by a constraint or a trigger.")
    case .invalidQRCodePayload: (.no, "Text that is no pairing payload.")
    case .expiredPairingPayload: (.no, "A pairing payload whose time is over.")
    case .wrongServiceType: (.no, "A pairing payload for another service.")
    case .weakSecret: (.no, "A pairing secret that could be guessed.")
    case .terminalTooSmall: (.unavailable, "The terminal is too small for the symbol, or has no colours.")
    case .noIdentity: (.noInput, "This device has no identity yet.")
    case .damagedRecord:
      (.badData, "A file of identity, trust, sessions or a shared folder, or a line of one, that is damaged.")
    case .noConnectionFacts: (.refused, "What the transport has to say about the connection is missing.")
    case .wrongFingerprint: (.refused, "A key that is not the one of the pairing payload.")
    case .invalidPairingSession: (.refused, "No such pairing session, or one that has ended.")
    case .invalidPairingSecret: (.refused, "A wrong secret or proof in a pairing.")
    case .notConfirmed: (.refused, "Nobody has said yes to a pairing.")
    case .peerNotFound: (.unavailable, "A trusted peer that was not found, and of which no address is known.")
    case .alreadyRunning: (.tryAgain, "Another run with the same store is under way.")
    case .hookFailed: (.tryAgain, "The command of --on-change has failed.")
    case .malformedPacket: (.badData, "Bytes that are no DNS message.")
    case .notACapture:
      (.badData, "Bytes that are not a capture, or a form of one that libpcap does not read.")
    case .truncatedCapture: (.badData, "A capture ends inside a packet, or is damaged there.")
    case .unsupportedLinkType:
      (.unavailable, "Packets with a header that is not supported, or several kinds of them in one file.")
    case .invalidFilter: (.usage, "A filter expression that libpcap does not know.")
    case .overlappingBytes:
      (.badData, "Bytes of a stream that came twice: in a capture with other values, in lines at all.")
    case .strayBytes: (.badData, "Bytes that have no place in their stream.")
    case .streamEvicted: (.badData, "A stream that was forgotten to save memory, before its end.")
    case .missingBytes: (.badData, "Bytes that are not in the capture; gaps in the output say where.")
    case .unknownHandle: (.badData, "A callback about a handle that nothing has told of.")
    case .unconnectedPeer: (.badData, "Messages of a peer that is not connected.")
    case .changedIdentity: (.badData, "A connected peer that is announced with another id.")
    case .notAMeshMessage: (.badData, "What a peer has sent, or is to be sent, is no message of the mesh.")
    case .untrustedSender: (.badData, "A message that its receiver does not take from this peer.")
    case .staleSnapshot: (.badData, "A snapshot that is not newer than the one before.")
    case .droppedVote: (.badData, "A vote for a song that is not in the queue.")
    case .reservedKey: (.badData, "A key that is a word of the messages between phone and watch.")
    case .contextTooLarge: (.badData, "An application context that the system would drop without a word.")
    case .undecodableValue: (.badData, "A value that is not what its handler expects.")
    case .notASigningKey:
      (.badData, "A file that holds no private key of the kind that the push service wants.")
    case .payloadTooLarge: (.badData, "A notification that is larger than the push service takes.")
    case .pushRefused:
      (.refused, "The push service takes nothing with this key or topic, or is not the right one.")
    case .pushesWaiting: (.tryAgain, "Pushes that could not be delivered yet.")
    case .interrupted: (.tryAgain, "A signal has ended a session before it was done.")
    case .partialRun: (.badData, "Some of the input was left out; the count is in the message.")
    }
  }
}
