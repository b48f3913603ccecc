import CommandLine
import CommonInputs
import JSONLines
import Links
import Pairing
import Remotes
import Store
import SyncCore
import SystemIO
import RecordInputs

extension PeersyncTool {
  static let remote = Command(
    "remote", "manage remotes that are not peers: shared folders, servers and Firestore collections",
    discussion: [
      "A remote is a folder that your devices share, a server on which syncserve runs, or a collection of a "
        + "Firestore database. The folder can be on a USB stick or a network drive, or Syncthing can copy "
        + "it. 'peersync run' syncs with all peers and remotes. Add a remote on each device."
    ],
    subcommands: [add, list, remove])

  struct RemoteSettings: StoreConfigurable, ListingConfigurable {
    var store = StoreSettings()
    var listing = ListingSettings()
    var url = ""
    var keyFile: FilePath?
    var authorities: FilePath?
    var entity: String?
    var types: FilePath?
    var deletedField: String?
    var sweep: Duration?
  }

  private static let add = Command(
    "add", "sync with a shared folder, a server or a Firestore collection",
    discussion: [
      "A folder must exist. The first device that adds it writes the file peersync-folder.json into it. "
        + "Without that file the folder is not used, so a mount point without its disk stays empty.",
      "Files in the folder are not encrypted. Anyone who can write to it can change your records.",
      "A Firestore collection has the records of one entity. An app may read and write its documents too. All devices must agree "
        + "on --entity-name and --deleted-field. Adding a collection again changes only the options that you give.",
    ],
    settings: RemoteSettings(),
    options: [
      .value(
        "key-file",
        "Read the server's key from FILE, as 'syncserve key create' prints it; for Firestore, the JSON key of a service account, or "
          + "a token."
      ) {
        $0.keyFile = $1
      },
      .value("ca-file", "Trust the certificates in this file instead of the system's.") {
        $0.authorities = $1
      },
      .value(
        "entity-name", named: "NAME",
        "Firestore: give the records this entity (default: the entity that other devices use, else the name "
          + "of the collection)."
      ) { $0.entity = $1 },
      .value("types", "Firestore: read the types of members from FILE, as 'deltadiff unpack' writes them.") {
        $0.types = $1
      },
      .value(
        "deleted-field", named: "NAME",
        "Firestore: mark a deleted document by setting its member NAME to true, instead of removing it."
      ) { $0.deletedField = $1 },
      .value(
        "sweep",
        "Firestore: compare the names of all documents after this long, even if their number is the same (default: 24h)."
      ) { $0.sweep = $1 },
    ] + Option.json,
    operands: Operands("dir:PATH|https://SERVER|firestore://PROJECT/COLLECTION", count: 1...1) {
      $1.url = $0[0]
    },
    statuses: [
      .badData, .noInput, .unavailable, .cannotCreate, .inputOutput, .tryAgain, .protocolBroken, .refused,
      .configuration,
    ],
    examples: [
      .init("Add a folder on a USB stick:", "mkdir stick; peersync remote add dir:stick > remote.json"),
      .init(
        "Add a server on this machine:",
        "peersync remote add http://127.0.0.1:8477 --key-file phone.key > remote.json"),
      .init(
        "Add a collection of an app:",
        "peersync remote add firestore://my-app/tasks --key-file account.json --entity-name Task > remote.json"
      ),
    ],
    run: runAdd)

  private static let list = Command(
    "list", "print the remotes", discussion: ["list prints one JSON line for each remote."],
    settings: RemoteSettings(), options: Option.json, statuses: [.badData, .noInput, .inputOutput, .refused],
    examples: [.init("Save a list of the remotes:", "peersync remote list > remotes.jsonl")], run: runList)

  private static let remove = Command(
    "remove", "stop syncing with a remote",
    discussion: ["remove also deletes the remote's checkpoints. It keeps records, and files in the folder."],
    settings: RemoteSettings(), options: Option.json + Option.storePlace,
    operands: Operands("URL", count: 1...1, completion: .remotes) { $1.url = $0[0] },
    statuses: [.badData, .noInput, .inputOutput, .tryAgain, .refused],
    examples: [.init("Remove a lost stick:", "peersync remote remove dir:stick > removed.json")],
    run: runRemove
  )

  private static func runAdd(_ settings: RemoteSettings, on console: Console) throws -> ExitStatus {
    try Diagnostic.wrapping {
      let file = RemoteFile(in: try Places.configuration())
      let record = try made(settings, known: file.load())
      let url = record.url
      var added = record
      try file.change { records in
        added.addedAt = records.first { $0.isAt(url) }?.addedAt ?? record.addedAt
        records.removeAll { $0.isAt(url) }
        records.append(added)
      }
      try settings.listing.write(
        added.json, saying: "'peersync run' now syncs with \(url.escapingControls) too")
      if let seconds = added.collection?.sweepSeconds, seconds > 0 {
        let time = seconds % 3_600 == 0 ? "\(seconds / 3_600)h" : "\(seconds)s"
        console.note(
          "an edit by an app that does not write the time into 'peersync.at' is found within \(time); --sweep "
            + "sets this time"
        )
      }
      return .done
    }
  }

  /// Checks whether the remote exists, and reads its identity.
  private static func made(_ settings: RemoteSettings, known: [RemoteRecord]) throws -> RemoteRecord {
    let url = try Remote.url(settings.url)
    if let path = CollectionPath(url) {
      return try collection(path, settings, known: known.first { $0.isAt(url) })
    }
    guard [settings.entity, settings.deletedField].allSatisfy({ $0 == nil }), settings.types == nil,
      settings.sweep == nil
    else {
      throw UsageError.conflict(
        "--entity-name, --types, --deleted-field and --sweep are for Firestore collections")
    }
    if let path = RemoteRecord.folder(url) {
      if settings.keyFile != nil || settings.authorities != nil {
        throw UsageError.conflict("--key-file and --ca-file are for servers")
      }
      return RemoteRecord(url: url, id: try SharedFolder.make(path).id, addedAt: .wallClock)
    }
    guard let keyFile = settings.keyFile else {
      throw UsageError.conflict("--key-file is required: the file with the key of the server")
    }
    var record = RemoteRecord(url: url, id: "", addedAt: .wallClock)
    record.keyFile = try FileMode.lasting(keyFile.path)
    record.authorities = try settings.authorities.map { try FileMode.lasting($0.path) }
    record.household =
      try known.first { $0.isAt(url) }?.household ?? record.openedHousehold()
    let client = try HTTPClient(record.client(patience: .seconds(30)))
    do {
      record.id = try ServerRemote.id(of: client)
    } catch var diagnostic as Diagnostic {
      diagnostic.file = diagnostic.file ?? url
      throw diagnostic
    }
    return record
  }

  /// Checks whether the key opens the collection; an empty collection is not an error.
  ///
  /// Options that are not given keep the values of the collection, otherwise those of the last add.
  private static func collection(
    _ path: CollectionPath, _ settings: RemoteSettings, known: RemoteRecord?
  ) throws -> RemoteRecord {
    if settings.authorities != nil { throw UsageError.conflict("--ca-file is for servers") }
    if let mark = settings.deletedField, !CollectionSettings.isMark(mark) {
      throw UsageError.conflict("--deleted-field: a document cannot have a member '\(mark.shown(upTo: 100))'")
    }
    var record = RemoteRecord(url: path.url, id: path.id, addedAt: .wallClock)
    record.keyFile = try settings.keyFile.map { try FileMode.lasting($0.path) } ?? known?.keyFile
    let earlier = known?.collection
    var collection = earlier ?? CollectionSettings()
    if let types = settings.types {
      _ = try WireTypes(file: types.path)
      collection.typesFile = try FileMode.lasting(types.path)
    }
    if let sweep = settings.sweep { collection.sweepSeconds = Int(sweep.components.seconds) }
    do {
      let client = try record.firestore(path, patience: .seconds(30), now: { .wallClock })
      try client.look()
      let agreement = try client.agreement()
      let said = agreement?.settings ?? earlier
      collection.entity = settings.entity ?? said?.entity ?? path.collection
      collection.deletedField = settings.deletedField ?? said?.deletedField
      if let text = agreement?.settings.difference(from: collection, of: "the collection") {
        throw Diagnostic(
          .rulesDiffer, text,
          hint: "leave out --entity-name and --deleted-field to use those of the collection")
      }
      if let text = earlier?.difference(from: collection, of: "this device") {
        throw Diagnostic(
          .rulesDiffer, text,
          hint:
            "remove the remote, and add it again: peersync remote remove \(ServerAddress.word(path.url))"
        )
      }
      record.collection = collection
    } catch var diagnostic as Diagnostic {
      diagnostic.file = diagnostic.file ?? path.url
      throw diagnostic
    }
    return record
  }

  private static func runList(_ settings: RemoteSettings, on console: Console) throws -> ExitStatus {
    try Diagnostic.wrapping {
      var listing = Listing(
        [
          .init("remote", "remote"), .init("entity", "entityName"), .init("key file", "keyFile"),
          .init("added", "addedAt", as: .age),
        ], settings.listing)
      for record in try RemoteFile(in: Places.configuration()).load() { try listing.add(record.json) }
      try listing.finish(
        none: "no remotes; 'peersync remote add' adds a folder, a server or a collection", on: console)
      return .done
    }
  }

  private static func runRemove(_ settings: RemoteSettings, on console: Console) throws -> ExitStatus {
    let path = settings.store.path
    return try Diagnostic.naming(store: path) {
      try Diagnostic.wrapping {
        let file = RemoteFile(in: try Places.configuration())
        var record = try Remote.record(named: settings.url, in: file.load())
        let url = record.url
        // The list comes first, so that no visit begins after the checkpoints are removed.
        try file.change { records in
          // A visit may have changed the id meanwhile.
          record = records.first { $0.isAt(url) } ?? record
          records.removeAll { $0.isAt(url) }
        }
        let id = record.id
        do {
          try forget(id, in: settings.store, console)
          try Peers(in: Places.configuration()).transfers().change { $0.forget(id) }
        } catch {
          // The remote is listed again, so that the command can be repeated.
          try? file.change { records in
            if !records.contains(where: { $0.isAt(url) }) { records.append(record) }
          }
          throw error
        }
        try settings.listing.write(record.json, saying: "removed: \(record.url.escapingControls)")
        return .done
      }
    }
  }
}
