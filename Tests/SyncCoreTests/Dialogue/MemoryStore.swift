import JSONLines
import SyncCore

/// A store with the properties that docs/formats/dialogue.md requires, in dictionaries.
struct MemoryStore: DialogueStore {
  struct Row: Equatable {
    var line: [UInt8]
    var origin: String?
    var sequence: Int
  }

  let id: String
  private(set) var rows: [[UInt8]: Row] = [:]
  private(set) var sequence = 0
  /// The random mark of the commit at each sequence.
  private var marks = [0: UInt64(0)]
  private(set) var compactionLine = 0
  private var acks: [String: [UInt8]] = [:]
  private(set) var checkpoints: [String: [UInt8]] = [:]
  private var resync: (facts: ResyncFacts, keys: Set<[UInt8]>)?
  private var random: SplitMix64
  private var reader = ChangeReader(RecordShape())
  /// Answers that do not come from the data.
  var isBusy = false
  var quarantinedKeys: [String] = []

  init(_ id: String, seed: UInt64 = 1) {
    self.id = id
    random = SplitMix64(seed: seed)
  }

  // MARK: DialogueStore

  func checkpoint(onPeer peer: String) -> [UInt8]? { checkpoints[peer] }
  func acknowledged(byPeer peer: String) -> [UInt8]? { acks[peer] }

  func page(_ request: PageRequest, forPeer peer: String) -> PageAnswer {
    if isBusy { return .busy }
    var begin = (sequence: 0, complete: true, since: sequence)
    if let since = request.since {
      guard let token = MemoryToken(since), isOwn(token) else { return .tokenForeign }
      if (token.began ?? token.sequence) < compactionLine { return .tokenExpired }
      begin = (token.sequence, token.began != nil, token.began ?? 0)
    }
    let isEcho =
      request.tellsNoAck ? request.since != nil : request.acked != nil && request.acked == checkpoints[peer]
    let later = rows.values.filter { row in
      row.sequence > begin.sequence && !(isEcho && row.origin == peer)
    }.sorted { $0.sequence < $1.sequence }
    var page = StorePage(lines: [], token: [])
    var (count, end) = (0, sequence)
    for row in later {
      if let limit = request.limit, count > 0, page.lines.count + row.line.count + 1 > limit { break }
      page.lines += row.line + [10]
      count += 1
      end = row.sequence
    }
    page.hasMore = count < later.count
    if !page.hasMore { end = sequence }
    page.token = token(at: end, began: begin.complete && page.hasMore ? begin.since : nil)
    if request.isResync {
      page.resync = ResyncFacts(heldToken: checkpoints[peer] ?? [], quarantinedKeys: quarantinedKeys)
    }
    return .page(page)
  }

  mutating func apply(_ page: ReceivedPage, fromPeer peer: String) -> ApplyAnswer {
    if isBusy { return .busy }
    let lines = page.lines.split(separator: 10).map { Array($0) }
    for line in lines { merge(line, from: peer) }
    switch page.mode {
    case .merge: break
    case .resync(let facts): remember(lines, facts)
    case .resyncEnd(let facts):
      remember(lines, facts)
      removeAbsent(from: peer)
    }
    if case .resync = page.mode {} else if !page.token.isEmpty { checkpoints[peer] = page.token }
    return .applied(quarantined: page.unusable.count)
  }

  mutating func acknowledge(_ token: [UInt8], byPeer peer: String) { acks[peer] = token }

  mutating func disownChanges(fromPeer peer: String) {
    let theirs = rows.filter { $0.value.origin == peer }.sorted { $0.value.sequence < $1.value.sequence }
    for (key, row) in theirs { put(row.line, key, origin: nil) }
  }

  // MARK: Merging

  private mutating func merge(_ line: [UInt8], from peer: String) {
    let key = reader.key(of: line.span)
    guard let row = rows[key] else { return put(line, key, origin: peer) }
    let new = reader.change(line.span)
    let order = MergeOrder.compare(new, line.span, reader.change(row.line.span), row.line.span).order
    if order > 0 { return put(line, key, origin: peer) }
    guard order < 0 else { return }
    rows[key]?.origin = nil
    if row.sequence <= ackedSequence(by: peer) { put(row.line, key, origin: nil) }
  }

  private mutating func remember(_ lines: [[UInt8]], _ facts: ResyncFacts?) {
    if let facts { resync = (facts, []) }
    for line in lines { resync?.keys.insert(reader.key(of: line.span)) }
  }

  private mutating func removeAbsent(from peer: String) {
    guard let (facts, keys) = resync else { return }
    resync = nil
    let held = MemoryToken(facts.heldToken).map { isOwn($0) ? $0.sequence : 0 } ?? 0
    let limit = min(held, ackedSequence(by: peer))
    for (key, row) in rows where row.sequence <= limit && !keys.contains(key) {
      if facts.quarantinedKeys.contains(String(decoding: key, as: UTF8.self)) { continue }
      let change = reader.change(row.line.span)
      if !change.isTombstone { delete(key, at: change.clock, origin: peer) }
    }
  }

  private mutating func put(_ line: [UInt8], _ key: [UInt8], origin: String?) {
    sequence += 1
    marks[sequence] = random.next() >> 1
    rows[key] = Row(line: line, origin: origin, sequence: sequence)
  }

  // MARK: Operations of the tests

  /// A restored store does not draw its earlier marks again.
  mutating func reseed(_ seed: UInt64) { random = SplitMix64(seed: seed) }

  /// A local write at a time in seconds; nil as the text deletes.
  mutating func write(_ name: String, _ text: String?, at seconds: Int) {
    let key = Array("[\"E\",{\"id\":\"\(name)\"}]".utf8)
    var clock = Instant(seconds: Int64(1_767_225_600 + seconds))!
    if let row = rows[key], let old = reader.change(row.line.span).clock, old >= clock {
      clock = old.advanced(by: .seconds(1))
    }
    guard let text else { return delete(key, at: clock, origin: nil) }
    let line =
      #"{"entityName":"E","identity":{"id":"\#(name)"},"modifiedAt":"\#(clock.description.prefix(19))Z","#
      + #""version":1,"fields":{"text":"\#(text)"}}"#
    put(Array(line.utf8), key, origin: nil)
  }

  private mutating func delete(_ key: [UInt8], at clock: Instant?, origin: String?) {
    let identity = String(decoding: key.dropFirst(5).dropLast(), as: UTF8.self)
    let time = (clock ?? Instant(seconds: 0)!).advanced(by: origin == nil ? .zero : .milliseconds(1))
    let shown = origin == nil ? "\(time.description.prefix(19))Z" : time.description
    let line = #"{"entityName":"E","identity":\#(identity),"deletedAt":"\#(shown)"}"#
    put(Array(line.utf8), key, origin: origin)
  }

  /// Removes tombstones that these peers have read.
  mutating func compact(peers: [String]) {
    let line = peers.map { ackedSequence(by: $0) }.min() ?? 0
    for (key, row) in rows where row.sequence <= line && reader.change(row.line.span).isTombstone {
      compactionLine = max(compactionLine, row.sequence)
      rows[key] = nil
    }
  }

  /// The lines of records that are not deleted.
  var live: [String] {
    var reader = reader
    return rows.values.map(\.line).filter { !reader.change($0.span).isTombstone }
      .map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  // MARK: Tokens

  private func token(at sequence: Int, began: Int?) -> [UInt8] {
    MemoryToken(store: id, sequence: sequence, mark: marks[sequence] ?? 0, began: began).bytes
  }

  private func isOwn(_ token: MemoryToken) -> Bool {
    token.store == id && marks[token.sequence] == token.mark
  }

  private func ackedSequence(by peer: String) -> Int {
    guard let token = acks[peer].flatMap(MemoryToken.init), isOwn(token) else { return 0 }
    return token.sequence
  }
}

/// The content of a ``MemoryStore``'s tokens.
struct MemoryToken {
  var store: String
  var sequence: Int
  var mark: UInt64
  /// The store's sequence when a complete answer began.
  var began: Int?

  init(store: String, sequence: Int, mark: UInt64, began: Int?) {
    self.store = store
    self.sequence = sequence
    self.mark = mark
    self.began = began
  }

  init?(_ bytes: [UInt8]) {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":")
    guard parts.count >= 3, let sequence = Int(parts[1]), let mark = UInt64(parts[2]) else { return nil }
    self.init(
      store: String(parts[0]), sequence: sequence, mark: mark, began: parts.count > 3 ? Int(parts[3]) : nil)
  }

  var bytes: [UInt8] {
    Array("\(store):\(sequence):\(mark)\(began.map { ":\($0)" } ?? "")".utf8)
  }
}
