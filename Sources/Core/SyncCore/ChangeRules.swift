public import JSONLines

/// The rules of merging and comparing on whole texts of change lines: what an app calls.
///
/// Texts are UTF-8, one change line or plain record a line, as docs/formats/change-line.md describes them. The
/// results are in key order, so the same inputs give the same bytes on every device.
public struct ChangeRules: Sendable {
  private let shape: RecordShape

  /// `profile` is the text of a profile or the name of one that is built in; nil merges by the last write.
  public init(profile: String? = nil, entityName: String = "") throws(ChangeRulesError) {
    var shape = RecordShape()
    shape.entityName = entityName
    if let profile {
      let text = Array((Profile.builtIn[profile] ?? profile).utf8)
      do throws(MemberError) {
        shape.profile = try Profile(parsing: text.span)
      } catch {
        throw .profile(place: error.pointer, message: error.matter)
      }
    }
    self.shape = shape
  }

  package init(_ shape: RecordShape) { self.shape = shape }

  /// The winning line of every key; with `tombstones` false, of every key that is not deleted.
  public func merge(_ texts: [[UInt8]], tombstones: Bool = true) throws(ChangeRulesError) -> [UInt8] {
    var merged: [UInt8] = []
    try read(texts).forEachKey { lines, reader in
      let winner = Merge.winner(of: lines, &reader)
      guard tombstones || !lines[winner].isTombstone else { return }
      merged.append(lines.text(winner))
      merged.append(10)
    }
    return merged
  }

  /// The changes that make `old` into `new`.
  ///
  /// Deletions get the time `now`, or a millisecond after the record's own clock if that is later. A snapshot that does not end
  /// in a line feed is refused: records cut off would look deleted.
  public func delta(from old: [UInt8], to new: [UInt8], now: Instant) throws(ChangeRulesError) -> [UInt8] {
    let delta = Delta(deletionTime: .now(now))
    var changes: [UInt8] = []
    try snapshots(old, new).forEachKey { lines, reader in
      guard let change = Delta.difference(lines, &reader) else { return }
      delta.append(change, lines, &reader, to: &changes)
    }
    return changes
  }

  /// The live records of `base` after the changes of `delta`, which are not looked at for their clocks.
  public func apply(_ delta: [UInt8], to base: [UInt8]) throws(ChangeRulesError) -> [UInt8] {
    var records: [UInt8] = []
    try snapshots(base, delta).forEachKey { lines, _ in
      guard let result = Delta.result(lines) else { return }
      records.append(lines.text(result))
      records.append(10)
    }
    return records
  }

  private func read(_ texts: [[UInt8]]) throws(ChangeRulesError) -> SortedLines {
    try SortedLines(texts, shape) { error, source, line throws(ChangeRulesError) in
      throw .line(text: source, number: line, code: error.code, message: error.message)
    }
  }

  private func snapshots(_ first: [UInt8], _ second: [UInt8]) throws(ChangeRulesError) -> SortedLines {
    let lines = try read([first, second])
    for (source, text) in [first, second].enumerated() {
      if let last = text.last, last != 10 {
        throw .line(
          text: source, number: text.count { $0 == 10 } + 1, code: .unterminatedLine,
          message: "the last line has no line feed")
      }
      guard let duplicate = lines.firstDuplicate(in: source) else { continue }
      throw .duplicateKey(text: source, firstLine: duplicate.firstLine, secondLine: duplicate.secondLine)
    }
    return lines
  }
}

/// Why a text cannot be used; nothing has been changed then.
public enum ChangeRulesError: Error, Equatable, Sendable {
  /// The profile is wrong at a JSON Pointer in it.
  case profile(place: String, message: String)
  /// A line is not a change.
  ///
  /// `text` counts the texts from 0, `number` the lines from 1; `code` is one of those in docs/exit-status.md.
  case line(text: Int, number: Int, code: ErrorCode, message: String)
  /// Two lines of one snapshot have the same key.
  case duplicateKey(text: Int, firstLine: Int, secondLine: Int)
}
