package import SystemIO

/// The key of a set of records, which is also the question for them.
package struct RecordKey: Hashable, Sendable {
  package var name: DomainName
  package var type: RecordType

  package init(_ name: DomainName, _ type: RecordType) {
    self.name = name
    self.type = type
  }
}

/// The records of the Internet class received on one link, until they expire (RFC 6762 §5.2, §10).
///
/// Times are on a clock that never goes back. The memory is bounded: at the limit, a quarter of the records
/// is removed, and a flood does not evict earlier records (see `makeRoom`).
package struct RecordCache: Sendable {
  package struct Entry: Sendable {
    package var record: ResourceRecord
    package var source: IPAddress
    /// The time since which the cache has had the record without a gap.
    var since: Duration
    package var received: Duration
    package var expiry: Duration
    /// Whether the record is removed because its sender sent a goodbye.
    package var isGoodbye = false
    /// The number of questions sent to refresh the record, at most four.
    var refreshes = 0
    var nextRefresh: Duration
  }

  struct Sender: Sendable {
    var load = 0
    /// The time when the first record of the sender was received.
    var since: Duration
  }

  /// The longest time that a record is kept, even with a longer time to live: a day.
  static let longestLife = Duration.seconds(86_400)

  /// Records by name and type, and then by data, to find one among thousands quickly.
  var sets: [RecordKey: [RecordData: Entry]] = [:]
  var senders: [IPAddress: Sender] = [:]
  private let limit: Int
  /// The sets whose older records were last flushed, and the time of that.
  private var flushed: (at: Duration, keys: Set<RecordKey>) = (.zero, [])
  /// The size of the cache: a record counts as one, plus one for each 256 bytes of data.
  package private(set) var load = 0
  /// No entry expires or is queried again before this time; nil if no entry is waiting for either.
  package private(set) var deadline: Duration?

  package init(limit: Int = 4_096) { self.limit = limit }

  package func entries(_ key: RecordKey) -> [Entry] { sets[key].map { Array($0.values) } ?? [] }

  package func has(_ key: RecordKey) -> Bool { sets[key] != nil }

  /// The records with at least half of their life left, to be named as known answers (§7.1).
  func knownAnswers(_ key: RecordKey, at now: Duration) -> [ResourceRecord] {
    entries(key).filter { $0.isFresh(at: now) }.map { entry in
      let left = (entry.expiry - now).components.seconds
      return entry.record.with(ttl: UInt32(clamping: max(left, 1))).withoutFlush
    }
  }

  /// Whether the cache has a record with at least half of its life left.
  func knows(_ record: ResourceRecord, at now: Duration) -> Bool {
    sets[RecordKey(record.name, record.type)]?[record.data]?.isFresh(at: now) ?? false
  }

  /// Adds a record; true if this changes the set.
  package mutating func insert(
    _ record: ResourceRecord, from source: IPAddress, at now: Duration,
    _ random: inout some RandomNumberGenerator
  ) -> Bool {
    let key = RecordKey(record.name, record.type)
    if record.ttl == 0 {
      sayGoodbye(to: record, key, at: now)
      return false
    }
    // Pointers are always shared (RFC 6763 §4.1), even if a packet claims otherwise: such a packet would
    // remove all peers.
    if record.isUnique, record.type != .ptr { flush(key, except: record, at: now) }
    let life = min(.seconds(Int64(record.ttl)), Self.longestLife)
    var entry = Entry(
      record: record, source: source, since: now, received: now, expiry: now + life, nextRefresh: .zero)
    entry.scheduleRefresh(&random)
    wake(at: min(entry.nextRefresh, entry.expiry))
    if let known = sets[key]?[record.data] {
      (entry.source, entry.since) = (known.source, known.since)
      sets[key]![record.data] = entry
      return false
    }
    while load + record.load > limit, !sets.isEmpty { makeRoom() }
    sets[key, default: [:]][record.data] = entry
    senders[source, default: Sender(since: now)].load += record.load
    load += record.load
    return true
  }

  /// Returns expired records, and the sets to query again because a record is about to expire.
  package mutating func advance(
    to now: Duration, _ random: inout some RandomNumberGenerator
  ) -> (removed: [Entry], refresh: [RecordKey]) {
    guard let deadline, deadline <= now else { return ([], []) }
    self.deadline = nil
    var removed: [Entry] = []
    var refresh: [RecordKey] = []
    for key in Array(sets.keys) {
      let entries = sets[key]!
      guard entries.values.contains(where: { min($0.expiry, $0.nextRefresh) <= now }) else {
        entries.values.forEach { wake(at: min($0.nextRefresh, $0.expiry)) }
        continue
      }
      var kept: [RecordData: Entry] = [:]
      for (data, var entry) in entries {
        if entry.expiry <= now {
          removed.append(entry)
          continue
        }
        if entry.nextRefresh <= now {
          refresh.append(key)
          entry.refreshes += 1
          entry.scheduleRefresh(&random)
        }
        wake(at: min(entry.nextRefresh, entry.expiry))
        kept[data] = entry
      }
      sets[key] = kept.isEmpty ? nil : kept
    }
    removed.forEach { forget($0) }
    return (removed, Array(Set(refresh)))
  }

  private mutating func wake(at time: Duration) { deadline = min(deadline ?? time, time) }

  mutating func forget(_ entry: Entry) {
    load -= entry.record.load
    senders[entry.source]!.load -= entry.record.load
    if senders[entry.source]!.load == 0 { senders[entry.source] = nil }
  }

  /// Removes the record in one second; until then another host with the record can announce it (§10.1).
  private mutating func sayGoodbye(to record: ResourceRecord, _ key: RecordKey, at now: Duration) {
    guard sets[key]?[record.data] != nil else { return }
    sets[key]![record.data]!.end(at: now + .seconds(1))
    sets[key]![record.data]!.isGoodbye = true
    wake(at: now + .seconds(1))
  }

  /// Lets records of a unique set that are older than a second expire in one second, unless they are received
  /// again (§10.2).
  ///
  /// A set is flushed once for each packet, because all records of a packet are received at the same time.
  private mutating func flush(_ key: RecordKey, except record: ResourceRecord, at now: Duration) {
    if flushed.at != now { flushed = (now, []) }
    guard flushed.keys.insert(key).inserted, let set = sets[key] else { return }
    let end = now + .seconds(1)
    let old = set.filter { data, entry in
      data != record.data && entry.received + .seconds(1) < now && entry.expiry > end
    }
    guard !old.isEmpty else { return }
    for data in old.keys { sets[key]![data]!.end(at: end) }
    wake(at: end)
  }
}

extension ResourceRecord {
  fileprivate var load: Int {
    switch data {
    case .text(let bytes), .other(_, let bytes): 1 + bytes.count / 256
    default: 1
    }
  }
}

extension RecordCache.Entry {
  fileprivate func isFresh(at now: Duration) -> Bool {
    let life = min(.seconds(Int64(record.ttl)), RecordCache.longestLife)
    return expiry - now >= life / 2
  }

  fileprivate mutating func end(at time: Duration) { expiry = min(expiry, time) }

  /// Schedules the next refresh at 80, 85, 90 or 95 % of the record's life, plus a random 0 to 2 % (§5.2).
  fileprivate mutating func scheduleRefresh(_ random: inout some RandomNumberGenerator) {
    guard refreshes < 4 else { return nextRefresh = expiry }
    let permille = 800 + 50 * refreshes + Int.random(in: 0..<20, using: &random)
    nextRefresh = received + (expiry - received) * permille / 1_000
  }
}

extension RecordCache {
  /// The maximum number of records of one sender that is normal; more records count as a flood.
  static let fairShare = 64

  /// Removes a quarter of the records.
  ///
  /// Records of senders with more than a fair share are removed first, then those of the latest senders, the
  /// newest records first.
  ///
  /// So a flood from one address evicts only its own records, even if the address is a peer's. A flood from
  /// many forged addresses does not evict earlier records.
  mutating func makeRoom() {
    let quota = max(1, sets.values.reduce(0) { $0 + $1.count } / 4)
    let place = { [senders] (entry: Entry) in Self.place(entry, senders[entry.source]!) }
    let last = sets.values.joined().map { place($0.value) }.sorted(by: <)[quota - 1]
    var equals = quota - sets.values.joined().count { place($0.value) < last }
    for key in Array(sets.keys) {
      var gone: [Entry] = []
      let kept = sets[key]!.filter { _, entry in
        let own = place(entry)
        guard own < last || own == last && equals > 0 else { return true }
        if own == last { equals -= 1 }
        gone.append(entry)
        return false
      }
      guard !gone.isEmpty else { continue }
      gone.forEach { forget($0) }
      sets[key] = kept.isEmpty ? nil : kept
    }
  }

  /// The place of a record in the order of eviction; the record with the lowest place is evicted first.
  private static func place(_ entry: Entry, _ sender: Sender) -> (Int, Duration, Duration) {
    sender.load > fairShare
      ? (0, .zero, .zero - entry.since) : (1, .zero - sender.since, .zero - entry.since)
  }
}
