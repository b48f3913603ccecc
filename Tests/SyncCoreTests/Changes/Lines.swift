import JSONLines
import SyncCore
import Testing

/// Texts of change lines, as the tools read them.
enum Lines {
  /// A set with a source a text; a line that cannot be read is a failure.
  static func set(_ texts: [String], _ shape: RecordShape = RecordShape()) -> ChangeSet {
    var set = ChangeSet(shape)
    for (index, text) in texts.enumerated() {
      set.add(ChangeSource(name: "\(index)", bytes: Array(text.utf8))) { error, _, line in
        Issue.record("\(error): \(String(decoding: line.indices.map { line[$0] }, as: UTF8.self))")
      }
    }
    return set
  }

  static func text(_ entries: [ChangeSet.Entry], of set: ChangeSet) -> String {
    entries.map { String(decoding: set.sources[$0.source].bytes[$0.range], as: UTF8.self) + "\n" }.joined()
  }

  static func merged(_ texts: [String]) -> String {
    var set = set(texts)
    return merged(&set)
  }

  static func merged(_ set: inout ChangeSet) -> String {
    set.sort()
    var winners: [ChangeSet.Entry] = []
    Merge.forEachKey(in: set) { _, winner in winners.append(winner) }
    return text(winners, of: set)
  }
}
