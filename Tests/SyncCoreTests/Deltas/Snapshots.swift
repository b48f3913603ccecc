import SyncCore
import Testing

/// Differences between two texts, in deltadiff's form.
enum Snapshots {
  static let now = Delta.DeletionTime.now(Instant("2026-11-20T10:00:00Z")!)

  static func diff(_ old: String, _ new: String, _ time: Delta.DeletionTime = now) -> String {
    let (lines, delta) = (Lines.sorted([old, new]), Delta(deletionTime: time))
    for source in 0...1 { #expect(lines.firstDuplicate(in: source) == nil) }
    var output: [UInt8] = []
    lines.forEachKey { lines, reader in
      guard let change = Delta.difference(lines, &reader) else { return }
      try? delta.append(change, lines, &reader, to: &output)
    }
    return String(decoding: output, as: UTF8.self)
  }
}
