import JSONLines

/// What a change over protocol version 1 does not name stays as it is: absent is kept, null clears.
///
/// That wire cannot carry all fields, so that a change comes back without those that were cut.
package enum CarriedFields {
  /// A change line with the fields of the stored line that it lacks; nil where it lacks none.
  package static func line(
    _ line: Span<UInt8>, over stored: Span<UInt8>, _ kind: ChangeLine.Kind
  ) -> [UInt8]? {
    guard let own = fields(of: line) else { return nil }
    // All members of a plain record are its fields.
    guard let old = kind == .record ? stored.onlyValue : fields(of: stored) else { return nil }
    let carried = members(of: stored, old, without: names(in: line, own), separated: !isEmpty(line, own))
    guard !carried.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.append(line.extracting(0..<own.upperBound - 1))
    bytes += carried
    bytes.append(line.extracting(own.upperBound - 1..<line.count))
    return bytes
  }

  private static func fields(of line: Span<UInt8>) -> Range<Int>? {
    var cursor = ContainerCursor(opening: line.onlyValue.lowerBound)
    while cursor.hasNext(in: line) {
      let name = cursor.readName(in: line)
      let value = cursor.passValue(in: line)
      if MemberName(line, name) == .fields { return line.isObject(value) ? value : nil }
    }
    return nil
  }

  private static func names(in line: Span<UInt8>, _ object: Range<Int>) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    var cursor = ContainerCursor(opening: object.lowerBound)
    while cursor.hasNext(in: line) {
      names.insert(line.decoded(cursor.readName(in: line)))
      _ = cursor.passValue(in: line)
    }
    return names
  }

  private static func isEmpty(_ line: Span<UInt8>, _ object: Range<Int>) -> Bool {
    var cursor = ContainerCursor(opening: object.lowerBound)
    return !cursor.hasNext(in: line)
  }

  /// The members of other names, spelled as they are.
  private static func members(
    of stored: Span<UInt8>, _ object: Range<Int>, without names: Set<[UInt8]>, separated: Bool
  ) -> [UInt8] {
    var (bytes, isSeparated) = ([UInt8](), separated)
    var cursor = ContainerCursor(opening: object.lowerBound)
    while cursor.hasNext(in: stored) {
      let name = cursor.readName(in: stored)
      let value = cursor.passValue(in: stored)
      if names.contains(stored.decoded(name)) { continue }
      if isSeparated { bytes.append(UInt8(ascii: ",")) }
      isSeparated = true
      bytes.append(UInt8(ascii: "\""))
      bytes.append(stored.extracting(name))
      bytes.append(contentsOf: "\":".utf8)
      bytes.append(stored.extracting(value))
    }
    return bytes
  }
}
