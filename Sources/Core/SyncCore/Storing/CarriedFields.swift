import JSONLines

/// What a change over protocol version 1 does not name stays as it is: absent is kept, null clears.
///
/// That wire cannot carry all fields, so that a change comes back without those that were cut.
package enum CarriedFields {
  /// A change line with the fields of the stored line that it lacks; nil where it lacks none.
  package static func line(_ line: Span<UInt8>, over stored: Span<UInt8>) -> [UInt8]? {
    guard let own = SnapshotContent.fields(of: line), let old = SnapshotContent.fields(of: stored) else {
      return nil
    }
    let carried = members(of: stored, old, without: names(in: line, own), separated: !isEmpty(line, own))
    guard !carried.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.append(line.extracting(0..<own.upperBound - 1))
    bytes += carried
    bytes.append(line.extracting(own.upperBound - 1..<line.count))
    return bytes
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
