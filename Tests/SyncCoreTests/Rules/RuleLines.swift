import JSONLines
import SyncCore

/// Lines read under a profile.
struct RuleLines {
  let changes: ChangeSet

  init(_ lines: [String], profile: String) throws {
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(profile.utf8).span)
    var set = ChangeSet(shape)
    let text = lines.map { $0 + "\n" }.joined()
    try set.add(ChangeSource(name: "lines", bytes: Array(text.utf8))) { error, _, _ in throw error }
    changes = set
  }

  var count: Int { changes.entries.count }

  /// Positive where line `i` wins over line `j`.
  func compare(_ i: Int, _ j: Int) -> (order: Int, step: MergeOrder.Step) {
    Merge.compare(changes.entries[i], changes.entries[j], in: changes)
  }

  var haveOneKey: Bool {
    changes.entries.allSatisfy { changes.hasSameKey($0, changes.entries[0]) }
  }
}
