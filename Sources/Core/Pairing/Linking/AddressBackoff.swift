/// How long an address whose connections were refused has to wait for its next one.
///
/// It waits and is not turned away: a trusted device behind the same address still gets in.
package struct AddressBackoff: Sendable {
  private struct Record {
    var failures: Int
    var last: Duration
  }

  private var records: [String: Record] = [:]
  /// So many refusals cost nothing: somebody mistyped, or a device was forgotten.
  private static let free = 3
  private static let first = Duration.milliseconds(100)
  /// The longest wait.
  package static let longest = Duration.seconds(2)
  /// After so long without a refusal an address is as good as new.
  private static let memory = Duration.seconds(60)
  /// How many addresses are remembered; whoever has more than that to attack with meets the limit on open connections.
  private static let capacity = 1_024

  package init() {}

  /// What has to pass before a connection from `address` is looked at; `now` is on a clock that never goes back.
  package func delay(for address: String, at now: Duration) -> Duration {
    guard let record = records[address], now - record.last < Self.memory, record.failures > Self.free else {
      return .zero
    }
    return min(Self.longest, Self.first * (1 << min(record.failures - Self.free - 1, 10)))
  }

  package mutating func recordRefusal(of address: String, at now: Duration) {
    var record = records[address] ?? Record(failures: 0, last: now)
    if now - record.last >= Self.memory { record.failures = 0 }
    record.failures += 1
    record.last = now
    if records[address] == nil, records.count >= Self.capacity { forgetOldest() }
    records[address] = record
  }

  /// A connection was good: whatever came from there before is forgiven.
  package mutating func recordSuccess(of address: String) { records[address] = nil }

  private mutating func forgetOldest() {
    if let oldest = records.min(by: { $0.value.last < $1.value.last })?.key { records[oldest] = nil }
  }
}
