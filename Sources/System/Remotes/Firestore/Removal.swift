import Crypto
import JSONLines
import Store
import SyncCore

/// A document that was removed, and the deletion of its record.
///
/// A store that removes a document notes the removal beside the collection. Otherwise other stores would not
/// know when the record was deleted, and could treat older writes as later.
struct Removal {
  /// The id of the document.
  var id: String
  /// The server's time of the removal, or of the document's last write if another program removed it.
  var updated: String
  var change: DocumentForm.Change

  /// The id of the note.
  static func id(of document: String) -> String {
    "removed-" + HexDigits.text((try? Digest.sha256(Array(document.utf8).span)) ?? []).prefix(32)
  }

  /// The member with the server's time; queries for notes use it.
  static let time = "removed"

  /// Whether that deletion has removed the version known to this store.
  ///
  /// This is the case unless the document has been written since then, because a store removes only a version
  /// that it has read.
  func isNews(about known: KnownDocument) -> Bool {
    if let clock = change.clock, let last = known.clock, clock <= last { return false }
    guard let written = Instant(known.updated), let time = Instant(updated) else { return true }
    return written < time
  }
}

/// The notes about some removed documents.
struct RemovalNotes {
  /// The readable notes, by the ids of the documents.
  var readable: [DocumentID: Removal] = [:]
  /// The server's times of all notes, by the ids of the notes.
  var versions: [DocumentID: String] = [:]

  subscript(id: String) -> Removal? { readable[DocumentID(id)] }

  /// The condition for a write of the note about a document, which replaces an unreadable note.
  func condition(ofNoteAbout id: String) -> JSONValue {
    versions[DocumentID(Removal.id(of: id))].map { ["updateTime": .string($0)] } ?? ["exists": false]
  }
}
