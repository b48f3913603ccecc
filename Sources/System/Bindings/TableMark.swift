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

extension Binding {
  /// The members of a record that can contain the time of its edit or deletion.
  var clockNames: [String] {
    let live = clock.map { Array($0.tokens.prefix(1)) } ?? MemberName.liveClocks.map(\.spelling.description)
    return live + [RecordWrapping.deletion]
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
  /// The greatest value that is at least `slack` ago.
  ///
  /// The result is nil if the order of the values may differ from the order of their times.
  func last(before now: Instant, in database: Database) throws(StoreError) -> JSONValue? {
    var found: JSONValue?
    try forEachValue(atMost: 10_000, in: database) { value in
      guard let instant = value.instant else { return false }
      if instant.seconds < now.seconds - slack { found = value }
      return found == nil
    }
    if case .string = found { return try hasNumbersBesideTexts(in: database) ? nil : found }
    return try hasNumbers(onBothSidesOf: Clock.firstMillisecond, in: database) ? nil : found
  }
}

extension JSONValue {
  /// The time of a clock value; nil if it is not a clock, or a text that does not begin with its day in UTC.
  fileprivate var instant: Instant? {
    let bytes = Array(text.utf8)
    if case .string(let text) = self {
      let hasOffset = text.utf8.dropFirst(10).contains { "+-".utf8.contains($0) }
      // A text such as 20250502T080000Z sorts after all other texts of its year.
      let isBasic = text.utf8.dropFirst(4).first != UInt8(ascii: "-")
      if hasOffset || isBasic { return nil }
    }
    return Clock.instant(bytes.span, 0..<bytes.count)
  }
}
