import JSONLines
import Store
import SyncCore

/// The records of a source as change lines.
///
/// If the app has written back records it read before it was given changes, the lines contain those changes: the app did not
/// revert them, it did not know them.
struct SnapshotText {
  private(set) var text: [UInt8] = []
  /// Keys of which the source has lost what it was given, and what it has there: a change line.
  private(set) var lost: [(key: [UInt8], line: [UInt8]?)] = []
  /// The source has no records at all.
  private(set) var isBlank = true
  /// The app has written to the source since it was given something.
  let isNew: Bool
  /// The record in this version of the source.
  private(set) var reading = ChangeStore.Reading()
  private var wrapping: RecordWrapping
  private let store: ChangeStore

  init(of source: any BoundSource, _ binding: Binding, in store: ChangeStore) throws {
    self.store = store
    wrapping = RecordWrapping(binding)
    let (digest, given) = try store.given(to: binding)
    isNew = !given.isEmpty && source.digest != digest
    if isNew { reading = try Self.reading(given, in: source, store, &wrapping) }
    var missing = reading.stale
    try source.forEachRecord { record, line in
      isBlank = false
      let (record, key) = try Self.known(record, line, source, store, &wrapping)
      if missing.remove(key) != nil {
        try lose(key, record.span)
      } else if source.isPartial {
        try append(record.span, key, line)
      } else {
        try wrapping.append(record.span, line: line, to: &text)
      }
    }
    guard !isBlank else { return }
    for key in missing.sorted(by: { $0.lexicographicallyPrecedes($1) }) { try lose(key, nil) }
  }

  /// Compares a version with all that its app was given, to see what the app has read.
  ///
  /// An app that has read one change has read all those given before it or together with it.
  private static func reading(
    _ given: [[UInt8]: [ChangeStore.Given]], in source: any BoundSource, _ store: ChangeStore,
    _ wrapping: inout RecordWrapping
  ) throws -> ChangeStore.Reading {
    var reading = ChangeStore.Reading()
    // For each key, the last change given before which the source had its current record, and that record.
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
        // What was changed or deleted here since has no part in what the app has read.
        reading.batch = max(reading.batch, newest.batch)
      } else {
        try look(key, versions, at: Array(copying: record))
      }
    }
    for key in absent {
      // A record deleted elsewhere is gone, whether the app has read that or not.
      guard let versions = given[key], try store.line(of: key.span)?.isTombstone == false else { continue }
      try look(key, versions, at: nil)
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

  /// Whether a record is as it was given last, and was another one before.
  private static func isAsGiven(
    _ record: [UInt8], _ key: [UInt8], _ given: ChangeStore.Given, isPartial: Bool, _ store: ChangeStore
  ) throws -> Bool {
    guard let last = try store.lastRead(key.span) else { return false }
    let content = try isPartial ? typed(record, like: JSONValue(parsing: last.span)) : record
    guard !ChangeLine.differInContent(content.span, last.span) else { return false }
    return given.before.map { ChangeLine.differInContent($0.span, record.span) } ?? true
  }

  /// Whether a record has a clock that is older than that of what is stored: who edits a record renews its clock.
  private static func isOlder(
    _ record: [UInt8]?, than line: [UInt8]?, _ wrapping: inout RecordWrapping
  ) -> Bool {
    guard let record, let line, let own = wrapping.clock(of: record.span),
      let fields = SnapshotContent.fields(of: line.span),
      let stored = wrapping.clock(of: line.span.extracting(fields))
    else { return false }
    return own < stored
  }

  /// A record with its key: where all values are strings, the store may know it by a number.
  static func known(
    _ record: Span<UInt8>, _ line: Int?, _ source: any BoundSource, _ store: ChangeStore,
    _ wrapping: inout RecordWrapping
  ) throws -> (record: [UInt8], key: [UInt8]) {
    let key = try wrapping.key(of: record, line: line)
    if source.isPartial, try store.line(of: key.span) == nil, let other = wrapping.numbered(record),
      try store.line(of: other.key.span) != nil
    {
      return other
    }
    return (Array(copying: record), key)
  }

  /// In place of what the source has, appends what it was given.
  private mutating func lose(_ key: [UInt8], _ record: Span<UInt8>?) throws {
    var line: [UInt8]?
    if let record {
      var text: [UInt8] = []
      try wrapping.append(record, to: &text)
      line = text.dropLast()
    }
    lost.append((key, line))
    guard let stored = try store.line(of: key.span), !stored.isTombstone else { return }
    text += stored.line
    text.append(10)
  }

  /// Appends a record with what its source cannot say of it.
  ///
  /// What it said the last time is not an edit, whatever types its members have been given elsewhere since.
  private mutating func append(_ record: Span<UInt8>, _ key: [UInt8], _ line: Int?) throws {
    let own = Array(copying: record)
    if let last = try store.lastRead(key.span) {
      let before = try Self.typed(own, like: JSONValue(parsing: last.span))
      if !ChangeLine.differInContent(before.span, last.span) {
        return try wrapping.append(before.span, line: line, to: &text)
      }
    }
    let typed = try Self.typed(own, key, store)
    try wrapping.append(typed.span, line: line, to: &text)
  }

  static func typed(_ record: [UInt8], _ key: [UInt8], _ store: ChangeStore) throws -> [UInt8] {
    guard let before = try store.line(of: key.span)?.line,
      let fields = try JSONValue(parsing: before.span)["fields"]
    else { return record }
    return try typed(record, like: fields)
  }

  private static func typed(_ record: [UInt8], like fields: JSONValue) throws -> [UInt8] {
    var typed: [UInt8] = []
    try JSONValue(parsing: record.span).typed(like: fields).append(to: &typed)
    return typed
  }
}

extension [UInt8] {
  init(copying bytes: Span<UInt8>) {
    self = []
    append(bytes)
  }
}
