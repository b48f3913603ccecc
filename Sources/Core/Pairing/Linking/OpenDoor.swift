/// Which of the connections that have proven nothing yet makes room for a new one.
///
/// An origin is what ``group(of:)`` makes of an address. Those who come often make room for those who come seldom, so that
/// what keeps others out is not how many connections somebody opens, but how many networks he has.
package struct OpenDoor: Sendable {
  private struct Record {
    var arrivals = 0
    var last: Duration
  }

  private var records: [String: Record] = [:]
  /// After so long without a connection an origin is as good as new.
  private static let memory = Duration.seconds(60)
  /// How many origins are remembered: those that come most often.
  private static let capacity = 1_024

  package init() {}

  /// Somebody has connected; `now` is on a clock that never goes back.
  package mutating func recordArrival(from origin: String, at now: Duration) {
    var record = records[origin] ?? Record(last: now)
    if now - record.last >= Self.memory { record.arrivals = 0 }
    record.arrivals += 1
    record.last = now
    if records[origin] == nil, records.count >= Self.capacity { forgetOne() }
    records[origin] = record
  }

  /// A connection was good: how often it came before is forgotten.
  package mutating func recordSuccess(of origin: String) { records[origin] = nil }

  /// The place of the one to drop: of the origin that has the most of them, then of the one that has come most often of
  /// late, the oldest.
  ///
  /// `origins` are those of the connections, the oldest first and the new one last, and not empty.
  package func victim(among origins: [String], at now: Duration) -> Int {
    var open: [String: Int] = [:]
    for origin in origins { open[origin, default: 0] += 1 }
    func weight(_ origin: String) -> (open: Int, arrivals: Int) {
      (open[origin] ?? 0, arrivals(from: origin, at: now))
    }
    let most = open.keys.map(weight).max { $0 < $1 } ?? (0, 0)
    return origins.firstIndex { weight($0) == most } ?? 0
  }

  private func arrivals(from origin: String, at now: Duration) -> Int {
    guard let record = records[origin], now - record.last < Self.memory else { return 0 }
    return record.arrivals
  }

  /// Of those that have come least often, the one that has not come for longest.
  private mutating func forgetOne() {
    let least = records.min { ($0.value.arrivals, $0.value.last) < ($1.value.arrivals, $1.value.last) }
    if let least { records[least.key] = nil }
  }
}

extension OpenDoor {
  /// What stands for an address: an IPv6 network of 64 bits belongs to one subscriber, who has all addresses of it.
  ///
  /// Link-local addresses of one interface are one network too.
  package static func group(of host: String) -> String {
    guard host.contains(":") else { return host }
    let parts = host.split(separator: "%", maxSplits: 1)
    guard let address = parts.first else { return host }
    let scope = parts.count > 1 ? "%\(parts[1])" : ""
    return words(of: address).prefix(4).joined(separator: ":") + "::/64" + scope
  }

  /// The words of an IPv6 address with the zeros that `::` stands for.
  private static func words(of address: Substring) -> [Substring] {
    let words = address.split(separator: ":", omittingEmptySubsequences: false)
    guard let gap = words.firstIndex(where: \.isEmpty) else { return words }
    let (head, tail) = (words[..<gap], words[gap...].filter { !$0.isEmpty })
    return head + Array(repeating: "0", count: max(0, 8 - head.count - tail.count)) + tail
  }
}
