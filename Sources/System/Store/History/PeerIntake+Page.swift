import JSONLines
package import SyncCore

extension PeerIntake {
  /// The reason for putting a plain record of a peer into quarantine.
  static let plainRecord = "plainRecord"

  /// Applies the lines of a page, each with its LF; lines that cannot be applied are quarantined, and blank
  /// lines are skipped.
  ///
  /// With `notingSeen` all keys are noted for the end of a replacement, including those in quarantine.
  package mutating func apply(
    page text: Span<UInt8>, now: Instant, notingSeen: Bool = false
  ) throws(StoreError) {
    var (start, end, key, number) = (0, 0, [UInt8](), 0)
    while start < text.count {
      key.removeAll(keepingCapacity: true)
      number += 1
      let verdict = read(text, start, &end, &key)
      let line = text.extracting(start..<end)
      if notingSeen { try noteSeen(key) }
      switch verdict {
      case .apply(let change): try apply(key.span, changeLine: line, change)
      case .passOver: break
      case .keepAside(_, .some) where try has(key.span, line): counts.same += 1
      case .keepAside(let reason, let clock):
        note(number, reason)
        try keepAside(line, key, reason, until: clock, now)
      case .keepBeginning(let reason):
        note(number, reason.rawValue)
        try keepAside(UnusableEntry(excerptOf: line, code: reason), key, now)
      }
      start = end + 1
    }
  }

  /// The maximum number of lines that are reported one by one.
  private static let mostNoted = 100

  private mutating func note(_ line: Int, _ code: String) {
    if aside.count < Self.mostNoted { aside.append(Aside(line: line, code: code)) }
  }

  /// Puts an entry that is not a change line into quarantine.
  mutating func keepAside(
    _ entry: UnusableEntry, _ now: Instant, notingSeen: Bool
  ) throws(StoreError) {
    let key = entry.outline.isEmpty ? [] : key(of: entry.outline)
    if notingSeen { try noteSeen(key) }
    try keepAside(entry, key, now)
  }

  /// Notes a key for the end of a replacement, unless it is too long for this store and so cannot be in it.
  private func noteSeen(_ key: [UInt8]) throws(StoreError) {
    guard !key.isEmpty, key.count <= store.database.longestKey ?? .max else { return }
    try store.noteSeen(key.span, from: peer)
  }

  /// Puts an entry into quarantine, wrapped in an object: a retry would apply the bare entry as a change
  /// line.
  private mutating func keepAside(_ entry: UnusableEntry, _ key: [UInt8], _ now: Instant) throws(StoreError) {
    let line = Array("{\"wireEntry\":".utf8) + entry.text + [UInt8(ascii: "}")]
    try keepAside(line.span, key, entry.code.rawValue, until: nil, now)
  }

  /// The key of a line; empty for a line without a key.
  private mutating func key(of line: [UInt8]) -> [UInt8] {
    var (end, key, text) = (0, [UInt8](), line)
    text.append(10)
    do throws(ChangeError) {
      _ = try lines.read(text.span, from: 0, key: &key, end: &end)
      return key
    } catch {
      return []
    }
  }

  private enum Verdict {
    case apply(ChangeLine)
    /// Skip the line, because it is a checkpoint or blank.
    case passOver
    /// Keep the line; `until` is its clock if it can be applied from that time on.
    case keepAside(String, until: Instant?)
    /// Keep only the beginning of the line, which can never be applied and is too large.
    case keepBeginning(ErrorCode)
  }

  private mutating func read(
    _ text: Span<UInt8>, _ start: Int, _ end: inout Int, _ key: inout [UInt8]
  ) -> Verdict {
    if text.isBlankLine(from: start, end: &end) { return .passOver }
    do throws(ChangeError) {
      let change = try lines.read(text, from: start, key: &key, end: &end)
      if change.kind == .checkpoint { return .passOver }
      // The members of a plain record have a meaning only under the rules of the store that it was written
      // to.
      if change.kind == .record { return .keepAside(Self.plainRecord, until: nil) }
      if let most = store.database.longestKey, key.count > most { return .keepBeginning(.lineTooLarge) }
      if let excess = StorableLine.excess(text.extracting(start..<end), change.kind) {
        return .keepBeginning(excess.code)
      }
      return drift?.admits(change) ?? true
        ? .apply(change) : .keepAside("clockAhead", until: change.clock)
    } catch {
      return .keepAside(error.code.rawValue, until: nil)
    }
  }
}
