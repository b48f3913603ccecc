package import CommandLineTool
package import StoreFiles

extension Diagnostic {
  package init(_ error: StoreError, store path: String) {
    let (code, message, hint) = Self.matter(of: error)
    self.init(code, message, file: path, hint: hint)
  }

  /// What `body` gives; an error of the store becomes a diagnostic about its file.
  package static func naming<Value>(store path: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as StoreError {
      throw Diagnostic(error, store: path)
    }
  }

  /// Of a run that has left changes in quarantine; nil where there are none.
  package init?(quarantined count: Int, store path: String) {
    guard count > 0 else { return nil }
    self.init(
      .quarantined, "changes in quarantine: \(count)", file: path, hint: "synclog quarantine list shows them")
  }

  private static func matter(of error: StoreError) -> (DiagnosticCode, String, String?) {
    switch error {
    case .missing: (.fileNotFound, "no such store", "record, put and apply make one")
    case .cannotOpen(let reason): (.cannotCreate, "cannot be opened: \(reason)", nil)
    case .notReadable(let reason): (.notReadable, "cannot be opened: \(reason)", nil)
    case .busy:
      (.storeBusy, "another process is writing to the store", "try again, or wait longer with --wait")
    case .full:
      (
        .storeFull, "no room on the disk; nothing has been changed",
        "make room, then run the same command again"
      )
    case .readOnly:
      (
        .storeReadOnly, "the store cannot be written to",
        "check the permissions of the file and its folder; from a disk that can only be read, copy it first"
      )
    case .corrupt(let reason):
      (
        .storeCorrupt, "the store is damaged: \(reason)",
        "synclog dump writes what is whole; a backup, or a peer's answer to a new store, has the rest"
      )
    case .notAStore: (.notAStore, "not a store", "--store names a file that synclog has made")
    case .newerSchema(let found, let known):
      (
        .newerStore, "the store is of version \(found), later than \(known)",
        "use the version of synclog that has written it, or a later one"
      )
    case .inputOutput(let reason): (.storeFailed, "reading or writing failed: \(reason)", nil)
    case .tooLarge: (.lineTooLarge, "a line is longer than 8 MiB", nil)
    case .other(let code, let message): (.storeFailed, "\(message) (\(code))", nil)
    default: matterOfUse(error)
    }
  }

  /// What is wrong with the question, not with the store.
  private static func matterOfUse(_ error: StoreError) -> (DiagnosticCode, String, String?) {
    switch error {
    case .foreignToken:
      (
        .tokenForeign, "the token is of another store, or of one that was restored since",
        "without a token all changes are told"
      )
    case .expiredToken:
      (
        .tokenExpired, "tombstones after the token have been compacted away",
        "without a token all changes are told; what they do not name is gone"
      )
    case .tooManyDeletions(let count, let live):
      (
        .tooManyDeletions, "\(count) of \(live) records would be deleted; none has been",
        "--max-delete allows more"
      )
    case .outOfScope:
      (.otherEntity, "a record of the snapshot is of another entity than --entity-name says", nil)
    case .unknownPeer(let name):
      (.unknownPeer, "no peer '\(name)'", "synclog peers lists those that are known")
    case .ambiguousPeer(let name):
      (.unknownPeer, "'\(name)' is the beginning of several peers", "give more of it")
    default: (.invalidToken, "not a token", nil)
    }
  }
}
