package import SystemIO

/// What a set of records is called: the question that asks for it.
package struct RecordKey: Hashable, Sendable {
  package var name: DomainName
  package var type: RecordType

  package init(_ name: DomainName, _ type: RecordType) {
    self.name = name
    self.type = type
  }
}

/// The records that were heard on one link, until their time is over (RFC 6762 §5.2, §10).
///
/// Times are those of a clock that never goes back. The number of records is bounded: where it is reached, the
/// sender of most of them loses a quarter of its own, the oldest first, so that a flood leaves other peers alone.
package struct RecordCache: Sendable {
  package struct Entry: Sendable {
    package var record: ResourceRecord
    package var source: IPAddress
    package var received: Duration
    package var expiry: Duration
    /// It goes because its sender said so.
    package var isGoodbye = false
    /// Questions that have been asked to keep it, of at most four.
    var refreshes = 0
    var nextRefresh: Duration
  }

  /// The longest that a record is kept, whatever its time to live: a day.
  static let longestLife = Duration.seconds(86_400)

  private var sets: [RecordKey: [Entry]] = [:]
  private var counts: [IPAddress: Int] = [:]
  private let limit: Int
  package private(set) var count = 0
  /// Not later than the first entry that needs something.
  package private(set) var deadline: Duration?

  package init(limit: Int = 4_096) { self.limit = limit }

  package func entries(_ key: RecordKey) -> [Entry] { sets[key] ?? [] }

  package func has(_ key: RecordKey) -> Bool { sets[key] != nil }

  /// Those that still have at least half of their life before them, to be named as known answers (§7.1).
  func knownAnswers(_ key: RecordKey, at now: Duration) -> [ResourceRecord] {
    entries(key).filter { $0.isFresh(at: now) }.map { entry in
      let left = (entry.expiry - now).components.seconds
      return entry.record.with(ttl: UInt32(clamping: max(left, 1))).withoutFlush
    }
  }

  /// Whether a record is there with at least half of its life before it.
  func knows(_ record: ResourceRecord, at now: Duration) -> Bool {
    entries(RecordKey(record.name, record.type)).contains {
      $0.record.isSame(as: record) && $0.isFresh(at: now)
    }
  }

  /// Takes a record in; true where the set has another record now.
  package mutating func insert(
    _ record: ResourceRecord, from source: IPAddress, at now: Duration,
    _ random: inout some RandomNumberGenerator
  ) -> Bool {
    let key = RecordKey(record.name, record.type)
    if record.ttl == 0 {
      sayGoodbye(to: record, key, at: now)
      return false
    }
    if record.isUnique { flush(key, except: record, at: now) }
    let life = min(.seconds(Int64(record.ttl)), Self.longestLife)
    var entry = Entry(
      record: record, source: source, received: now, expiry: now + life, nextRefresh: .zero)
    entry.scheduleRefresh(&random)
    wake(at: min(entry.nextRefresh, entry.expiry))
    if let index = sets[key]?.firstIndex(where: { $0.record.isSame(as: record) }) {
      entry.source = sets[key]![index].source
      sets[key]![index] = entry
      return false
    }
    if count >= limit { makeRoom() }
    sets[key, default: []].append(entry)
    counts[source, default: 0] += 1
    count += 1
    return true
  }

  /// Gives what is over, and which sets should be asked for again since a record of theirs has little life left.
  package mutating func advance(
    to now: Duration, _ random: inout some RandomNumberGenerator
  ) -> (removed: [Entry], refresh: [RecordKey]) {
    guard let deadline, deadline <= now else { return ([], []) }
    self.deadline = nil
    var removed: [Entry] = []
    var refresh: [RecordKey] = []
    for key in Array(sets.keys) {
      let entries = sets[key]!
      guard entries.contains(where: { min($0.expiry, $0.nextRefresh) <= now }) else {
        entries.forEach { wake(at: min($0.nextRefresh, $0.expiry)) }
        continue
      }
      var kept: [Entry] = []
      for var entry in entries {
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
        kept.append(entry)
      }
      sets[key] = kept.isEmpty ? nil : kept
    }
    removed.forEach { forget($0) }
    return (removed, Array(Set(refresh)))
  }

  private mutating func wake(at time: Duration) { deadline = min(deadline ?? time, time) }

  private mutating func forget(_ entry: Entry) {
    count -= 1
    counts[entry.source]! -= 1
    if counts[entry.source] == 0 { counts[entry.source] = nil }
  }

  /// The record goes in one second, in which another that has it too can say so (§10.1).
  private mutating func sayGoodbye(to record: ResourceRecord, _ key: RecordKey, at now: Duration) {
    guard let index = sets[key]?.firstIndex(where: { $0.record.isSame(as: record) }) else { return }
    sets[key]![index].end(at: now + .seconds(1))
    sets[key]![index].isGoodbye = true
    wake(at: sets[key]![index].expiry)
  }

  /// Records of a unique set that are older than a second go in one second, unless they come again (§10.2).
  private mutating func flush(_ key: RecordKey, except record: ResourceRecord, at now: Duration) {
    for index in entries(key).indices {
      let entry = sets[key]![index]
      guard !entry.record.isSame(as: record), entry.received + .seconds(1) < now else { continue }
      sets[key]![index].end(at: now + .seconds(1))
      wake(at: sets[key]![index].expiry)
    }
  }

  private mutating func makeRoom() {
    guard let (source, number) = counts.max(by: { $0.value < $1.value }) else { return }
    let ages = sets.values.joined().filter { $0.source == source }.map(\.received).sorted()
    let newest = ages[max(0, number / 4 - 1)]
    for key in Array(sets.keys) {
      let gone = sets[key]!.filter { $0.source == source && $0.received <= newest }
      guard !gone.isEmpty else { continue }
      gone.forEach { forget($0) }
      let kept = sets[key]!.filter { $0.source != source || $0.received > newest }
      sets[key] = kept.isEmpty ? nil : kept
    }
  }
}

extension RecordCache.Entry {
  fileprivate func isFresh(at now: Duration) -> Bool {
    let life = min(.seconds(Int64(record.ttl)), RecordCache.longestLife)
    return expiry - now >= life / 2
  }

  fileprivate mutating func end(at time: Duration) { expiry = min(expiry, time) }

  /// At 80, 85, 90 and 95 % of its life, each up to 2 % later by chance (§5.2).
  fileprivate mutating func scheduleRefresh(_ random: inout some RandomNumberGenerator) {
    guard refreshes < 4 else { return nextRefresh = expiry }
    let permille = 800 + 50 * refreshes + Int.random(in: 0..<20, using: &random)
    nextRefresh = received + (expiry - received) * permille / 1_000
  }
}
