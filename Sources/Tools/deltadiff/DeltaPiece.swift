import JSONLines
import SyncCore

/// The output of one range of keys.
struct DeltaPiece: Sendable {
  private(set) var lines: [UInt8] = []
  /// The differing members of each change: `{"key":…,"change":"update","members":[…]}`.
  private(set) var explanations: [UInt8] = []
  private(set) var changes = 0
  /// The number of records that are the same in both sources.
  private(set) var same = 0
  /// The number of deletions that the lines that were left out may explain.
  private(set) var withheld = 0

  /// Adds the difference between the lines of a key, if they differ.
  mutating func add(
    _ lines: KeyLines, _ reader: inout ChangeReader, by delta: Delta, explaining explains: Bool,
    withholdingDeletions withholdsDeletions: Bool
  ) throws {
    guard let change = Delta.difference(lines, &reader) else {
      if let new = lines.last(of: 1), !lines[new].isTombstone { same += 1 }
      return
    }
    if withholdsDeletions, case .delete = change { return withheld += 1 }
    changes += 1
    try delta.append(change, lines, &reader, to: &self.lines)
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
