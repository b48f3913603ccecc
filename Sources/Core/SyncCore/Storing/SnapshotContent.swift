import JSONLines

/// Compares a snapshot's line with the store's change line of the same record.
package enum SnapshotContent {
  /// Whether a line equals the `fields` of the stored change line; the line must not be a tombstone.
  ///
  /// For a change line, everything except its clock is compared; the keys are already equal.
  package static func isSame(
    _ line: Span<UInt8>, _ kind: ChangeLine.Kind, _ stored: Span<UInt8>
  ) -> Bool {
    if kind == .change {
      if ByteSearch.isEqual(line, 0..<line.count, stored, 0..<stored.count) { return true }
      let (own, other) = (withoutClock(line), withoutClock(stored))
      return !ChangeLine.differInContent(own.span, other.span)
    }
    if isWrapped(line, in: stored) { return true }
    guard let fields = fields(of: stored) else { return false }
    return !ChangeLine.differInContent(line, stored.extracting(fields))
  }

  /// Whether a stored change line ends with the bytes of a record as its `fields`.
  ///
  /// The `fields` must be a member of the line itself; after a deeper member, one more bracket follows.
  package static func isWrapped(_ record: Span<UInt8>, in stored: Span<UInt8>) -> Bool {
    let start = stored.count - 1 - record.count
    guard start >= opening.count,
      ByteSearch.isEqual(stored, start..<stored.count - 1, record, 0..<record.count)
    else { return false }
    for index in 0..<opening.count where stored[start - opening.count + index] != opening[index] {
      return false
    }
    return stored[stored.count - 1] == UInt8(ascii: "}")
  }

  private static let opening = Array(#","fields":"#.utf8)

  /// The object in the member `fields` of a change line; nil if missing.
  package static func fields(of line: Span<UInt8>) -> Range<Int>? {
    var cursor = ContainerCursor(opening: line.onlyValue.lowerBound)
    while cursor.hasNext(in: line) {
      let name = cursor.readName(in: line)
      let value = cursor.passValue(in: line)
      if MemberName(line, name) == .fields { return line.isObject(value) ? value : nil }
    }
    return nil
  }

  /// Whether two change lines have different bytes in their `fields`.
  package static func hasOtherFields(_ line: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
    guard let own = fields(of: line), let others = fields(of: other) else { return false }
    return !ByteSearch.isEqual(line, own, other, others)
  }

  private static func withoutClock(_ line: Span<UInt8>) -> [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    var cursor = ContainerCursor(opening: line.onlyValue.lowerBound)
    while cursor.hasNext(in: line) {
      let name = cursor.readName(in: line)
      let value = cursor.passValue(in: line)
      if let known = MemberName(line, name), MemberName.clocks.contains(known) { continue }
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(line.extracting(name.lowerBound - 1..<value.upperBound))
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

/// Recovers the records from which the change lines of a store were made.
package struct RecordUnwrapper {
  private let shape: RecordShape
  private var reader: LineReader
  /// A reader for records that lack an entity name, which reads them as records of `entity`.
  private var named: (entity: String, reader: LineReader)?

  /// `shape` is the shape for reading the records again.
  package init(_ shape: RecordShape) {
    self.shape = shape
    reader = LineReader(shape)
  }

  /// The range of the record in a change line; nil if reading it again would not give the same live record.
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
