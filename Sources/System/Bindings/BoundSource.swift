package import JSONLines
import Store
import SyncCore
import SystemIO

/// A file or table of an app that is read and written while the app may write too.
protocol BoundSource: AnyObject {
  /// Reads all records in one consistent state; with a mark, only records with a newer clock if possible.
  func load(since mark: ReadMark?, now: Instant) throws
  /// Advice for the user: a change with which runs read only new rows; nil if not needed, or impossible.
  var remedy: String? { get }
  /// Whether only some records have been loaded.
  var isExcerpt: Bool { get }
  /// The point up to which the source was read or written; nil if the next run must read all of it.
  var mark: ReadMark? { get }
  /// Passes the loaded records, each as the text of an object on one line, with its 1-based line.
  func forEachRecord(_ take: (Span<UInt8>, Int?) throws -> Void) throws
  /// Whether the app may keep all records in memory, and write all of them back.
  var isWrittenAsAWhole: Bool { get }
  /// A digest of the loaded or written records, which does not depend on their order.
  ///
  /// The digest of a file also changes when an app saves the same records again.
  var digest: Int64 { get }
  /// Whether the source contains only parts of records; the other members, and the types of values, stay as
  /// stored.
  var isPartial: Bool { get }
  /// Whether all values are texts, so that a key may be a number elsewhere.
  var hasTexts: Bool { get }
  /// Whether a new record gets the next number as its key; nil if only the existing keys can show that.
  var countsKeys: Bool? { get }
  /// The columns of a table; nil for a file.
  var columns: [String]? { get }
  /// Columns that the source computes itself; they are not part of its records.
  var computedColumns: Set<String> { get }
  /// Whether the source is a view, to which nothing is written.
  var isView: Bool { get }
  /// The columns that need `--base64` if they have bytes.
  var columnsOfBytes: [String] { get }
  /// The columns of a table's key if two of its rows may have the same key; otherwise empty.
  ///
  /// Throws an error if a table does not have a key. Then received changes cannot be written to it.
  func sharableKey() throws -> [String]
  /// Whether the source is a table that has not been read yet.
  var isUnread: Bool { get }
  /// Members for which the source has gained a column since it was last read.
  var newColumns: Set<String> { get }
  /// Whether a value may be present although the user did not enter it.
  func isBlank(_ member: JSONMember) -> Bool
  /// The reasons why the source would refuse changes; the source stays unchanged.
  func refusals(of arrivals: [ChangeStore.Arrival], in store: ChangeStore) throws -> [Diagnostic]
  /// Writes the changes of `store` that `course` returns, while other processes cannot write.
  ///
  /// `course` receives the content loaded since its last call; it may be called more than once. `settling`
  /// notes the outcome in the store; it is called once, inside a `write` of `store`.
  func write(
    since mark: ReadMark?, now: Instant, in store: ChangeStore,
    _ course: (_ loaded: Loaded) throws -> [ChangeStore.Arrival], settling: (Delivery) throws -> Void
  ) throws -> Delivery
}

/// The content that a source has loaded before it is written to.
enum Loaded {
  case nothing
  /// The records, because another process has written in the meantime.
  case records
  /// The rows that are about to be overwritten.
  case rows
}

/// The outcome of delivering changes to a source.
struct Delivery {
  /// The written changes, each with the file's previous record and the source's current one, if they exist.
  var settled: [(arrival: ChangeStore.Arrival, before: [UInt8]?, record: [UInt8]?)] = []
  /// The number of changes that the source did not already contain.
  var written = 0
  /// Members that the source cannot contain.
  var hidden: Set<String> = []
  /// Changes that the source refuses.
  var refused: [(arrival: ChangeStore.Arrival, error: Diagnostic)] = []
}

extension ChangeStore.Arrival {
  /// The record in the change line; nil for a deletion.
  var fields: JSONValue? {
    guard !isTombstone, let line = try? JSONValue(parsing: line.span) else { return nil }
    return line["fields"]
  }
}

extension BoundSource {
  var hasTexts: Bool { false }
  var countsKeys: Bool? { nil }
  var columns: [String]? { nil }
  var computedColumns: Set<String> { [] }
  var isView: Bool { false }
  var columnsOfBytes: [String] { [] }
  func sharableKey() throws -> [String] { [] }
  var isUnread: Bool { false }
  var newColumns: Set<String> { [] }
  func isBlank(_ member: JSONMember) -> Bool { member.value == .null }
}

/// Digests of records; their sum is a digest of all records.
enum RecordDigest {
  /// FNV-1a, which detects changes; it does not protect against attackers.
  static func of(_ record: Span<UInt8>) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in record.indices { hash = (hash ^ UInt64(record[index])) &* 0x100_0000_01b3 }
    return Int64(bitPattern: hash)
  }
}

/// An error in the source of a binding, with its line.
package struct BindingError: Error, Equatable, Sendable {
  package var code: ErrorCode
  /// The message, which begins in lower case and does not end with a period.
  package var message: String
  /// The line, counted from 1.
  package var line: Int?
  package var hint: String?

  init(_ code: ErrorCode, _ message: String, line: Int? = nil, hint: String? = nil) {
    (self.code, self.message, self.line, self.hint) = (code, message, line, hint)
  }

  static func halfWritten(line: Int) -> BindingError {
    BindingError(
      .unterminatedLine, "no line feed at the end; the file may be half written", line: line,
      hint: "if its app has finished writing, add a line feed: echo >> FILE")
  }

  static let utf16 = BindingError(
    .invalidUTF8, "text in UTF-16", line: 1,
    hint: "save the file as UTF-8, or convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW")

  static let carriageReturns = BindingError(
    .unterminatedLine, "its lines end with carriage returns only", line: 1,
    hint: "convert the line ends: tr '\\r' '\\n' < FILE > NEW.csv")

  /// The hint for a file with one object, which may contain a list of records, or settings.
  static func remedy(ofObject text: Span<UInt8>) -> String {
    let members = (try? JSONValue(parsing: text))?.objectValue ?? []
    guard let list = members.first(where: { $0.value.arrayValue?.first?.objectValue != nil }) else {
      return "for a file of settings, make each setting a record: "
        + "jq -c 'to_entries[] | {id: .key, value}' FILE > NEW.jsonl"
    }
    let filter = ShellWord.posix(".[\(JSONValue.string(list.name).text)][]")
    return "to make each element of its list a record: jq -c \(filter) FILE > NEW.jsonl"
  }

  static func notUTF8(line: Int) -> BindingError {
    BindingError(
      .invalidUTF8, "text that is not UTF-8", line: line,
      hint: "save the file as UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW")
  }
}

extension Diagnostic {
  /// `path` is the source.
  package init(_ error: BindingError, source path: String) {
    self.init(error.code, error.message, file: path, line: error.line, hint: error.hint)
  }
}
