import SyncCore

/// The merge of texts in memory.
struct LawMerge {
  private let shape: RecordShape

  init(profile: String) throws {
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(profile.utf8).span)
    self.shape = shape
  }

  /// The winners in key order; a line that is not a change is an error.
  func callAsFunction(_ texts: [[UInt8]]) throws -> [UInt8] {
    try ChangeRules(shape).merge(texts)
  }

  func callAsFunction(_ texts: [UInt8]...) throws -> [UInt8] { try self(texts) }
}
