import JSONLines
import Store
import SyncCore
import SystemIO

/// The keys of the records that a source has loaded.
struct SourceKeys {
  let source: any BoundSource
  let binding: Binding

  /// The number of keys, and whether all look like the numbers of a counter.
  ///
  /// Throws an error about a record without a key, or about two records with the same key.
  func found() throws -> (count: Int, areCounted: Bool) {
    var wrapping = RecordWrapping(binding)
    var (count, areCounted) = (0, source.countsKeys ?? true)
    do {
      try source.forEachRecord { record, line in
        let key = try wrapping.key(of: record, line: line)
        count += 1
        areCounted = areCounted && Self.isCounted(key)
      }
    } catch var error as BindingError where error.code == .noKey && binding.keys.isEmpty {
      error.hint = try error.hint ?? remedy()
      throw error
    }
    if let duplicate = try duplicate() { throw duplicate }
    return (count, areCounted)
  }

  /// The error about the first record with the key of an earlier record; nil without such a record.
  func duplicate() throws -> BindingError? {
    var wrapping = RecordWrapping(binding)
    var lines: [[UInt8]: Int?] = [:]
    var duplicate: BindingError?
    try source.forEachRecord { record, line in
      guard duplicate == nil else { return }
      let key = try wrapping.key(of: record, line: line)
      guard let first = lines.updateValue(line, forKey: key) else { return }
      let place = first.map { ", first on line \($0)" } ?? ""
      duplicate = BindingError(
        .duplicateKey, "two records have the key \(Key.shown(key.span))\(place)", line: line,
        hint: FileFormat.isText(binding.source)
          ? "remove one of the two lines"
          : "give one of them another key, or bind with a --key that differs in each record")
    }
    return duplicate
  }

  /// Whether a key is a number that is too small to be a time or a random number.
  private static func isCounted(_ key: [UInt8]) -> Bool {
    guard let value = try? JSONValue(parsing: key.span), let identity = value.arrayValue?.last?.objectValue,
      identity.count == 1
    else { return false }
    let number = identity[0].value.stringValue ?? identity[0].value.text
    return Int(number).map { (0..<1_000_000_000).contains($0) } ?? false
  }

  /// The hint, which names a member with a different value in each record.
  private func remedy() throws -> String {
    let (name, count) = try distinctMember()
    if source.columns != nil, count == 1 { return Self.columnRemedy }
    if try hasID() { return "give the record an 'id'" }
    if source.hasTexts, count == 1 { return Self.columnRemedy }
    if count == 1 {
      var hint = ""
      try source.forEachRecord { record, _ in hint = BindingError.remedy(ofObject: record) }
      return "give the record an 'id', or name its key with --key; \(hint)"
    }
    guard let name else {
      return "give each record an 'id' with a different value, or name its key with --key"
    }
    return "name the member that identifies a record, such as --key \(ShellWord.path("/\(name)"))"
  }

  private static let columnRemedy = "name the column that identifies a row: --key /COLUMN"

  /// Whether a record has a member `id`, even an empty one.
  private func hasID() throws -> Bool {
    var isFound = false
    try source.forEachRecord { record, _ in
      if isFound { return }
      isFound = (try? JSONValue(parsing: record))?["id"] != nil
    }
    return isFound
  }

  /// The first member, preferably one that is named like an id, with a different value in each record; and the
  /// number of records.
  private func distinctMember() throws -> (name: String?, count: Int) {
    var order: [String] = []
    var values: [String: Set<String>] = [:]
    var count = 0
    try source.forEachRecord { record, _ in
      let members = (try? JSONValue(parsing: record))?.objectValue ?? []
      if count == 0 { order = members.map(\.name) }
      count += 1
      for member in members where order.contains(member.name) {
        switch member.value {
        case .string, .number: values[member.name, default: []].insert(member.value.text)
        default: break
        }
      }
    }
    let distinct = order.filter { values[$0]?.count == count && !$0.utf8.contains { "/~".utf8.contains($0) } }
    return (distinct.first { Self.isLikeID($0) } ?? distinct.first, count)
  }

  /// Whether a name means an id, as `userId` and `uuid` do, and not merely contains these letters.
  private static func isLikeID(_ name: String) -> Bool {
    let lower = name.lowercased()
    return ["id", "uid", "uuid", "guid"].contains(lower) || name.hasSuffix("Id") || name.hasSuffix("ID")
      || ["_id", "-id", " id"].contains { lower.hasSuffix($0) }
  }
}
