import SyncCore

/// The merge of texts in memory.
struct LawMerge {
  private let shape: RecordShape

  init(profile: String) throws {
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(profile.utf8).span)
    self.shape = shape
  }

  /// The winners in key order; a line that is no change is an error.
  func callAsFunction(_ texts: [[UInt8]]) throws -> [UInt8] {
    var changes = ChangeSet(shape)
    for text in texts {
      try changes.add(ChangeSource(name: "", bytes: text)) { error, _, _ in throw error }
    }
    changes.sort()
    var output: [UInt8] = []
    Merge.forEachKey(in: changes) { _, winner in
      output += changes.sources[winner.source].bytes[winner.range]
      output.append(10)
    }
    return output
  }

  func callAsFunction(_ texts: [UInt8]...) throws -> [UInt8] { try self(texts) }
}
