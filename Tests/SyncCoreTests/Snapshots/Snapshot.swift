import JSONLines
import SyncCore

/// A snapshot or a delta in memory, and what `deltadiff` does with two of them.
struct Snapshot {
  let changes: ChangeSet
  let entries: [ChangeSet.Entry]
  private let shape: RecordShape

  init(_ text: String, profile: String = "{}", allowingDuplicates: Bool = false) throws {
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(profile.utf8).span)
    self.shape = shape
    var changes = ChangeSet(shape)
    try changes.add(ChangeSource(name: "", bytes: Array(text.utf8))) { error, _, _ in throw error }
    entries = try Delta.live(&changes, allowingDuplicates: allowingDuplicates)
    self.changes = changes
  }

  func text(of entry: ChangeSet.Entry) -> String {
    String(decoding: changes.sources[entry.source].bytes[entry.range], as: UTF8.self) + "\n"
  }

  /// The canonical forms of the records that live, in key order.
  var live: [String] { entries.filter { !$0.line.isTombstone }.map { Self.canonical(text(of: $0)) } }

  /// The delta that makes `new` of this.
  func difference(to new: Snapshot, at now: Instant) throws -> String {
    var delta = ""
    try walk(new) { old, entry in
      guard let change = Delta.difference(old, in: changes, entry, in: new.changes) else { return }
      delta += try Self.line(change, of: new, deletedFrom: self, at: now)
    }
    return delta
  }

  /// What takes `delta` back after it has been applied to this.
  func inverse(of delta: Snapshot, at now: Instant) throws -> String {
    var inverse = ""
    try walk(delta) { base, change in
      guard let change else { return }
      guard let back = Delta.inverse(of: change, in: delta.changes, on: base, in: changes) else { return }
      inverse += try Self.line(back, of: self, deletedFrom: delta, at: now)
    }
    return inverse
  }

  /// The live records after `delta`, which replaces by key.
  func applying(_ delta: Snapshot) -> String {
    var result = ""
    walk(delta) { base, change in
      if let change {
        result += change.line.isTombstone ? "" : delta.text(of: change)
      } else if let base {
        result += base.line.isTombstone ? "" : text(of: base)
      }
    }
    return result
  }

  func walk(_ other: Snapshot, _ body: (ChangeSet.Entry?, ChangeSet.Entry?) throws -> Void) rethrows {
    try Delta.walk(entries, in: changes, other.entries, in: other.changes, body)
  }

  private static func line(
    _ change: Delta.Change, of snapshot: Snapshot, deletedFrom other: Snapshot, at now: Instant
  ) throws -> String {
    switch change {
    case .line(let entry, _): return snapshot.text(of: entry)
    case .delete(let entry):
      var bytes: [UInt8] = []
      var reader = LineReader(other.shape)
      try Delta(deletionTime: .now(now)).appendDelete(entry, of: other.changes, &reader, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  static func canonical(_ line: String) -> String {
    let bytes = Array(line.utf8.dropLast())
    var canonical: [UInt8] = []
    CanonicalJSON.append(bytes.span, 0..<bytes.count, to: &canonical)
    return String(decoding: canonical, as: UTF8.self)
  }
}
