import Bindings
import CommandLine
import CommonInputs
import Crypto
import JSONLines
import Links
import Pairing
import Remotes
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

/// The checks that need only this device.
extension Doctor {
  func lookAtDevice() throws {
    try look(.device) {
      let file = IdentityFile(in: try Places.configuration())
      guard FileMode.exists(file.path) else {
        // Throws if peers know a key that no longer exists.
        _ = try Device(creating: false)
        return "no identity yet; 'peersync pair' makes one"
      }
      let identity = try file.load()
      return "'\(identity.deviceName)', key \(identity.fingerprint.text.prefix(16))"
    }
    try look(.device) {
      let state = try Places.state()
      if FileMode.exists(state), !FileMode.isWritable(state) {
        throw Diagnostic(
          .cannotCreate, "this folder cannot be written to", file: state,
          hint: "run peersync as the owner of the folder, or make it writable for this user: "
            + "ls -ld \(ShellWord.path(state))")
      }
      let temporary = SpillFile.folder
      guard FileMode.isWritable(temporary) else {
        throw Diagnostic(
          .cannotCreate, "temporary files cannot be created here", file: temporary,
          hint: "set TMPDIR to an existing folder that you can write to")
      }
      let limit = DescriptorLimit.raise()
      guard limit >= PeersyncTool.neededDescriptors else {
        throw Diagnostic(
          .systemFailure,
          "at most \(limit) files may be open at a time, and 'peersync serve' needs "
            + "\(PeersyncTool.neededDescriptors)",
          hint: "raise the hard limit: ulimit -Hn shows it")
      }
      return nil
    }
  }

  /// Returns the trusted peers; nil if the list cannot be read.
  func lookAtPeers() throws -> [TrustRecord]? {
    var list: [TrustRecord]?
    var lapsed: Diagnostic?
    try look(.peers) {
      let peers = Peers(in: try Places.configuration())
      let records = try peers.load().records
      list = records
      lapsed = try PeersyncTool.lapsedPairing(peers)
      transfers = try peers.transfers().load().records
      return records.isEmpty ? nil : "trusted: \(records.count)"
    }
    let names = Dictionary(grouping: list ?? []) { $0.deviceName }
    for (name, same) in names.sorted(by: { $0.key < $1.key }) where same.count > 1 {
      let ids = same.map(\.peerId).joined(separator: ", ")
      try note(.peers, "peers with the name '\(name)': \(same.count)", hint: "use their ids instead: \(ids)")
    }
    if let lapsed, let hint = lapsed.hint { try note(.peers, lapsed.message, hint: hint) }
    return list
  }

  /// Returns the remotes; nil if the list cannot be read.
  func lookAtRemotes() throws -> [RemoteRecord]? {
    var list: [RemoteRecord]?
    try look(.remotes) {
      let records = try RemoteFile(in: Places.configuration()).load()
      list = records
      return records.isEmpty ? nil : "added: \(records.count)"
    }
    return list
  }

  /// Checks the store and the files and tables that are bound to it.
  ///
  /// A store that does not exist yet is not a problem on a device that has not synced. Returns false if the
  /// store cannot be used.
  func lookAtStore() throws -> Bool {
    let path = settings.store.path
    if FileMode.isMissingOrEmpty(path) {
      if let loss = settings.store.loss({ transfers }) {
        try problem(.store, loss)
      } else {
        try well(.store, "\(path): does not exist yet")
      }
      return true
    }
    var (bindings, findings): ([Binding], [Diagnostic]) = ([], [])
    var opened: ChangeStore?
    try look(.store) {
      let store = try ChangeStore(path, creating: false, wait: settings.store.wait, onlyRead: true)
      bindings = try store.bindings()
      findings = try faults(of: store)
      let counts = try store.counts()
      opened = store
      return findings.isEmpty ? "\(path): records: \(counts.live)" : nil
    }
    for finding in findings { try problem(.store, finding) }
    if opened != nil, FileMode.size(of: path) > Self.largestVerified {
      try note(
        .store, "\(path): too large to be checked for damage here",
        hint: Diagnostic.command("synclog verify", store: path))
    }
    guard let opened, !findings.contains(where: { $0.code == .storeCorrupt }) else { return false }
    let check = SourceCheck(bindings, in: opened, settings)
    for binding in bindings { try look(at: binding, of: opened, check) }
    try look(.sources) {
      if let (sentence, hint) = try UnboundRecords.found(opened, bindings) {
        try note(.sources, sentence, hint: hint)
      }
      return nil
    }
    return true
  }

  /// Larger stores, in bytes, are not checked for damage, because that would take minutes.
  private static let largestVerified = 256 << 20

  private func faults(of store: ChangeStore) throws -> [Diagnostic] {
    let path = settings.store.path
    var faults: [Diagnostic] = []
    if FileMode.size(of: path) <= Self.largestVerified {
      var (first, count) = ("", 0)
      try store.verify(store.rules() ?? RecordShape()) { fault in
        if count == 0 { first = fault }
        count += 1
      }
      if count > 0 {
        faults.append(
          Diagnostic(
            .storeCorrupt, count == 1 ? first : "\(first), and \(count - 1) more", file: path,
            hint:
              "'\(Diagnostic.command("synclog verify", store: path))' reports all damage; 'synclog restore' "
              + "replaces the store with a backup"))
      }
    }
    if let folder = FileMode.openFolder(of: path) {
      faults.append(
        Diagnostic(
          .looseSecretFile, "anyone can replace this file", file: path,
          hint: "chmod go-w \(ShellWord.path(folder))"))
    }
    if !FileMode.isWritable(path) || !FileMode.isWritable(FileMode.folder(of: path)) {
      faults.append(
        Diagnostic(
          .storeReadOnly, "it cannot be written to", file: path,
          hint: "check the permissions of the file and its folder"))
    }
    if let full = Diagnostic(nearlyFullDiskOf: path) { faults.append(full) }
    if let quarantined = try Diagnostic(quarantined: store.quarantineCount(), store: path) {
      faults.append(quarantined)
    }
    if let latest = settings.store.drift.latest,
      let ahead = try Diagnostic(ahead: store.read { try store.changes(ahead: latest) }, store: path)
    {
      faults.append(ahead)
    }
    return faults
  }

  private func look(at binding: Binding, of store: ChangeStore, _ check: SourceCheck) throws {
    let table = binding.table.map { ", \($0)" } ?? ""
    try look(.sources) {
      try check.records(of: binding).map { "\(binding.source)\(table): records: \($0)" }
    }
    // The check above has reported an error.
    let triggers = try? BindingExchange(binding, wait: settings.store.wait)
      .repeatedTriggers(besides: store.bindings(), ofOthers: false)
    for trigger in triggers ?? [] { try note(.sources, trigger, hint: BindingExchange.triggerRemedy) }
  }
}

extension Diagnostic {
  /// The diagnostic about a disk without enough room for a run; nil if the store's disk has enough.
  init?(nearlyFullDiskOf store: String) {
    self.init(
      nearlyFullDiskOf: store, needing: max(16 << 20, FileMode.size(of: store) / 4),
      hint: "free some space: a run stores the changes that it receives")
  }

  /// The diagnostic about a bound file or table that cannot grow; nil if its disk has enough room.
  ///
  /// It is also nil if the source is on the disk of the store, which has a diagnostic of its own.
  init?(nearlyFullDiskOf binding: Binding, besides store: String) {
    let (source, size) = (binding.source, FileMode.size(of: binding.source))
    if FileMode.areOnOneDisk(source, store) { return nil }
    // A file is replaced by a new one; a table grows.
    self.init(
      nearlyFullDiskOf: source, needing: max(1 << 20, binding.table == nil ? size : size / 4),
      hint: "free some space: a run writes the changes that it receives into this file")
  }

  private init?(nearlyFullDiskOf file: String, needing size: Int, hint: String) {
    guard let free = FileMode.freeSpace(for: file), free < Int64(size) else { return nil }
    self.init(.diskNearlyFull, "its disk has only \(free >> 20) MiB left", file: file, hint: hint)
  }
}
