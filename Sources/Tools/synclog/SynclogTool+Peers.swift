import CommandLine
import CommonInputs
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

extension CheckpointDirection: OptionChoice {
  package static var valueName: String { "DIRECTION" }
}

extension SynclogTool {
  struct CheckpointSettings: StoreConfigurable {
    var store = StoreSettings()
    var peer = ""
    var direction = ""
    var token = ""
  }

  static let checkpoint = Command(
    "checkpoint", "show or move a checkpoint",
    discussion: [
      "An outgoing checkpoint is a token of the peer's store: this store has the peer's changes up to that "
        + "token. An incoming checkpoint is a token of this store: the peer has confirmed the changes up to "
        + "that token."
    ],
    subcommands: [
      Command(
        "get", "write a checkpoint as a checkpoint line",
        discussion: [
          "DIRECTION is outgoing or incoming. The exit status is 1 if the checkpoint does not exist, and 66 if "
            + "the peer is unknown."
        ],
        settings: CheckpointSettings(), options: Option.storePlace,
        operands: Operands("PEER DIRECTION", count: 2...2, completion: .stores) {
          ($1.peer, $1.direction) = ($0[0], $0[1])
        },
        statuses: asked,
        examples: [
          .init("Write the checkpoint of the phone's changes:", "synclog checkpoint get phone outgoing")
        ],
        run: runGetCheckpoint),
      Command(
        "set", "move a checkpoint",
        discussion: [
          "DIRECTION is outgoing or incoming. TOKEN is Base64 of at most 64 KiB; an incoming token must be "
            + "from this store. PEER is an id (at least its first 4 characters), or the name of a trusted "
            + "device; an unknown peer is added.",
          "An empty TOKEN removes the checkpoint. If an outgoing checkpoint is removed, the peer's changes "
            + "are also sent back, because the peer may have lost them.",
        ],
        settings: CheckpointSettings(), options: Option.storePlace + Option.present,
        operands: Operands("PEER DIRECTION TOKEN", count: 3...3, completion: .stores) {
          ($1.peer, $1.direction, $1.token) = ($0[0], $0[1], $0[2])
        },
        statuses: stored,
        examples: [
          .init("Fetch all changes from the phone again:", "synclog checkpoint set phone outgoing ''")
        ],
        run: runSetCheckpoint),
    ])

  static let peers = Command(
    "peers", "list the peers of this store",
    discussion: [
      "peers writes one object per peer: when the peer was last seen, how far it is behind, and its "
        + "checkpoints. The object also has the sequence up to which the peer has this store's changes."
    ],
    settings: PlainSettings(), options: Option.json + Option.storePlace, statuses: asked,
    examples: [.init("Print the ids of the peers:", "synclog peers | jq -r .peer")],
    subcommands: [
      Command(
        "forget", "forget a peer that no longer syncs",
        discussion: [
          "forget removes the peer's checkpoints and keeps its changes. compact no longer waits for the "
            + "peer. If the peer syncs again, it is a new peer, and can bring back deleted records."
        ],
        settings: NamedSettings(), options: Option.storePlace,
        operands: Operands("PEER", count: 1...1, completion: .stores) { $1.name = $0[0] },
        statuses: stored,
        examples: [.init("Forget an old tablet:", "synclog peers forget tablet")], run: runForget)
    ], run: runPeers)

  private static func direction(_ settings: CheckpointSettings) throws -> CheckpointDirection {
    guard let direction = CheckpointDirection(rawValue: settings.direction) else {
      throw UsageError.conflict("'\(settings.direction)' is neither outgoing nor incoming")
    }
    return direction
  }

  private static func runGetCheckpoint(_ settings: CheckpointSettings, on console: Console) throws
    -> ExitStatus
  {
    let direction = try direction(settings)
    return try withStore(settings.store, console, onlyRead: true) { store in
      guard let token = try store.checkpoint(try store.peer(called: settings.peer), direction) else {
        return .no
      }
      try Descriptor.standardOutput.write(line: ["newTokenData": .string(token)])
      return .done
    }
  }

  private static func runSetCheckpoint(_ settings: CheckpointSettings, on console: Console) throws
    -> ExitStatus
  {
    let direction = try direction(settings)
    if settings.peer.isEmpty { throw UsageError.conflict("the id of a peer must not be empty") }
    try Diagnostic.naming(store: settings.store.path) { try direction.check(settings.token) }
    // A token of this store requires a store.
    return try withStore(settings.store, console, creating: direction == .outgoing) { store in
      try store.write {
        let peer = try addressee(settings, in: store)
        try store.setCheckpoint(peer, direction, settings.token, now: settings.store.present)
        // The peer may have lost changes that it once sent to us.
        if direction == .outgoing, settings.token.isEmpty { try store.resend(to: peer) }
        return .done
      }
    }
  }

  /// The peer that the user named, created if it is new.
  private static func addressee(_ settings: CheckpointSettings, in store: ChangeStore) throws -> StorePeer {
    let name = settings.peer
    return try store.peer(seen: try store.id(ofPeerCalled: name) ?? name, now: settings.store.present)
  }

  private static func runForget(_ settings: NamedSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console) { store in
      let peer = try store.peer(called: settings.name)
      guard try store.write({ try store.forget(peer) }) else {
        throw Diagnostic(
          .quarantined, "changes of '\(peer.id)' are in quarantine", file: settings.store.path,
          hint: "\(Diagnostic.quarantineList(of: settings.store.path)) shows them; accept or drop them first")
      }
      return .done
    }
  }

  private static func runPeers(_ settings: PlainSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console, onlyRead: true) { store in
      var listing = Listing(
        [
          .init("peer", "peer"), .init("seen", "seenAt", as: .age), .init("has", "acknowledged", as: .count),
          .init("behind", "behind", as: .count),
        ], settings.listing)
      for peer in try store.peerStatus() { try listing.add(peer) }
      try listing.finish(none: "no peers yet", on: console)
      return .done
    }
  }
}
