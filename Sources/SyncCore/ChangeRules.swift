import JSONLines

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
      do throws(ProfileError) {
        shape.profile = try Profile(parsing: text.span)
      } catch {
        throw .profile(place: error.place, message: error.message)
      }
    }
    self.shape = shape
  }

  package init(_ shape: RecordShape) { self.shape = shape }

  /// The winning line of every key; with `tombstones` false, of every key that is not deleted.
  public func merge(_ texts: [[UInt8]], tombstones: Bool = true) throws(ChangeRulesError) -> [UInt8] {
    var set = ChangeSet(shape)
    for (index, text) in texts.enumerated() { try read(text, index, into: &set) }
    set.sort()
    var merged: [UInt8] = []
    Merge.forEachKey(in: set) { _, winner in
      if tombstones || !winner.line.isTombstone { append(winner, of: set, to: &merged) }
    }
    return merged
  }

  /// The changes that make `old` into `new`.
  ///
  /// What is deleted is said to have been deleted at `now`, or a millisecond after its own clock where that is
  /// later. A snapshot that does not end in a line feed is refused: what was cut off would look deleted.
  public func delta(from old: [UInt8], to new: [UInt8], now: Instant) throws(ChangeRulesError) -> [UInt8] {
    let (oldSet, oldEntries) = try snapshot(old, 0)
    let (newSet, newEntries) = try snapshot(new, 1)
    let delta = Delta(deletionTime: .now(now))
    var reader = LineReader(shape)
    var changes: [UInt8] = []
    Delta.walk(oldEntries, in: oldSet, newEntries, in: newSet) { old, new in
      switch Delta.difference(old, in: oldSet, new, in: newSet) {
      case nil: break
      case .line(let entry, _): append(entry, of: newSet, to: &changes)
      // The line has been read before, so that reading its key again cannot fail.
      case .delete(let entry): try? delta.appendDelete(entry, of: oldSet, &reader, to: &changes)
      }
    }
    return changes
  }

  /// The live records of `base` after the changes of `delta`, which are not looked at for their clocks.
  public func apply(_ delta: [UInt8], to base: [UInt8]) throws(ChangeRulesError) -> [UInt8] {
    let (baseSet, baseEntries) = try snapshot(base, 0)
    let (deltaSet, deltaEntries) = try snapshot(delta, 1)
    var records: [UInt8] = []
    Delta.walk(baseEntries, in: baseSet, deltaEntries, in: deltaSet) { base, change in
      if let change {
        if !change.line.isTombstone { append(change, of: deltaSet, to: &records) }
      } else if let base, !base.line.isTombstone {
        append(base, of: baseSet, to: &records)
      }
    }
    return records
  }

  private func read(_ text: [UInt8], _ index: Int, into set: inout ChangeSet) throws(ChangeRulesError) {
    try set.add(ChangeSource(name: "\(index)", bytes: text)) { error, line, _ throws(ChangeRulesError) in
      throw .line(text: index, number: line.number, code: error.code, message: error.message)
    }
  }

  private func snapshot(
    _ text: [UInt8], _ index: Int
  ) throws(ChangeRulesError) -> (set: ChangeSet, entries: [ChangeSet.Entry]) {
    var set = ChangeSet(shape)
    try read(text, index, into: &set)
    if let last = text.last, last != 10 {
      let number = set.entries.last?.lineNumber ?? 1
      throw .line(
        text: index, number: number, code: "unterminatedLine", message: "the last line has no line feed")
    }
    do throws(Delta.Duplicate) {
      let entries = try Delta.live(&set, allowingDuplicates: false)
      return (set, entries)
    } catch {
      throw .duplicateKey(text: index, firstLine: error.firstLine, secondLine: error.secondLine)
    }
  }

  private func append(_ entry: ChangeSet.Entry, of set: ChangeSet, to text: inout [UInt8]) {
    text += set.sources[entry.source].bytes[entry.range]
    text.append(10)
  }
}

/// Why a text cannot be used; nothing has been changed then.
public enum ChangeRulesError: Error, Equatable, Sendable {
  /// The profile is wrong at a JSON Pointer in it.
  case profile(place: String, message: String)
  /// A line is no change.
  ///
  /// `text` counts the texts from 0, `number` the lines from 1; `code` is one of those in docs/exit-status.md.
  case line(text: Int, number: Int, code: String, message: String)
  /// Two lines of one snapshot have the same key.
  case duplicateKey(text: Int, firstLine: Int, secondLine: Int)
}
