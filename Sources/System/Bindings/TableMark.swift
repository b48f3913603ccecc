import JSONLines
import Store
import SyncCore
import Tables

/// The interval between complete readings of a table, which find edits without a newer clock.
private let wholeInterval: Int64 = 86_400

/// The minimum age of a mark's clock: an app may read the time, and then wait before it writes to the database.
private let slack: Int64 = 600

extension ReadMark {
  func isUsable(_ schema: Int64, _ now: Instant) -> Bool {
    schema == self.schema && (0..<wholeInterval).contains(now.seconds - wholeAt)
  }
}

extension Table {
  /// The clock column of a binding's records, if it has an index.
  func clockColumn(_ binding: Binding, in database: Database) throws(StoreError) -> ClockColumn? {
    guard let name = clockName(binding) else { return nil }
    return try ClockColumn(name, of: self, in: database)
  }

  /// The name of the clock column; nil if records lack a clock, or have several possible clocks.
  func clockName(_ binding: Binding) -> String? {
    if let clock = binding.clock { return clock.tokens.count == 1 ? clock.tokens[0] : nil }
    let names = MemberName.liveClocks.map(\.spelling.description).filter { has($0) }
    return names.count == 1 ? names[0] : nil
  }
}

extension ClockColumn {
  /// The greatest value that is at least `slack` ago; nil if the order of the values may differ from the
  /// order of their times.
  func last(before now: Instant, in database: Database) throws(StoreError) -> JSONValue? {
    var found: JSONValue?
    try forEachValue(atMost: 10_000, in: database) { value in
      guard let instant = value.instant else { return false }
      if instant.seconds < now.seconds - slack { found = value }
      return found == nil
    }
    if case .string = found, try hasNumbersBesideTexts(in: database) { return nil }
    return found
  }
}

extension JSONValue {
  /// The time of a clock value; nil if it is not a clock, or has an offset from UTC.
  fileprivate var instant: Instant? {
    let bytes = Array(text.utf8)
    if case .string(let text) = self, text.utf8.dropFirst(10).contains(where: { "+-".utf8.contains($0) }) {
      return nil
    }
    return Clock.instant(bytes.span, 0..<bytes.count)
  }
}
