import JSONLines
import Store
import SystemIO
import Tables

/// A stamp that changes when a source may have changed.
enum SourceStamp: Equatable {
  case missing
  case file(FileStamp)
  case database(DatabaseStamp)

  init(_ binding: Binding) {
    if binding.table != nil {
      self = DatabaseStamp(of: binding.source).map { .database($0) } ?? .missing
    } else {
      self = FileStamp(of: binding.source).map { .file($0) } ?? .missing
    }
  }
}

extension Binding {
  /// The source as people read it: its path, and the table of a database.
  var shownSource: String { (source + (table.map { ", \($0)" } ?? "")).escapingControls }
}
