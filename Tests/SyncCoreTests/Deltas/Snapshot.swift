import JSONLines
import SyncCore

/// A snapshot or a delta in memory, and the results of `deltadiff` for two of them.
struct Snapshot {
  private let text: [UInt8]
  private let shape: RecordShape
  /// The number of keys.
  let count: Int
  /// The canonical forms of the live records, in key order.
  let live: [String]

  init(_ text: String, profile: String = "{}", allowingDuplicates: Bool = false) throws {
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(profile.utf8).span)
    (self.text, self.shape) = (Array(text.utf8), shape)
    let sorted = try SortedLines([self.text], shape) { error, _, _ in throw error }
    if !allowingDuplicates, let duplicate = sorted.firstDuplicate(in: 0) { throw duplicate }
    var (count, live) = (0, [String]())
    sorted.forEachKey { lines, _ in
      count += 1
      if let result = Delta.result(lines) { live.append(Self.canonical(lines.text(result))) }
    }
    (self.count, self.live) = (count, live)
  }

  /// The delta that changes this to `new`.
  func difference(to new: Snapshot, at now: Instant) throws -> String {
    delta(with: new, at: now) { Delta.difference($0, &$1) }
  }

  /// The delta that undoes `delta` after it has been applied to this.
  func inverse(of delta: Snapshot, at now: Instant) throws -> String {
    self.delta(with: delta, at: now) { Delta.inverse($0, &$1) }
  }

  /// The live records after `delta`, which replaces records by key.
  func applying(_ delta: Snapshot) -> String {
    var result = ""
    forEachKey(with: delta) { lines, _ in
      if let index = Delta.result(lines) { result += lines.string(index) + "\n" }
    }
    return result
  }

  /// Visits the lines of each key; this snapshot is source 0, the other is source 1.
  func forEachKey(with other: Snapshot, _ body: (KeyLines, inout ChangeReader) -> Void) {
    SortedLines([text, other.text], shape) { _, _, _ in }.forEachKey(body)
  }

  private func delta(
    with other: Snapshot, at now: Instant, _ change: (KeyLines, inout ChangeReader) -> Delta.Change?
  ) -> String {
    var bytes: [UInt8] = []
    forEachKey(with: other) { lines, reader in
      guard let change = change(lines, &reader) else { return }
      try? Delta(deletionTime: .now(now)).append(change, lines, &reader, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func canonical(_ line: Span<UInt8>) -> String {
    var canonical: [UInt8] = []
    CanonicalJSON.append(line, 0..<line.count, to: &canonical)
    return String(decoding: canonical, as: UTF8.self)
  }
}
