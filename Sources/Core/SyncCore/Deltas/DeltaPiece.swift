package import JSONLines

/// What a range of keys comes to.
package struct DeltaPiece: Sendable {
  package private(set) var lines: [UInt8] = []
  /// Of each change which members differ: `{"key":…,"change":"update","members":[…]}`.
  package private(set) var explanations: [UInt8] = []
  package private(set) var changes = 0
  /// Deletions that may be no more than the lines that were left out.
  package private(set) var withheld = 0

  package init() {}

  /// Adds the difference between the lines of a key, if there is one.
  package mutating func add(
    _ lines: KeyLines, _ reader: inout ChangeReader, by delta: Delta, explaining explains: Bool,
    withholdingDeletions withholdsDeletions: Bool
  ) throws(JSONError) {
    guard let change = Delta.difference(lines, &reader) else { return }
    if withholdsDeletions, case .delete = change { return withheld += 1 }
    changes += 1
    delta.append(change, lines, &reader, to: &self.lines)
    if explains { try explain(change, lines, &reader) }
  }

  private mutating func explain(
    _ change: Delta.Change, _ lines: KeyLines, _ reader: inout ChangeReader
  ) throws(JSONError) {
    var kind = "delete"
    var differences: [MemberChange] = []
    if case .line(let new, let replaced) = change, !lines[new].isTombstone {
      kind = replaced == nil ? "insert" : "update"
      if let replaced {
        differences = MemberChange.list(
          from: try JSONValue(parsing: lines.text(replaced)), to: try JSONValue(parsing: lines.text(new)))
      }
    }
    explanations += Array("{\"key\":".utf8) + reader.key(of: lines.text(0))
    explanations += Array(",\"change\":\"\(kind)\",\"members\":".utf8)
    JSONValue.array(differences.map(\.value)).append(to: &explanations)
    explanations += Array("}\n".utf8)
  }
}

/// Whether the two operands seem to be the wrong way round.
///
/// A snapshot may have tombstones; but delete lines are what a delta is made of.
package struct DeleteLines: Sendable {
  private var isInBase = false
  private var isInDelta = false

  package init() {}

  package var areSwapped: Bool { isInBase && !isInDelta }

  package mutating func count(_ lines: KeyLines, _ reader: inout ChangeReader) {
    if !isInDelta, let change = lines.last(of: 1) { isInDelta = lines[change].isTombstone }
    if !isInBase, let base = lines.last(of: 0), lines[base].isTombstone {
      isInBase = reader.change(lines.text(base)).kind == .change
    }
  }

  package mutating func add(_ other: DeleteLines) {
    isInBase = isInBase || other.isInBase
    isInDelta = isInDelta || other.isInDelta
  }
}
