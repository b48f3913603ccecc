import JSONLines
@testable import Store
import SyncCore
import TestSupport
import Testing

/// How many lines are put into quarantine, which are refused then, and which are checked again.
@Suite(.onEveryEngine) struct QuarantineTests {
  private let store: TestStore
  private var peer: PeerStore

  init() throws {
    let store = try TestStore()
    store.now = Instant("2025-05-01T00:00:00Z")!
    self.store = store
    peer = PeerStore(store.store, store.shape, maximumDrift: .seconds(300)) { store.now }
  }

  private func page(_ lines: [String], _ token: UInt8, hasMore: Bool = false) -> ReceivedPage {
    var page = ReceivedPage(lines: lines.flatMap { Array($0.utf8) + [10] }, token: [token])
    page.hasMore = hasMore
    return page
  }

  private func count(_ name: String) throws -> Int { try store.store.quarantineCount(of: store.peer(name)) }

  // MARK: The limit

  private static let ahead = (0..<QuarantineLimit.rows).map { TestStore.line($0, "a", 9) }
  /// As many as there is room for; fewer in PostgreSQL, which takes seconds for them before it knows the table.
  private static var many: [String] { TestEngine.isFile ? ahead : Array(ahead.prefix(1_000)) }

  @Test mutating func aPageThatDoesNotFitIsRefusedWholeAndThoseBeforeItStay() throws {
    #expect(
      try peer.apply(page(Self.ahead, 1, hasMore: true), fromPeer: "phone")
        == .applied(quarantined: QuarantineLimit.rows))
    let more = page([TestStore.line(-1, "b", 1), TestStore.line(-2, "b", 9)], 2)
    #expect(try peer.apply(more, fromPeer: "phone") == .quarantineFull)
    #expect(peer.refusal == .quarantineFull(peer: "phone"))
    #expect(try peer.checkpoint(onPeer: "phone") == [1], "the page is asked for again")
    #expect(try store.lines == [] && count("phone") == QuarantineLimit.rows)
    let good = page([TestStore.line(-1, "b", 1)], 3)
    #expect(try peer.apply(good, fromPeer: "phone") == .applied(quarantined: 0))
  }

  @Test mutating func whatIsThereAlreadyNeedsNoRoomAndEachPeerHasItsOwn() throws {
    _ = try peer.apply(page(Self.many, 1), fromPeer: "phone")
    #expect(
      try peer.apply(page(Self.many, 2), fromPeer: "phone")
        == .applied(quarantined: Self.many.count, isIdle: true))
    #expect(try peer.apply(page([Self.ahead[0]], 1), fromPeer: "tablet") == .applied(quarantined: 1))
    #expect(try count("phone") == Self.many.count && count("tablet") == 1)
  }

  /// A peer that sends the line again and again is not asked again at once.
  @Test mutating func whatIsThereAlreadyMovesNothing() throws {
    let line = TestStore.line(1, "a", 9)
    #expect(try peer.apply(page([line], 1), fromPeer: "phone") == .applied(quarantined: 1))
    #expect(try peer.apply(page([line], 2), fromPeer: "phone") == .applied(quarantined: 1, isIdle: true))
    let both = page([line, TestStore.line(2, "b", 9)], 3)
    #expect(try peer.apply(both, fromPeer: "phone") == .applied(quarantined: 2))
  }

  @Test mutating func bytesAreLimitedToo() throws {
    let lines = (0..<3).map { TestStore.line($0, String(repeating: "x", count: 6 << 20), 9) }
    #expect(try peer.apply(page([lines[0], lines[1]], 1), fromPeer: "phone") == .applied(quarantined: 2))
    #expect(try peer.apply(page([lines[2]], 2), fromPeer: "phone") == .quarantineFull)
    #expect(try store.store.write { try store.store.dropQuarantined(1) })
    #expect(try peer.apply(page([lines[2]], 2), fromPeer: "phone") == .applied(quarantined: 1))
  }

  @Test mutating func whatTheStoreHasAlreadyIsNotAhead() throws {
    let line = TestStore.line(1, "a", 9)
    try store.put(line)
    #expect(try peer.apply(page([line], 1), fromPeer: "phone") == .applied(quarantined: 0, isIdle: true))
    #expect(
      try peer.apply(page([TestStore.line(1, "b", 9)], 2), fromPeer: "phone") == .applied(quarantined: 1))
  }

  /// A person who has listed the lines must not drop another line by a number.
  @Test mutating func noNumberIsUsedAgain() throws {
    for number in Int64(1)...3 {
      _ = try peer.apply(page([TestStore.line(Int(number), "a", 9)], UInt8(number)), fromPeer: "phone")
      #expect(try store.store.quarantined().map(\.number) == [number])
      #expect(try store.store.write { try store.store.dropQuarantined(number) })
    }
  }

  /// Nobody has to act if wrong clocks were the only fault.
  @Test mutating func whatIsDueMakesRoomBeforeAnyPage() throws {
    _ = try peer.apply(page(Self.many, 1, hasMore: true), fromPeer: "phone")
    store.now = Instant("2025-05-10T00:00:00Z")!
    let next = page([TestStore.line(-2, "b", 20)], 2, hasMore: true)
    #expect(try peer.apply(next, fromPeer: "phone") == .applied(quarantined: 1))
    #expect(try count("phone") == 1 && store.lines.count == Self.many.count)
  }

  /// The number of deletions in an answer is known at its end.
  @Test mutating func deletionsLeaveQuarantineWithTheLastPageOnly() throws {
    try store.put(TestStore.line(1, "a", 1))
    _ = try peer.apply(page([TestStore.delete(1, 9)], 1), fromPeer: "phone")
    store.now = Instant("2025-05-10T00:00:00Z")!
    _ = try peer.apply(page([TestStore.line(2, "b", 2)], 2, hasMore: true), fromPeer: "phone")
    #expect(try count("phone") == 1)
    _ = try peer.apply(page([], 3), fromPeer: "phone")
    #expect(try count("phone") == 0 && store.lines.contains(TestStore.delete(1, 9)))
  }

  /// They would follow the changes of the page, but the page does not fit.
  @Test mutating func deletionsThatAreDueMakeRoomForTheNextAttempt() throws {
    try store.put(TestStore.line(1, "a", 1), TestStore.line(2, "a", 1))
    let text = String(repeating: "x", count: 7 << 20)
    let deletions = [1, 2].map { "\(TestStore.delete($0, 9).dropLast()),\"note\":\"\(text)\"}" }
    #expect(try peer.apply(page(deletions, 1), fromPeer: "phone") == .applied(quarantined: 2))
    store.now = Instant("2025-05-10T00:00:00Z")!
    let next = page([TestStore.line(3, String(repeating: "x", count: 3 << 20), 20)], 2)
    #expect(try peer.apply(next, fromPeer: "phone") == .quarantineFull)
    #expect(try store.store.live == 0 && count("phone") == 0)
    #expect(peer.tally.received == 2)
    #expect(try peer.apply(next, fromPeer: "phone") == .applied(quarantined: 1))
  }

  // MARK: The amount of work

  /// The line is overwritten, so that reading it throws.
  @Test mutating func aLineThatCannotBeDueIsNotRead() throws {
    let noKey = #"{"title":1}"#
    _ = try peer.apply(page([TestStore.line(1, "a", 9), noKey], 1), fromPeer: "phone")
    try store.store.database.statement("UPDATE quarantine SET line = ?1").bind(1, Array(#"{"tutle":1}"#.utf8))
      .run()
    #expect(try peer.apply(page([], 2), fromPeer: "phone") == .applied(quarantined: 0, isIdle: true))
    store.now = Instant("2025-05-10T00:00:00Z")!
    #expect(throws: StoreError.corrupt("quarantined line 1: the checksum does not match")) {
      try peer.apply(page([], 3), fromPeer: "phone")
    }
  }

  @Test mutating func otherRulesMayReadWhatWasNoChangeBefore() throws {
    let line =
      #"{"entityName":"","identity":{"id":1},"modifiedAt":null,"fields":{"status":"done","completedAt":"soon"}}"#
    let profile = Array(#"{"entities":{"*":{"rule":"terminal","terminal":["done"]}}}"#.utf8)
    store.shape.profile = try Profile(parsing: profile.span)
    peer = PeerStore(store.store, store.shape, maximumDrift: .seconds(300)) { [store] in store.now }
    #expect(try peer.apply(page([line], 1), fromPeer: "phone") == .applied(quarantined: 1))
    store.shape = RecordShape()
    try store.store.write { try store.store.setRules(store.shape) }
    peer = PeerStore(store.store, store.shape, maximumDrift: .seconds(300)) { [store] in store.now }
    _ = try peer.apply(page([], 2), fromPeer: "phone")
    #expect(try count("phone") == 0 && store.lines.count == 1)
  }

  /// A peer can make any number of lines with the same CRC-32, which is linear.
  @Test mutating func linesOfOneChecksumAreToldApartWithoutReadingEachOther() throws {
    // Fewer in PostgreSQL, where the plan is not looked at.
    let bits = TestEngine.isFile || Tries.isSoak ? 12 : 8
    let lines = Self.collisions(bits)
    #expect(Set(lines).count == 1 << bits)
    #expect(Set(lines.map { QuarantinedLine.checksum(of: Array($0.utf8).span) }).count == 1)
    _ = try peer.apply(page(lines, 1), fromPeer: "phone")
    #expect(try count("phone") == 1 << bits)
    guard TestEngine.isFile else { return }
    var plan: [String] = []
    try store.store.database.statement(
      "EXPLAIN QUERY PLAN SELECT 1 FROM quarantine WHERE peer = 1 AND line = x''"
    ).forEachRow { plan.append($0.text(3)) }
    #expect(plan == ["SEARCH quarantine USING COVERING INDEX quarantineByLine (peer=? AND line=?)"])
  }

  /// 2^n lines with one checksum: of ten bytes with five bits each that may be flipped, 32 bits determine the
  /// checksum.
  private static func collisions(_ count: Int) -> [String] {
    func text(_ mask: UInt64) -> String {
      let bytes = (0..<10).map { UInt8(0x60 | mask >> ($0 * 5) & 0x1F) }
      return #"{"x":""# + String(decoding: bytes, as: UTF8.self) + "\"}"
    }
    func checksum(_ mask: UInt64) -> Int64 { QuarantinedLine.checksum(of: Array(text(mask).utf8).span) }
    var (pivots, silent): ([(effect: Int64, mask: UInt64)], [UInt64]) = ([], [])
    for bit in 0..<50 {
      var (effect, mask) = (checksum(1 << bit) ^ checksum(0), UInt64(1) << bit)
      for pivot in pivots where effect ^ pivot.effect < effect {
        effect ^= pivot.effect
        mask ^= pivot.mask
      }
      if effect == 0 { silent.append(mask) } else { pivots.append((effect, mask)) }
    }
    var masks: [UInt64] = [0]
    for mask in silent.prefix(count) { masks += masks.map { $0 ^ mask } }
    return masks.map(text)
  }
}
