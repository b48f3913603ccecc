import JSONLines
package import SyncCore

/// Gives the lines of a store as records where that is possible, as `synclog dump` writes them.
package struct StoredRecords {
  /// Nil gives change lines.
  private var unwrapper: RecordUnwrapper?
  /// How many lines would not be the same records without what their change lines say.
  package private(set) var wrapped = 0

  /// `shape` is how the records will be read again; nil gives change lines.
  package init(_ shape: RecordShape?) { unwrapper = shape.map { RecordUnwrapper($0) } }

  /// As the store itself reads records, or with `entity` those of a file of that entity.
  package init(_ store: ChangeStore, entity: String?) throws(StoreError) {
    let choice = RuleChoice(RecordShape(), hasProfile: false, entityName: entity)
    self.init(
      choice.shape(
        under: try store.rules() ?? RecordShape(), entities: entity == nil ? try store.entities(upTo: 2) : [])
    )
  }

  /// What is given of a line: the range of its record, or all of it.
  ///
  /// Throws `missingEntity` if only the entity would be missing.
  package mutating func range(of line: Span<UInt8>, _ key: Span<UInt8>) throws(ChangeError) -> Range<Int> {
    if let record = try unwrapper?.record(in: line, key) { return record }
    if unwrapper != nil { wrapped += 1 }
    return 0..<line.count
  }
}
