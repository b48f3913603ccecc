public import Foundation
import JSONLines
import Store
public import StoreSync
import SyncCore

/// The records of one entity in a ``RecordStore``, as the remote store of a `SyncEngine`.
///
/// It syncs data in an app's own database with peers, through the store.
///
/// A record is stored as a change line. Its `fields` are the output of the app's encoder, and its clock is
/// `updatedAt`, to the millisecond. A revision is the stored line itself, so a write to a record that a peer
/// has changed is refused.
///
/// The rules of the store decide whether a record is deleted, and when it was changed. A record that `decode`
/// does not accept is left out; a sync reports it in `SyncResult.unreadable`.
public struct EntityRecords<Entity: Syncable>: RemoteStore {
  private let store: RecordStore
  private let name: String
  private let encode: @Sendable (Entity) throws -> Data
  private let decode: @Sendable (Data) throws -> Entity

  /// The records of the entity `name`; the encoder and decoder determine the form of dates.
  ///
  /// `encode` must return a JSON object, on one line or on several, and `decode` must accept further members in
  /// it. When the app writes a record, members that `encode` does not return are lost.
  public init(
    _ store: RecordStore, entity name: String,
    encode: @escaping @Sendable (Entity) throws -> Data = { try JSONEncoder().encode($0) },
    decode: @escaping @Sendable (Data) throws -> Entity = { try JSONDecoder().decode(Entity.self, from: $0) }
  ) {
    (self.store, self.name, self.encode, self.decode) = (store, name, encode, decode)
  }

  /// All records that are not deleted.
  public func getAll() throws -> RemoteChanges<Entity> {
    var all = try getModified(after: nil)
    all.records.removeAll { $0.version.entity == nil }
    return all
  }

  /// The changes after the cursor, made here or by peers.
  ///
  /// - Throws: `CursorExpired`; `CursorForeign` if the store was replaced or restored, or for a cursor that is
  ///   not from a store.
  public func getModified(after cursor: [UInt8]?) throws -> RemoteChanges<Entity> {
    let opened = try open()
    let place = cursor.flatMap { StoreToken(bytes: $0) }
    if cursor != nil, place == nil { throw CursorForeign() }
    var reader = ChangeReader(try rules(opened))
    let keys = KeyRange(of: name)
    var page = RemoteChanges<Entity>([], cursor: [], hasMore: false)
    do {
      let end = try opened.changes(after: place) { line in
        var key: [UInt8] = []
        let change = reader.change(line, key: &key)
        guard keys.contains(key.span) else { return }
        switch record(line, change) {
        case .success(let record): page.records.append(record)
        case .failure(let unreadable): page.unreadable.append(unreadable)
        }
      }
      page.cursor = end.token.bytes
      return page
    } catch StoreError.expiredToken {
      throw CursorExpired()
    } catch StoreError.foreignToken {
      throw CursorForeign()
    } catch let error as StoreError {
      throw SyncError(Diagnostic(error, store: store.path))
    }
  }

  /// The records with these ids, including tombstones.
  ///
  /// - Throws: `UnreadableRecord` for a record that cannot be read.
  public func get(_ ids: [Entity.ID]) throws -> [Entity.ID: RemoteRecord<Entity>] {
    let opened = try open()
    var reader = ChangeReader(try rules(opened))
    var found: [Entity.ID: RemoteRecord<Entity>] = [:]
    for id in ids {
      let asked = try line(.deleted(id: id, at: Date(timeIntervalSince1970: 0)))
      let key = reader.key(of: asked.span)
      guard let line = try opened.line(of: key.span)?.line else { continue }
      switch record(line.span, reader.change(line.span)) {
      case .success(let record): found[id] = record
      case .failure(let unreadable): throw UnreadableRecord<Entity>(id: id, unreadable.reason)
      }
    }
    return found
  }

  /// Stores new versions of records, each only if the stored record is unchanged since it was read; each
  /// write has its own outcome.
  ///
  /// - Throws: `tooManyDeletions`, `storeBusy`, `storeFull`; then all writes are discarded.
  public func write(_ writes: [RemoteWrite<Entity>]) throws -> [Entity.ID: RemoteOutcome] {
    try SyncError.wrapping(store: store.path) {
      let opened = try open()
      let ruled = try RuledStore(opened, store.choice)
      var reader = ChangeReader(ruled.shape)
      var outcomes: [Entity.ID: RemoteOutcome] = [:]
      var ids: [[UInt8]: Entity.ID] = [:]
      let bounds = store.bounds(.wallTime)
      let intake = try ruled.put(bounds) { take in
        for write in writes {
          let id = write.version.id
          let written: [UInt8]
          do {
            written = try line(write.version)
          } catch {
            // For example, the app's encoder rejects a number that JSON cannot express.
            outcomes[id] = .failed(error)
            continue
          }
          let (text, change, key) = reader.read(written.span)
          if key.isEmpty {
            outcomes[id] = .failed(SyncError(Diagnostic(.noKey, "the store's rules do not accept the 'id'")))
            continue
          }
          let stored = try opened.line(of: key.span)?.line
          guard stored == write.replacing else {
            outcomes[id] = stored.flatMap { refusal($0.span, reader.change($0.span)) } ?? .changed
            continue
          }
          guard bounds.drift.admits(change) else {
            outcomes[id] = .failed(SyncError(Diagnostic(.clockRefused, "the clock is too far ahead of now")))
            continue
          }
          try take(key.span, text.span, change)
          (outcomes[id], ids[key]) = (.stored, id)
        }
      }
      for change in intake.unstored {
        if let id = ids[change.key] {
          outcomes[id] = .failed(SyncError(Diagnostic(change.code, change.reason)))
        }
      }
      return outcomes
    }
  }

  /// The failure of a write to a stored record that cannot be read; `nil` if the record can be read.
  ///
  /// The outcome `changed` would not help: the record would be left out when it is read again.
  private func refusal(_ line: Span<UInt8>, _ change: ChangeLine) -> RemoteOutcome? {
    if case .failure(let unreadable) = record(line, change) { .failed(unreadable) } else { nil }
  }

  // MARK: Lines

  private func open() throws(SyncError) -> ChangeStore {
    try SyncError.wrapping(store: store.path) {
      try RuledStore(store.path, wait: store.wait, store.choice).open()
    }
  }

  private func rules(_ opened: ChangeStore) throws(SyncError) -> RecordShape {
    try SyncError.wrapping(store: store.path) { try opened.rules() ?? RecordShape() }
  }

  /// `{"entityName":…,"identity":{"id":…},"modifiedAt":…,"fields":…}`, or with `deletedAt`.
  private func line(_ version: RecordVersion<Entity>) throws -> [UInt8] {
    var line = Array("{\"entityName\":".utf8)
    JSONString.appendQuoted(name, to: &line)
    line += Array(",\"identity\":{\"id\":".utf8)
    // Some encoders do not accept a single value as JSON text.
    line += try JSONEncoder().encode([version.id]).dropFirst().dropLast()
    let milliseconds = version.time.timeIntervalSince1970 * 1_000
    guard !milliseconds.isNaN else {
      throw SyncError(Diagnostic(.invalidDate, "'updatedAt' is not a time", file: store.path))
    }
    let clock = Instant(milliseconds: milliseconds)
    switch version {
    case .live(let entity):
      line += Array("},\"modifiedAt\":\"\(clock)\",\"fields\":".utf8)
      line += try fields(entity)
    case .deleted: line += Array("},\"deletedAt\":\"\(clock)\"".utf8)
    }
    return line + Array("}".utf8)
  }

  /// The output of the app's encoder on one line.
  private func fields(_ entity: Entity) throws -> [UInt8] {
    let output = Array(try encode(entity))
    let value = try JSONValue(parsing: output.span)
    guard case .object = value else {
      throw SyncError(Diagnostic(.notAnObject, "the app's encoder does not return a JSON object"))
    }
    let isOneLine = !output.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    return isOneLine ? output : Array(value.text.utf8)
  }

  /// The record in a stored line; the rules read it as `change`.
  private func record(
    _ line: Span<UInt8>, _ change: ChangeLine
  ) -> Result<RemoteRecord<Entity>, UnreadableRecord<Entity>> {
    let value = try? JSONValue(parsing: line)
    var bytes: [UInt8] = []
    bytes.append(line)
    let time = change.clock.map {
      Date(timeIntervalSince1970: Double($0.seconds) + Double($0.nanoseconds) / 1e9)
    }
    do {
      if change.isTombstone {
        let version = RecordVersion<Entity>.deleted(id: try id(in: value), at: time ?? .distantPast)
        return .success(RemoteRecord(version, revision: bytes))
      }
      var entity = try decode(Data((value?["fields"]?.text ?? "{}").utf8))
      entity.updatedAt = time ?? entity.updatedAt
      return .success(RemoteRecord(.live(entity), revision: bytes))
    } catch {
      return .failure(UnreadableRecord(id: try? id(in: value), error))
    }
  }

  private func id(in line: JSONValue?) throws -> Entity.ID {
    let identity = line?["identity"]
    guard let id = identity?["id"],
      let ids = try? JSONDecoder().decode([Entity.ID].self, from: Data("[\(id.text)]".utf8))
    else {
      let shown = (identity?.text ?? "").escapingControls
      throw SyncError(
        Diagnostic(.noKey, "a record of '\(name.shown)' has another 'id': \(shown)", file: store.path))
    }
    return ids[0]
  }
}

extension Instant {
  /// Milliseconds since 1970, rounded; a time outside the years 0000 to 9999 becomes the first or last
  /// instant.
  init(milliseconds: Double) {
    let whole = Int64(min(max(milliseconds.rounded(), -62_167_219_200_000), 253_402_300_799_999))
    let seconds = Int64((Double(whole) / 1_000).rounded(.down))
    self = Instant(seconds: seconds, nanoseconds: Int32(whole - seconds * 1_000) * 1_000_000) ?? .wallTime
  }
}
