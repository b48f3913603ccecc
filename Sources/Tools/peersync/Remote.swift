import CommandLine
import JSONLines
import Links
import Pairing
import Remotes
import SyncCore
import SystemIO

/// A peer or remote to sync with, as the command line names it.
enum Remote {
  /// The peers that the words name, each once; all trusted peers without words.
  ///
  /// Peers of version 1, which do not prove their identity, are included only by name. With `hasOthers` the
  /// list may be empty.
  static func peers(
    _ words: [String], in list: TrustList, over version: ProtocolVersion, hasOthers: Bool
  ) throws -> [TrustRecord] {
    if words.isEmpty {
      if version == .one {
        throw UsageError.conflict("protocol 1 does not authenticate peers: name the PEER")
      }
      if !hasOthers, let lack = list.lackOfProof { throw withWayOut(lack) }
      return list.records.filter { $0.version == .two }
    }
    return try peers(words, in: list)
  }

  /// The peers among the words, each once.
  static func peers(_ words: [String], in list: TrustList) throws(Diagnostic) -> [TrustRecord] {
    var records: [TrustRecord] = []
    for word in words where !TrustList.isRemote(word) {
      let record = try list.named(word)
      if !records.contains(record) { records.append(record) }
    }
    return records
  }

  /// Adds a hint to name a peer of version 1, or to add a remote.
  private static func withWayOut(_ lack: Diagnostic) -> Diagnostic {
    guard let hint = lack.hint else { return lack }
    var lack = lack
    lack.hint =
      hint
      + (lack.code == .otherProtocolVersion
        ? "; 'peersync run --protocol 1 NAME' syncs without authentication"
        : "; or add a folder, a server or a Firestore collection: peersync remote add")
    return lack
  }

  /// The remotes among the words; all remotes without words.
  static func remotes(_ words: [String], in records: [RemoteRecord]) throws -> [RemoteRecord] {
    if words.isEmpty { return records }
    var found: [RemoteRecord] = []
    for word in words where TrustList.isRemote(word) {
      let record = try record(named: word, in: records)
      if !found.contains(record) { found.append(record) }
    }
    return found
  }

  /// The remote that a word names; an `http://` URL that `add` would refuse is reported as unknown.
  static func record(named word: String, in records: [RemoteRecord]) throws -> RemoteRecord {
    let name = word.hasPrefix("http://") ? ServerAddress.url(word) ?? word : try url(word)
    if let record = records.first(where: { $0.isAt(name) }) { return record }
    throw Diagnostic(
      .unknownPeer, "'\(name.escapingControls)' is not a remote of this device",
      hint: "'peersync remote add' adds it, 'peersync remote list' prints the remotes")
  }

  /// The URL of a remote: for a folder its absolute path, with links followed.
  static func url(_ word: String) throws -> String {
    if let url = ServerAddress.url(word) ?? CollectionPath(word)?.url { return url }
    if word.hasPrefix("firestore://") {
      throw UsageError.conflict(
        "'\(word)' is not a collection: use firestore://PROJECT/COLLECTION, or "
          + "firestore://PROJECT/users/ann/COLLECTION"
      )
    }
    if word.hasPrefix("http://"), ServerAddress.url("https://" + word.dropFirst(7)) != nil {
      throw unencrypted(word)
    }
    guard let path = RemoteRecord.folder(word), !path.isEmpty else {
      throw UsageError.conflict(
        "'\(word)' is not a remote: use dir:PATH, https://SERVER or firestore://PROJECT/COLLECTION"
      )
    }
    return "dir:\(try FileMode.lasting(path))"
  }

  /// The error for a server on another machine without TLS.
  private static func unencrypted(_ word: String) -> Diagnostic {
    Diagnostic(
      .conflictingOptions,
      "'\(word)': the key would not be encrypted; http:// is only for 127.0.0.1, localhost and [::1]",
      hint: "let nginx or Caddy provide https://, as in docs/cookbook.md, 'My own server in ten minutes'")
  }
}
