public import JSONLines
import Store
public import SyncCore
import SystemIO

/// The records of an app in a file, with the history that peers need, in the form of `synclog` and
/// `peersync`.
///
/// Each call is a separate transaction and opens the file, so several threads and processes may use it, even
/// the tools at the same time. The file is an SQLite database, described in docs/formats/store.md.
public struct RecordStore: Sendable {
  /// The path of the file.
  public let path: String
  /// The longest wait of a call for another process that has locked the store.
  public var wait = Duration.seconds(5)
  /// The maximum time by which clocks of records may be ahead of this device's clock; nil allows any clock.
  public var maxDrift: Duration? = DriftGuard.default
  /// The limit of records that one call or one sync may delete; a call above the limit fails.
  public var maxDelete = DeleteLimit.default

  let choice: RuleChoice

  /// The `choice` for a session; a session does not store records without an entity.
  var sessionChoice: RuleChoice {
    var shape = choice.shape
    shape.entityName = ""
    return RuleChoice(shape, hasProfile: choice.hasProfile, entityName: nil)
  }

  /// A store at a path; the first call that writes makes the file.
  ///
  /// `profile` is the text of a profile or the name of a built-in one. A new store keeps the profile. For an
  /// existing store, nil means the store's profile, and with a different profile each call fails
  /// (`storeRulesDiffer`). `entityName` is the entity of records that do not name an entity;
  /// nil means that of the profile, if it has one.
  ///
  /// - Throws: `invalidProfile`.
  public init(_ path: String, profile: String? = nil, entityName: String? = nil) throws(SyncError) {
    self.path = path
    let shape = try RecordShape(profile: profile, entityName: entityName ?? "")
    choice = RuleChoice(
      shape, hasProfile: profile != nil,
      entityName: entityName ?? (shape.entityName.isEmpty ? nil : shape.entityName))
  }

  /// The outcome of a write.
  public struct Counts: Equatable, Sendable {
    /// Changes that are stored now.
    public let stored: Int
    /// Changes that the store already had.
    public let same: Int
    /// Live records that are deleted now.
    public let deletions: Int
    /// The canonical keys of changes that were not stored, as JSON, each with the reason.
    public let notStored: [NotStored]

    /// A change that a write has not stored.
    public struct NotStored: Equatable, Sendable {
      /// The canonical key, such as `["Task",{"id":"7"}]`.
      public let key: String
      /// `conflict` if the stored change wins by the rules, or if this change is older than the last prune;
      /// `lineTooLarge`, `nestingTooDeep`.
      public let code: ErrorCode
      /// The reason as text.
      public let reason: String
    }

    init(_ counts: LocalIntake.Counts, _ unstored: [UnstoredChange]) {
      (stored, same, deletions) = (counts.stored, counts.same, counts.deletions)
      notStored = unstored.map {
        NotStored(key: String(decoding: $0.key, as: UTF8.self), code: $0.code, reason: $0.reason)
      }
    }
  }
}

// MARK: Writing

extension RecordStore {
  /// Stores changes made by the user: records and change lines, UTF-8, one per line.
  ///
  /// Each change gets a clock later than that of the replaced version, so it wins over the version that the
  /// user has seen. A deletion is a change line with `deletedAt`. All changes are stored in one transaction,
  /// except those in ``Counts/notStored``.
  ///
  /// - Throws: the code of a line that is not a change, with its number; `clockRefused`, `storeBusy`, `storeFull`.
  @discardableResult
  public func put(_ lines: [UInt8], now: Instant = .wallTime) throws(SyncError) -> Counts {
    try SyncError.wrapping(store: path) {
      let ruled = try RuledStore(path, wait: wait, choice)
      let changes = try sorted(lines, ruled.shape)
      let intake = try ruled.put(bounds(now)) { take in
        try changes.forEachKey { lines, reader in
          for index in lines.indices { try Self.hand(lines.text(index), &reader, to: take) }
        }
      }
      return Counts(intake.counts, intake.unstored)
    }
  }

  /// Stores the differences of a complete export of the app from the previous one: new, changed and missing
  /// records.
  ///
  /// `snapshot` has all live records of the entity, or of all entities if `entityName` of the store is nil,
  /// one per line, each with its line feed. Changes from peers and by ``put(_:now:)`` since the last snapshot
  /// are not differences: such records are kept.
  ///
  /// - Throws: as ``put(_:now:)``; `tooManyDeletions` if more than ``maxDelete`` records are missing, `duplicateKey`,
  ///   `unterminatedLine`, `conflictingOptions` if `peersync bind` has bound the entity.
  @discardableResult
  public func record(snapshot: [UInt8], now: Instant = .wallTime) throws(SyncError) -> Counts {
    try SyncError.wrapping(store: path) {
      let ruled = try RuledStore(path, wait: wait, choice)
      if let last = snapshot.last, last != 10 {
        throw Diagnostic(
          .unterminatedLine, "the last line has no line feed", line: snapshot.count { $0 == 10 } + 1)
      }
      let records = try sorted(snapshot, ruled.shape)
      if let duplicate = records.firstDuplicate(in: 0) {
        throw Diagnostic(duplicate, in: nil)
      }
      let intake = try ruled.record(
        bounds(now), entity: choice.entityName, withholdingDeletions: false
      ) { take in
        try records.forEachKey { lines, reader in try Self.hand(lines.text(0), &reader, to: take) }
      }
      return Counts(intake.counts, intake.unstored)
    }
  }

  func bounds(_ now: Instant) -> WriteBounds {
    WriteBounds(now: now, drift: DriftGuard(now: now, maximum: maxDrift), maxDelete: maxDelete)
  }

  private func sorted(_ lines: [UInt8], _ shape: RecordShape) throws -> SortedLines {
    try SortedLines([lines], shape, use: .write) { error, _, line throws(Diagnostic) in
      throw Diagnostic(error, line: line)
    }
  }

  private static func hand(
    _ line: Span<UInt8>, _ reader: inout ChangeReader,
    to take: (Span<UInt8>, Span<UInt8>, ChangeLine) throws -> Void
  ) throws {
    let (text, change, key) = reader.read(line)
    try take(key.span, text.span, change)
  }
}

// MARK: Reading

extension RecordStore {
  /// All live records in key order, one per line, in their original form if that gives the same record,
  /// otherwise as change lines.
  ///
  /// With `asSnapshot` the next ``record(snapshot:now:)`` is compared with these records, for an app that
  /// stores all of them. Without `entity` they are then the records of `entityName` of the store, if it is
  /// not nil.
  ///
  /// - Throws: `fileNotFound` if the store does not exist yet, `storeCorrupt`, `missingEntity`; with
  ///   `asSnapshot` also `conflictingOptions` if `peersync bind` has bound the entity.
  public func records(of entity: String? = nil, asSnapshot: Bool = false) throws(SyncError) -> [UInt8] {
    try SyncError.wrapping(store: path) {
      let store = try ChangeStore(path, creating: false, wait: wait, onlyRead: !asSnapshot)
      var records = try StoredRecords(store, entity: entity ?? choice.entityName)
      let scope = entity ?? (asSnapshot ? choice.entityName : nil)
      var text: [UInt8] = []
      try store.forEachLine(of: scope, tombstones: false, isBaseline: asSnapshot) { line, key in
        text.append(line.extracting(try records.range(of: line, key)))
        text.append(10)
      } finish: {
      }
      return text
    }
  }

  /// Changes, and the token to continue with.
  public struct Changes: Equatable, Sendable {
    /// Change lines, each with its line feed, in the order of their arrival.
    public let lines: [UInt8]
    /// The token for the next request, an opaque text.
    public let token: String
    /// Whether more changes follow after `token`.
    public let hasMore: Bool
  }

  /// The changes after a token, made here or by peers, including deletions; without a token, all changes.
  ///
  /// `limit` is the maximum number of lines. An app that keeps its data elsewhere applies the lines there,
  /// and stores the token in the same transaction.
  ///
  /// - Throws: `invalidToken`, `tokenForeign`, `tokenExpired` (then request without a token, and delete the
  ///   records that are not among the lines), `fileNotFound`.
  public func changes(after token: String? = nil, limit: Int? = nil) throws(SyncError) -> Changes {
    try SyncError.wrapping(store: path) {
      let store = try ChangeStore(path, creating: false, wait: wait, onlyRead: true)
      let place = try token.map { text in
        guard let place = StoreToken(text) else { throw StoreError.invalidToken }
        return place
      }
      var lines: [UInt8] = []
      let end = try store.changes(after: place, limits: .init(lines: limit)) { line in
        lines.append(line)
        lines.append(10)
      }
      return Changes(lines: lines, token: end.token.text, hasMore: end.hasMore)
    }
  }
}
