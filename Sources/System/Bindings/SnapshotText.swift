import JSONLines
import Store
import SyncCore

/// The records of a source as change lines.
///
/// If the app has written back records without reading later changes, the lines contain these changes. The
/// app had not read them, so it did not revert them.
struct SnapshotText {
  private(set) var text: [UInt8] = []
  /// Keys of changes that the source has lost, each with the source's current record as a change line.
  private(set) var lost: [(key: [UInt8], line: [UInt8]?)] = []
  /// Whether the source does not have records.
  private(set) var isBlank = true
  /// Whether the app has written to the source since a change was written to it.
  let isNew: Bool
  /// The changes that the app has read, as this version of the source shows.
  private(set) var reading = ChangeStore.Reading()
  /// Records whose form in the source differs from that in the store, with both forms.
  private(set) var spellings: [Spelling] = []
  /// The members of stored records for which a table does not have a column.
  private(set) var hidden: Set<String> = []
  /// The change lines of records whose values in a new column lose against the stored values.
  private(set) var displaced: [(key: [UInt8], line: [UInt8])] = []
  private var wrapping: RecordWrapping
  private let store: ChangeStore
  private let source: any BoundSource

  /// A stored record and the source's own form of it, both as change lines.
  struct Spelling {
    var key: [UInt8]
    var stored: [UInt8]
    var own: [UInt8]
    /// Whether a new column of the source still lacks the stored record's value.
    var lacksValues: Bool
  }

  init(of source: any BoundSource, _ binding: Binding, in store: ChangeStore) throws {
    (self.store, self.source) = (store, source)
    wrapping = RecordWrapping(binding)
    let isPartial = try source.isPartial || source.isUnread && store.hasRecords(of: binding.entity)
    let (digest, given) = try store.given(to: binding)
    isNew = !given.isEmpty && source.digest != digest
    if isNew { reading = try Self.reading(given, in: source, store, &wrapping) }
    var missing = reading.stale
    try source.forEachRecord { record, line in
      isBlank = false
      let (record, key) = try Self.known(record, line, source, store, &wrapping)
      if missing.remove(key) != nil {
        try lose(key, record.span)
      } else if isPartial {
        try append(record.span, key, line)
      } else {
        try wrapping.append(record.span, line: line, to: &text)
      }
    }
    guard !isBlank else { return }
    for key in missing.sorted(by: { $0.lexicographicallyPrecedes($1) }) { try lose(key, nil) }
  }

  /// A record with its key; if all values are strings, the key in the store may be a number.
  ///
  /// If the store has both keys, the record that the source had at the last read or write is preferred,
  /// otherwise a live record.
  static func known(
    _ record: Span<UInt8>, _ line: Int?, _ source: any BoundSource, _ store: ChangeStore,
    _ wrapping: inout RecordWrapping
  ) throws -> (record: [UInt8], key: [UInt8]) {
    let key = try wrapping.key(of: record, line: line)
    guard source.hasTexts else { return (Array(copying: record), key) }
    let standing = try store.standing(of: key.span)
    if standing != .inSource, let other = wrapping.numbered(record),
      try store.standing(of: other.key.span).rawValue > standing.rawValue
    {
      return other
    }
    return (Array(copying: record), key)
  }

  /// Notes that the source has lost a change, and appends the stored record instead of the source's record.
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

  /// Appends a record with the members that its source cannot contain.
  ///
  /// A text that is unchanged since the last read is not an edit, even if the store has other types for its
  /// members. A blank in a new column of the source is not an edit either. A value in a new column is an edit
  /// only if its record has a later clock than the stored record.
  private mutating func append(_ record: Span<UInt8>, _ key: [UInt8], _ line: Int?) throws {
    let own = try JSONValue(parsing: record)
    let members = own.objectValue ?? []
    let row = try store.line(of: key.span).flatMap { $0.isTombstone ? nil : $0.line }
    let stored = try row.flatMap { try JSONValue(parsing: $0.span)["fields"] }
    if let columns = source.columns {
      let others = (stored?.objectValue ?? []).filter { $0.value != .null && !columns.contains($0.name) }
      hidden.formUnion(others.map(\.name))
    }
    let last = try store.lastRead(key.span).map { try JSONValue(parsing: $0.span) }
    let other = members.filter { member in
      guard let value = stored?[member.name], value != member.value else { return false }
      return last?[member.name] == nil && (value != .null || source.isBlank(member))
    }
    let unseen = try row.map { try unentered(other, record, key, $0, isFirst: last == nil) } ?? []
    if unseen.contains(where: { !source.isBlank($0) }) {
      displaced.append((key, try wrapped(own).dropLast()))
    }
    var whole = last.map { converted(own, like: $0) }
    let isSame = whole.map { !Self.differ($0, last ?? .null) } ?? false
    if !isSame {
      let known = JSONValue.object(members.filter { unseen[named: $0.name] == nil })
      whole = stored.map { converted(known, like: $0) } ?? own
    }
    guard let whole else { return }
    let shown = (whole.objectValue ?? []).filter {
      members[named: $0.name] != nil && unseen[named: $0.name] == nil
    }
    let text = try wrapped(whole, part: .object(shown), line)
    self.text += text
    // Compute the source's own form of this record.
    let blanks = members.filter { source.newColumns.contains($0.name) && whole[$0.name] == nil }
    let spelling = JSONValue.object(shown + blanks.filter { unseen[named: $0.name] == nil })
    guard let row, !unseen.isEmpty || Self.differ(spelling, isSame ? last ?? .null : whole) else { return }
    spellings.append(
      Spelling(
        key: key, stored: isSame ? row : text.dropLast(), own: try wrapped(spelling).dropLast(),
        lacksValues: !unseen.isEmpty))
  }

  /// The members that the user did not enter.
  ///
  /// `members` differ from the stored record and are missing in the baseline.
  private mutating func unentered(
    _ members: [JSONMember], _ record: Span<UInt8>, _ key: [UInt8], _ row: [UInt8], isFirst: Bool
  ) throws -> [JSONMember] {
    if members.isEmpty { return [] }
    let isContact = try isFirst && !store.isInSource(key.span)
    let isEdited = try isLater(record, than: row)
    return members.filter { member in
      let isNew = source.newColumns.contains(member.name)
      return source.isBlank(member) ? isNew || isContact || !isFirst : isNew && !isEdited
    }
  }

  /// Whether a record's own clock is later than that in a change line.
  private mutating func isLater(_ record: Span<UInt8>, than line: [UInt8]) throws -> Bool {
    guard let own = wrapping.clock(of: record), let fields = SnapshotContent.fields(of: line.span),
      let stored = wrapping.clock(of: line.span.extracting(fields))
    else { return false }
    return own > stored
  }

  private mutating func wrapped(
    _ record: JSONValue, part: JSONValue? = nil, _ line: Int? = nil
  ) throws -> [UInt8] {
    var text: [UInt8] = []
    let part = part == record ? nil : part.map { Array($0.text.utf8) }
    try wrapping.append(Array(record.text.utf8).span, part: part, line: line, to: &text)
    return text
  }

  private func converted(_ record: JSONValue, like before: JSONValue) -> JSONValue {
    record.typed(like: before, hasTexts: source.hasTexts, isBlank: source.isBlank)
  }

  private static func differ(_ one: JSONValue, _ other: JSONValue) -> Bool {
    ChangeLine.differInContent(Array(one.text.utf8).span, Array(other.text.utf8).span)
  }

  static func typed(_ record: [UInt8], _ key: [UInt8], _ store: ChangeStore) throws -> [UInt8] {
    guard let before = try store.line(of: key.span)?.line,
      let fields = try JSONValue(parsing: before.span)["fields"]
    else { return record }
    return try typed(record, like: fields)
  }

  static func typed(_ record: [UInt8], like fields: JSONValue) throws -> [UInt8] {
    var typed: [UInt8] = []
    try JSONValue(parsing: record.span).typed(like: fields).append(to: &typed)
    return typed
  }
}
