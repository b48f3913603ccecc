import JSONLines
import Store

/// A file or a table of an app: what is read from it, and how changes get into it while the app may write too.
protocol BoundSource: AnyObject {
  /// Reads all records, as they are in one moment.
  func load() throws
  /// Hands over the records that were loaded, each the text of an object on one line, and where it stands: a 1-based line.
  func forEachRecord(_ take: (Span<UInt8>, Int?) throws -> Void) throws
  /// It does not say all of a record: members that it has no place for, or types, stay as they were.
  var isPartial: Bool { get }
  /// Writes the changes that `course` gives, while nobody else can write.
  ///
  /// `course` is told whether somebody has written since the records were loaded; they have been loaded again then. It
  /// can be asked more than once.
  func write(_ course: (_ isChanged: Bool) throws -> [ChangeStore.Arrival]) throws -> Delivery
}

/// What has become of changes that were to get into a source.
struct Delivery {
  /// Each with the record that the source has now, nil where it has none.
  var settled: [(arrival: ChangeStore.Arrival, record: [UInt8]?)] = []
  /// The source does not take them.
  var refused: [(arrival: ChangeStore.Arrival, error: Diagnostic)] = []
}

extension ChangeStore.Arrival {
  /// The record that the change line carries; nil of a deletion.
  var fields: JSONValue? {
    guard !isTombstone, let line = try? JSONValue(parsing: line.span) else { return nil }
    return line["fields"]
  }
}
