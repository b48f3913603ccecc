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
  /// The app has written to the source since it was given something.
  let isNew: Bool
  private var wrapping: RecordWrapping
  private let store: ChangeStore

  init(of source: any BoundSource, _ binding: Binding, in store: ChangeStore) throws {
    self.store = store
    wrapping = RecordWrapping(binding)
    var (digest, given) = try store.given(to: binding)
    isNew = !given.isEmpty && source.digest != digest
    try source.forEachRecord { record, line in
      let key = try wrapping.key(of: record, line: line)
      if isNew, let change = given.removeValue(forKey: key), !change.isAgain,
        let before = change.before, !ChangeLine.differInContent(before.span, record)
      {
        try lose(key, record)
      } else if source.isPartial {
        try append(record, key, line)
      } else {
        try wrapping.append(record, line: line, to: &text)
      }
    }
    guard isNew else { return }
    // A new record that is not there.
    for (key, change) in given.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    where change.before == nil && !change.isAgain {
      try lose(key, nil)
    }
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
