import Crypto
package import JSONLines
package import SyncCore
import SystemIO

/// A remote that is not a peer, as a person has added it.
package struct RemoteRecord: Equatable, Sendable {
  /// `dir:` and the absolute path of a folder, `https://` and a server's address, or
  /// `firestore://PROJECT/COLLECTION`.
  package var url: String
  /// The remote's own id, which the store uses for it.
  package var id: String
  package var addedAt: Instant
  /// The absolute path of the file with the key of a server, or of a service account.
  package var keyFile: String?
  /// The household that the key opened when the remote was added.
  package var household: String?
  /// The absolute path of a file with certificates to trust in place of the system's.
  package var authorities: String?

  /// The settings that a person gave for a collection.
  package var collection: CollectionSettings?

  package init(url: String, id: String, addedAt: Instant) {
    (self.url, self.id, self.addedAt) = (url, id, addedAt)
  }

  /// Whether the remote has this URL; Unicode forms of a path are different folders.
  package func isAt(_ url: String) -> Bool { self.url.utf8.elementsEqual(url.utf8) }

  /// The path of a collection; nil for another kind of remote.
  package var collectionPath: CollectionPath? { CollectionPath(url) }

  /// The path of a folder; nil for another kind of remote.
  package var folder: String? { Self.folder(url) }

  /// The path after `dir:`, without trailing slashes; nil for other words.
  package static func folder(_ word: String) -> String? {
    guard word.hasPrefix("dir:") else { return nil }
    var path = word.dropFirst(4)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }

  /// A line of `remotes.jsonl`, and of the output of `peersync remote list`.
  package var json: JSONValue {
    var members: [JSONMember] = [
      .init("remote", .string(url)), .init("id", .string(id)), .init("addedAt", .string("\(addedAt)")),
    ]
    if let keyFile { members.append(.init("keyFile", .string(keyFile))) }
    if let household { members.append(.init("household", .string(household))) }
    if let authorities { members.append(.init("caFile", .string(authorities))) }
    return .object(members + (collection?.members ?? []))
  }

  fileprivate init?(_ line: JSONValue) {
    guard let url = line["remote"]?.stringValue, let id = line["id"]?.stringValue, UUIDText(id) != nil,
      let addedAt = line["addedAt"]?.stringValue.flatMap({ Instant($0) }),
      Self.folder(url) != nil || CollectionPath(url) != nil
        || ServerAddress.url(url) != nil && line["keyFile"]?.stringValue != nil
    else { return nil }
    self.init(url: url, id: id, addedAt: addedAt)
    keyFile = line["keyFile"]?.stringValue
    household = line["household"]?.stringValue
    authorities = line["caFile"]?.stringValue
    if CollectionPath(url) != nil {
      guard let settings = CollectionSettings(line) else { return nil }
      collection = settings
    }
  }
}

/// The file `remotes.jsonl` beside the trusted peers: one line for each remote, 0600 in a folder of 0700.
package struct RemoteFile: Sendable {
  private let file: PrivateFile
  package var path: String { file.path }

  package init(in folder: String) { file = PrivateFile("remotes.jsonl", in: folder) }

  package func load() throws -> [RemoteRecord] {
    let text = try file.read() ?? []
    return try text.split(separator: 10).enumerated().map { index, line in
      let line = Array(line)
      guard let value = try? JSONValue(parsing: line.span), let record = RemoteRecord(value) else {
        throw Diagnostic(.damagedRecord, "not a remote", file: file.path, line: index + 1)
      }
      return record
    }
  }

  /// Changes the list while it is locked against other processes.
  package func change(_ body: (inout [RemoteRecord]) -> Void) throws {
    let result = try file.locked { () throws(TransportError) in
      Result {
        var records = try load()
        body(&records)
        try file.replace(with: records.flatMap { Array($0.json.text.utf8) + [10] })
      }
    }
    try result.get()
  }
}
