import JSONLines
import Store
import SyncCore

/// The records of a source as change lines.
///
/// Where the app has written back what it had read before it was given changes, the lines say what it was given: it has
/// not taken it back, it has not known it.
struct SnapshotText {
  private(set) var text: [UInt8] = []
  /// Keys of which the source has lost what it was given, and what it has there: a change line.
  private(set) var lost: [(key: [UInt8], line: [UInt8]?)] = []
  /// The source has no records at all.
  private(set) var isBlank = true
  /// The app has written to the source since it was given something.
  let isNew: Bool
  private var wrapping: RecordWrapping
  private let store: ChangeStore

  init(of source: any BoundSource, _ binding: Binding, in store: ChangeStore) throws {
    self.store = store
    wrapping = RecordWrapping(binding)
    let (digest, given) = try store.given(to: binding)
    isNew = !given.isEmpty && source.digest != digest
    let unread = try isNew ? Self.unread(given, in: source, store, &wrapping) : []
    var missing = unread
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

  /// The keys of changes that the app has not known when it wrote: nothing of what was given at the same time is there.
  private static func unread(
    _ given: [[UInt8]: ChangeStore.Given], in source: any BoundSource, _ store: ChangeStore,
    _ wrapping: inout RecordWrapping
  ) throws -> Set<[UInt8]> {
    var present: [[UInt8]: Bool] = [:]
    try source.forEachRecord { record, line in
      let (own, key) = try known(record, line, source, store, &wrapping)
      guard let change = given[key] else { return }
      // `before` is as the source had it.
      present[key] =
        change.before.map { !ChangeLine.differInContent($0.span, record) || $0 == own } ?? false
    }
    let read = Set(
      given.compactMap { key, change in present[key] ?? (change.before == nil) ? nil : change.batch })
    return Set(given.filter { !$1.isAgain && !read.contains($1.batch) }.keys)
  }

  /// A record with its key: where all values are strings, the store may know it by a number.
  private static func known(
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
  private mutating func append(_ record: Span<UInt8>, _ key: [UInt8], _ line: Int?) throws {
    guard let before = try store.line(of: key.span)?.line,
      let fields = try JSONValue(parsing: before.span)["fields"]
    else { return try wrapping.append(record, line: line, to: &text) }
    var typed: [UInt8] = []
    try JSONValue(parsing: record).typed(like: fields).append(to: &typed)
    try wrapping.append(typed.span, line: line, to: &text)
  }
}

extension [UInt8] {
  init(copying bytes: Span<UInt8>) {
    self = []
    append(bytes)
  }
}
