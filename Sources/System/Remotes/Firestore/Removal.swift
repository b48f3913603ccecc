import Crypto
import Store
import SyncCore

/// A document that was removed, and the deletion of its record.
///
/// A store that removes a document notes that beside the collection. Otherwise others would not know when the
/// record was deleted, and could treat older writes as later.
struct Removal {
  /// Of the document.
  var id: String
  /// When it was removed, by the server's time; if another program has removed it, when it was last written.
  var updated: String
  var change: DocumentForm.Change

  /// The id of the note.
  static func id(of document: String) -> String {
    "removed-" + HexDigits.text((try? Digest.sha256(Array(document.utf8).span)) ?? []).prefix(32)
  }

  /// The member with the server's time, by which notes are found.
  static let time = "removed"

  /// Whether that deletion has removed the version known to this store.
  ///
  /// This holds if the document was not written since: a remover can have removed only the version that it
  /// knew.
  func isNews(about known: KnownDocument) -> Bool {
    if let clock = change.clock, let last = known.clock, clock <= last { return false }
    guard let written = Instant(known.updated), let time = Instant(updated) else { return true }
    return written < time
  }
}
