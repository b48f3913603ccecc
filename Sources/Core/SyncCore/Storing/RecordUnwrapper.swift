import JSONLines

/// Gives back the records that the change lines of a store were made of.
package struct RecordUnwrapper {
  private let shape: RecordShape
  private var reader: LineReader
  /// Reads records that name no entity as those of one.
  private var named: (entity: String, reader: LineReader)?

  /// `shape` is how the records will be read again.
  package init(_ shape: RecordShape) {
    self.shape = shape
    reader = LineReader(shape)
  }

  /// The range of the record in a change line; nil if, read again, that would not be the same live record.
  ///
  /// Throws `missingEntity` if only the entity would be missing.
  package mutating func record(
    in line: Span<UInt8>, _ key: Span<UInt8>
  ) throws(ChangeError) -> Range<Int>? {
    guard let fields = SnapshotContent.fields(of: line) else { return nil }
    let text = line.extracting(fields)
    do throws(ChangeError) {
      return try Self.isSame(text, key, &reader) ? fields : nil
    } catch .missingEntity {
      let entity = Key.entity(of: key)
      if named?.entity != entity {
        var shape = shape
        (shape.entityName, shape.requiresEntity) = (entity, false)
        named = (entity, LineReader(shape))
      }
      guard var other = named?.reader, (try? Self.isSame(text, key, &other)) == true else { return nil }
      throw .missingEntity
    } catch {
      return nil
    }
  }

  private static func isSame(
    _ text: Span<UInt8>, _ key: Span<UInt8>, _ reader: inout LineReader
  ) throws(ChangeError) -> Bool {
    var own: [UInt8] = []
    let change = try reader.read(text, key: &own)
    return change.kind == .record && !change.isTombstone && StorableLine.excess(text, .record) == nil
      && ByteSearch.isEqual(own.span, 0..<own.count, key, 0..<key.count)
  }
}
