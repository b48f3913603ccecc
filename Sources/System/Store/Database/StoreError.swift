/// Why a store cannot be used, or not in this way.
package enum StoreError: Error, Equatable, Sendable {
  /// There is no such file.
  case missing
  /// The file cannot be opened to be written to, or made.
  case cannotOpen(String)
  /// The file exists and cannot be opened by who only wants what is there.
  case notReadable(String)
  /// Another process holds the lock, and did not let go of it in time.
  case busy
  /// No room on the disk.
  case full
  case readOnly
  /// Everybody may write to the file.
  case isForAll
  /// Another file is where the open one was.
  case replaced
  /// The file is damaged.
  case corrupt(String)
  /// The file is no SQLite database, or that of another program.
  case notAStore
  /// The file has been written by a later version.
  case newerSchema(found: Int, known: Int)
  /// The file has been written by an earlier version, and is not taken over.
  case olderSchema(found: Int)
  case inputOutput(String)
  /// A line, or a number of lines, that is too much for the store.
  case tooLarge
  /// What SQLite calls something else.
  case other(code: Int, message: String)

  /// The text of a token is none of a store.
  case invalidToken
  /// The token is of another store, or of a history that this one has no more.
  case foreignToken
  /// What came after the token has been compacted away in part.
  case expiredToken
  case tooManyDeletions(count: Int, live: Int)
  /// More changes of a peer would be kept in quarantine than there is room for.
  case quarantineFull(peer: String)
  /// The store has other rules than are asked for: the option that says so, what it says, and what the store has.
  case rulesDiffer(option: String, given: String, stored: String?)
  /// The rules of the store have become others since its lines were read.
  case rulesChanged
  /// Under other rules the records of this entity would have other keys.
  case keysDiffer(entity: String)
  /// Under other rules a record of this entity would be bad data.
  case unfit(entity: String, reason: String)
  /// A new record has its key in other members than the stored ones of its entity; both for people.
  case otherIdentity(entity: String, given: String, stored: String)
  /// The rules are more than a message can carry.
  case rulesTooLong
  /// A local write has a clock that is further ahead than is allowed; the key, for people.
  case clockRefused(key: String)
  /// A snapshot without lines, of a store with several entities, does not say of which it is.
  case emptySnapshot
  /// What is to be a snapshot has delete lines for live records, as a delta has, and lacks others.
  case delta(deletions: Int, missing: Int)
  /// A snapshot of one entity has a record of another.
  case outOfScope
  case unknownPeer(String)
  case ambiguousPeer(String)
}
