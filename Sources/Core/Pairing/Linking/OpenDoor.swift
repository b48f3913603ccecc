/// Chooses which unauthenticated connection makes room for a new one.
///
/// An origin is the result of ``group(of:)`` for an address. Connections from frequent origins are dropped
/// first. To keep others out, an attacker needs many networks, not only many connections.
package struct OpenDoor: Sendable {
  private struct Record {
    var arrivals = 0
    var last: Duration
  }

  private var records: [String: Record] = [:]
  /// An origin without a connection for this long counts as new.
  private static let memory = Duration.seconds(60)
  /// The number of remembered origins; the most frequent ones are kept.
  private static let capacity = 1_024

  package init() {}

  /// Notes a connection; `now` is on a monotonic clock.
  package mutating func recordArrival(from origin: String, at now: Duration) {
    var record = records[origin] ?? Record(last: now)
    if now - record.last >= Self.memory { record.arrivals = 0 }
    record.arrivals += 1
    record.last = now
    if records[origin] == nil, records.count >= Self.capacity { forgetOne() }
    records[origin] = record
  }

  /// Notes that a connection authenticated, and forgets earlier attempts of its origin.
  package mutating func recordSuccess(of origin: String) { records[origin] = nil }

  /// The index of the connection to drop: the oldest one of the busiest origin.
  ///
  /// The busiest origin has the most connections. If several origins have equally many connections, the
  /// busiest is the one that connected most often recently.
  ///
  /// `origins` lists the origin of each connection, the oldest first and the new one last. The list must not
  /// be empty.
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

  /// Forgets the least frequent origin; among equals, the one absent longest.
  private mutating func forgetOne() {
    let least = records.min { ($0.value.arrivals, $0.value.last) < ($1.value.arrivals, $1.value.last) }
    if let least { records[least.key] = nil }
  }
}

extension OpenDoor {
  /// The group of an address; an IPv6 /64 network counts as one, as one subscriber has all of it.
  ///
  /// Link-local addresses of one interface are one origin too.
  package static func group(of host: String) -> String {
    guard host.contains(":") else { return host }
    let parts = host.split(separator: "%", maxSplits: 1)
    guard let address = parts.first else { return host }
    let scope = parts.count > 1 ? "%\(parts[1])" : ""
    return words(of: address).prefix(4).joined(separator: ":") + "::/64" + scope
  }

  /// The words of an IPv6 address, with the zeros that `::` represents.
  private static func words(of address: Substring) -> [Substring] {
    let words = address.split(separator: ":", omittingEmptySubsequences: false)
    guard let gap = words.firstIndex(where: \.isEmpty) else { return words }
    let (head, tail) = (words[..<gap], words[gap...].filter { !$0.isEmpty })
    return head + Array(repeating: "0", count: max(0, 8 - head.count - tail.count)) + tail
  }
}

/// Delays the next connections from an address after connections from it were refused.
///
/// The address is delayed, not blocked, so a trusted device behind it can still connect.
package struct AddressBackoff: Sendable {
  private struct Record {
    var failures: Int
    var last: Duration
  }

  private var records: [String: Record] = [:]
  /// The number of refusals without a delay, as a user may mistype or a device may be forgotten.
  private static let free = 3
  private static let first = Duration.milliseconds(100)
  /// The longest delay.
  package static let longest = Duration.seconds(2)
  /// An address without a refusal for this long counts as new.
  private static let memory = Duration.seconds(60)
  /// The number of remembered addresses; the limit on open connections stops an attacker with more addresses.
  private static let capacity = 1_024

  package init() {}

  /// How long a connection from `address` must wait before it is accepted; `now` is on a monotonic clock.
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

  /// Notes that a connection authenticated, and forgets earlier refusals of its address.
  package mutating func recordSuccess(of address: String) { records[address] = nil }

  private mutating func forgetOldest() {
    if let oldest = records.min(by: { $0.value.last < $1.value.last })?.key { records[oldest] = nil }
  }
}

/// Limits how often events of one kind are logged, so that strangers cannot fill the disk.
///
/// Suppressed lines are counted, to report them later.
package struct RepetitionLimit: Sendable {
  private struct Record {
    var kind: String
    var written = 0
    var held = 0
    var start: Duration
  }

  /// The kinds of events, in the order of their first events.
  ///
  /// Each code of a diagnostic is a kind, so the number of kinds is small.
  private var records: [Record] = []
  /// The number of lines of a kind that are written within a period.
  package static let limit = 20
  package static let period = Duration.seconds(60)

  package init() {}

  /// Whether to write one more line of a kind; otherwise the line is counted.
  ///
  /// `now` is on a monotonic clock.
  package mutating func allows(_ kind: String, at now: Duration) -> Bool {
    guard let place = records.firstIndex(where: { $0.kind == kind }) else {
      records.append(Record(kind: kind, written: 1, start: now))
      return true
    }
    if now - records[place].start >= Self.period { (records[place].written, records[place].start) = (0, now) }
    let isAllowed = records[place].written < Self.limit
    if isAllowed { records[place].written += 1 } else { records[place].held += 1 }
    return isAllowed
  }

  /// The number of suppressed lines of each kind since the last call.
  package mutating func takeHeld() -> [(kind: String, count: Int)] {
    let held = records.filter { $0.held > 0 }.map { (kind: $0.kind, count: $0.held) }
    for place in records.indices { records[place].held = 0 }
    return held
  }
}
