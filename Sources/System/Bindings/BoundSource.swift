package import JSONLines
import Store
import SyncCore

/// A file or table of an app that is read and written while the app may write too.
protocol BoundSource: AnyObject {
  /// Reads all records, as they are at one moment; with a mark, records with a newer clock may be enough.
  func load(since mark: ReadMark?, now: Instant) throws
  /// The change to the source that would let a run read only new rows; nil if it already does, or nothing can help.
  var remedy: String? { get }
  /// Whether only some records have been loaded.
  var isExcerpt: Bool { get }
  /// The point up to which it has been read or written; nil if it must be read completely the next time.
  var mark: ReadMark? { get }
  /// Passes the loaded records, each as the text of an object on one line, with its 1-based line.
  func forEachRecord(_ take: (Span<UInt8>, Int?) throws -> Void) throws
  /// Whether its app may have all records in memory, and write them all back.
  var isWrittenAsAWhole: Bool { get }
  /// A number for the loaded or written content: the same for the same records in any order.
  var digest: Int64 { get }
  /// Whether it contains only parts of records: members without a place in it, and types, stay unchanged.
  var isPartial: Bool { get }
  /// Whether a new record gets the next number as its key; nil if only the keys can show that.
  var countsKeys: Bool? { get }
  /// The columns of a table; nil for a file, which contains them itself.
  var columns: [String]? { get }
  /// Whether it is a table that has not been read yet.
  var isUnread: Bool { get }
  /// Members for which it has a place only since it was last read.
  var newColumns: Set<String> { get }
  /// Whether a value is present even if nobody entered one.
  func isBlank(_ member: JSONMember) -> Bool
  /// The changes that it would refuse; it is not changed.
  func refusals(of arrivals: [ChangeStore.Arrival]) throws -> [Diagnostic]
  /// Writes the changes returned by `course`, while nobody else can write.
  ///
  /// `course` receives the content loaded since its last call; it may be called more than once.
  func write(
    since mark: ReadMark?, now: Instant, _ course: (_ loaded: Loaded) throws -> [ChangeStore.Arrival]
  ) throws -> Delivery
}

/// The content a source loads before it is written to.
enum Loaded {
  case nothing
  /// The records, because somebody has written meanwhile.
  case records
  /// Only rows that are about to be overwritten.
  case rows
}

/// The outcome of delivering changes to a source.
struct Delivery {
  /// Each with the record that a file had, and the source's current one; nil if it does not exist.
  var settled: [(arrival: ChangeStore.Arrival, before: [UInt8]?, record: [UInt8]?)] = []
  /// Members with values for which it has no place.
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
  var countsKeys: Bool? { nil }
  var columns: [String]? { nil }
  var isUnread: Bool { false }
  var newColumns: Set<String> { [] }
  func isBlank(_ member: JSONMember) -> Bool { member.value == .null }
}

/// Digests of records, whose sum is a digest of them all.
enum RecordDigest {
  /// FNV-1a; it must detect changes, not withstand attackers.
  static func of(_ record: Span<UInt8>) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in record.indices { hash = (hash ^ UInt64(record[index])) &* 0x100_0000_01b3 }
    return Int64(bitPattern: hash)
  }
}

/// An error in the source of a binding, with its line.
package struct BindingError: Error, Equatable, Sendable {
  package var code: ErrorCode
  /// Lower-case, no final period.
  package var message: String
  /// 1-based.
  package var line: Int?
  package var hint: String?

  init(_ code: ErrorCode, _ message: String, line: Int? = nil, hint: String? = nil) {
    (self.code, self.message, self.line, self.hint) = (code, message, line, hint)
  }
}

extension Diagnostic {
  /// `path` is the source.
  package init(_ error: BindingError, source path: String) {
    self.init(error.code, error.message, file: path, line: error.line, hint: error.hint)
  }
}
