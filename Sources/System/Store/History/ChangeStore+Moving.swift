import SyncCore
import SystemIO

/// The steps of moving a store to another place.
extension ChangeStore {
  /// Moves the whole log into the file; throws `busy` if a reader still needs a part of the log.
  package func emptyLog() throws { try (database as? Database)?.emptyLog() }

  private static let logEnds = ["-wal", "-shm"]

  /// Gives a file another name; this process must have closed it.
  ///
  /// Throws `nameTaken` if a file with that name exists.
  ///
  /// Another process may have the store open, with its log and the log's index. These get the new name too,
  /// because that process continues to use them. Other processes must not find a store without its log. So
  /// the log is renamed after the file, or before the file if it `returns` to the name that everybody uses.
  package static func rename(_ path: String, to other: String, returns: Bool = false) throws {
    guard !FileMode.exists(other) else { throw StoreError.nameTaken(other) }
    // SQLite would apply the log of a removed store to this one.
    for end in logEnds { FileMode.remove(other + end) }
    if returns { renameLog(of: path, to: other) }
    do throws(SystemError) {
      try FileMode.rename(path, toNew: other)
    } catch {
      if returns { renameLog(of: other, to: path) }
      throw FileMode.exists(other) ? StoreError.nameTaken(other) : .inputOutput(error.reason)
    }
    if !returns { renameLog(of: path, to: other) }
  }

  private static func renameLog(of path: String, to other: String) {
    for end in logEnds where FileMode.exists(path + end) {
      try? FileMode.rename(path + end, to: other + end)
    }
  }

  /// Completes a `rename` that was interrupted between the file and its log.
  package static func completeRename(_ path: String, to other: String) {
    guard !FileMode.exists(path), FileMode.exists(other) else { return }
    renameLog(of: path, to: other)
  }

  /// Whether a file's name is that of a log or its index.
  package static func isLog(_ name: Substring) -> Bool { logEnds.contains { name.hasSuffix($0) } }

  /// Removes a store; no process may have it open.
  package static func remove(_ path: String) { for end in [""] + logEnds { FileMode.remove(path + end) } }

  /// The suffix of the name of a file that is being moved.
  package static let movingEnd = ".moving"

  /// Throws `beingMoved` for a store that is being moved: a new file under its name would be mistaken for it.
  static func requireNotMoving(_ path: String) throws(StoreError) {
    if FileMode.size(of: path) == 0, FileMode.exists(path + movingEnd) { throw .beingMoved }
  }

  /// Prevents further writes to the store, because it is being moved.
  package func fence() throws { try database.fence() }

  package func unfence() throws { try database.unfence() }

  /// Whether the file of the store rejects writes because it is being moved; false for a database server.
  package var isFenced: Bool {
    get throws { try (database as? Database)?.isFenced ?? false }
  }

  /// Whether this store continues another store, and so contains everything in it.
  package func contains(_ other: ChangeStore) throws -> Bool {
    let token = try other.currentToken()
    return try id == other.id && read { try standing(of: token) != .foreign }
  }
}
