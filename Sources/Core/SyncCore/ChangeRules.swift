import JSONLines

/// The rules of merging and comparing for apps, applied to complete texts of change lines.
///
/// Texts are UTF-8, one change line or plain record per line, as docs/formats/change-line.md describes them.
/// The results are in key order, so the same inputs give the same bytes on every device. If a line is not a
/// change, a call throws the line's error, with the numbers of the text and the line.
public struct ChangeRules: Sendable {
  package let shape: RecordShape

  /// The part of the rules on which two stores must agree, as canonical JSON: `{}` by default.
  public var mergeRules: [UInt8] { shape.mergeRules }

  /// The rules of a profile: its text or the name of a built-in profile; nil means last write wins.
  ///
  /// `entityName` is the entity of records that do not name theirs; if it is empty, the profile's entity is
  /// used.
  ///
  /// - Throws: `invalidProfile`, with the JSON Pointer of the error.
  public init(profile: String? = nil, entityName: String = "") throws(SyncError) {
    shape = try RecordShape(profile: profile, entityName: entityName)
  }

  package init(_ shape: RecordShape) { self.shape = shape }

  /// The winning line of every key; with `tombstones` false, only of keys that are not deleted.
  public func merge(_ texts: [[UInt8]], tombstones: Bool = true) throws(SyncError) -> [UInt8] {
    var merged: [UInt8] = []
    try SortedLines(texts, of: shape).forEachKey { lines, reader in
      let winner = Merge.winner(of: lines, &reader)
      guard tombstones || !lines[winner].isTombstone else { return }
      merged.append(lines.text(winner))
      merged.append(10)
    }
    return merged
  }

  /// The changes that turn `old` into `new`.
  ///
  /// Deletions get the time `now`, or a millisecond after the record's own clock if that is later. A snapshot
  /// without a line feed at its end is rejected, because records missing from a truncated one would look
  /// deleted.
  ///
  /// - Throws: also `nestingTooDeep` or `lineTooLarge` if the line of a deletion could not be read.
  public func delta(from old: [UInt8], to new: [UInt8], now: Instant) throws(SyncError) -> [UInt8] {
    let delta = Delta(deletionTime: .now(now))
    var changes: [UInt8] = []
    var failure: SyncError?
    try snapshots(old, new).forEachKey { lines, reader in
      guard failure == nil, let change = Delta.difference(lines, &reader) else { return }
      do throws(UnreadableLine) {
        try delta.append(change, lines, &reader, to: &changes)
      } catch {
        failure = SyncError(error, text: error.source, line: error.line)
      }
    }
    if let failure { throw failure }
    return changes
  }

  /// The live records of `base` after the changes of `delta`; clocks in `delta` are ignored.
  public func apply(_ delta: [UInt8], to base: [UInt8]) throws(SyncError) -> [UInt8] {
    var records: [UInt8] = []
    try snapshots(base, delta).forEachKey { lines, _ in
      guard let result = Delta.result(lines) else { return }
      records.append(lines.text(result))
      records.append(10)
    }
    return records
  }

  /// Explains why lines that differ won or lost, with one line of JSON for each key.
  ///
  /// The format is that of `lwwmerge --conflicts`; `names` has the value of `file` for each text.
  ///
  /// - Throws: also `invalidOptionValue` if the number of names differs from the number of texts.
  public func explain(_ texts: [[UInt8]], named names: [String]) throws(SyncError) -> [UInt8] {
    guard texts.count == names.count else {
      throw SyncError(Diagnostic(.invalidOptionValue, "\(names.count) names for \(texts.count) texts"))
    }
    var lines: [UInt8] = []
    try SortedLines(texts, of: shape).forEachKey { key, reader in
      let contest = Contest(key, &reader)
      if !contest.contenders.isEmpty { contest.append(contest.contenders, names, to: &lines) }
    }
    return lines
  }

  private func snapshots(_ first: [UInt8], _ second: [UInt8]) throws(SyncError) -> SortedLines {
    let lines = try SortedLines([first, second], of: shape)
    for (source, text) in [first, second].enumerated() {
      if let last = text.last, last != 10 {
        throw SyncError(
          Diagnostic(
            .unterminatedLine, "the last line has no line feed", line: text.count { $0 == 10 } + 1),
          text: source)
      }
      guard let duplicate = lines.firstDuplicate(in: source) else { continue }
      throw SyncError(Diagnostic(duplicate, in: nil), text: source)
    }
    return lines
  }
}

extension SortedLines {
  /// The sorted lines of an app's texts; errors count the texts from `first`.
  package init(
    _ texts: [[UInt8]], of shape: RecordShape, countingFrom first: Int = 0
  ) throws(SyncError) {
    guard texts.count <= Int(UInt16.max) + 1 else {
      throw SyncError(Diagnostic(.fileTooLarge, "more than 65,536 texts; merge them in parts"))
    }
    try self.init(texts, shape) { error, source, line throws(SyncError) in
      throw SyncError(error, text: first + source, line: line)
    }
  }
}

extension RecordShape {
  /// The shape from a profile: its text or the name of a built-in profile; nil means the default rules.
  package init(profile: String?, entityName: String) throws(SyncError) {
    self.init()
    if let profile {
      let text = Array((Profile.builtIn[profile] ?? profile).utf8)
      do throws(MemberError) {
        self = try RecordShape(rules: text.span)
      } catch {
        throw SyncError(Diagnostic(.invalidProfile, error.matter, file: error.pointer))
      }
    }
    if !entityName.isEmpty { self.entityName = entityName }
  }
}
