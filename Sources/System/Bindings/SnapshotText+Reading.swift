import JSONLines
import Store
import SyncCore

/// Finds the changes that the app had read when it wrote this version.
extension SnapshotText {
  /// Compares a version with all changes written to the source, to find the changes that the app has read.
  ///
  /// An app that has read a change has also read all changes written before it or together with it.
  static func reading(
    _ given: [[UInt8]: [ChangeStore.Given]], in source: any BoundSource, _ store: ChangeStore,
    _ wrapping: inout RecordWrapping
  ) throws -> ChangeStore.Reading {
    var reading = ChangeStore.Reading()
    // For each key: the last change whose `before` equals the source's current record, and that record.
    var candidates: [[UInt8]: (given: ChangeStore.Given, record: [UInt8]?)] = [:]
    var absent = Set(given.keys)
    func look(_ key: [UInt8], _ versions: [ChangeStore.Given], at record: [UInt8]?) throws {
      let fitting = versions.indices.filter { index in
        guard let record, let before = versions[index].before else {
          return record == nil && versions[index].before == nil
        }
        return !ChangeLine.differInContent(before.span, record.span)
      }
      guard let first = fitting.first, let last = fitting.last else { return reading.meant.append(key) }
      if first > 0, record != nil { reading.batch = max(reading.batch, versions[first - 1].batch) }
      candidates[key] = (versions[last], record)
    }
    try source.forEachRecord { record, line in
      let (own, key) = try known(record, line, source, store, &wrapping)
      guard let versions = given[key], let newest = versions.last else { return }
      absent.remove(key)
      let content = try source.isPartial ? typed(own, key, store) : own
      if let stored = try store.line(of: key.span), !stored.isTombstone,
        SnapshotContent.isSame(content.span, .record, stored.line.span)
      {
        reading.batch = max(reading.batch, newest.batch)
      } else if try isAsGiven(own, key, newest, isPartial: source.isPartial, store) {
        // The app has read the change, even if the record has been changed or deleted in the store since
        // then.
        reading.batch = max(reading.batch, newest.batch)
      } else {
        try look(key, versions, at: Array(copying: record))
      }
    }
    for key in absent {
      guard let versions = given[key], let stored = try store.line(of: key.span) else { continue }
      if stored.isTombstone {
        // If the record comes back, the app has added it. Its absence does not show what the app has read.
        reading.meant.append(key)
      } else {
        try look(key, versions, at: nil)
      }
    }
    for (key, (given, record)) in candidates {
      let line = try store.line(of: key.span)?.line
      if given.batch > reading.batch, !given.isAgain || isOlder(record, than: line, &wrapping) {
        reading.stale.insert(key)
        continue
      }
      reading.meant.append(key)
      if given.batch > reading.batch, let line { reading.takenAway.append((key, line)) }
    }
    return reading
  }

  /// Whether a record equals the last version written to the source, but not the version before that.
  private static func isAsGiven(
    _ record: [UInt8], _ key: [UInt8], _ given: ChangeStore.Given, isPartial: Bool, _ store: ChangeStore
  ) throws -> Bool {
    guard let last = try store.lastRead(key.span) else { return false }
    let content = try isPartial ? typed(record, like: JSONValue(parsing: last.span)) : record
    guard !ChangeLine.differInContent(content.span, last.span) else { return false }
    return given.before.map { ChangeLine.differInContent($0.span, record.span) } ?? true
  }

  /// Whether a record has an older clock than the stored record; an edit would have renewed its clock.
  private static func isOlder(
    _ record: [UInt8]?, than line: [UInt8]?, _ wrapping: inout RecordWrapping
  ) -> Bool {
    guard let record, let line, let own = wrapping.clock(of: record.span),
      let fields = SnapshotContent.fields(of: line.span),
      let stored = wrapping.clock(of: line.span.extracting(fields))
    else { return false }
    return own < stored
  }
}
