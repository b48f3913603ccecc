import JSONLines
import SyncCore
import Testing

/// Stores that were restored or compacted.
@Suite struct DialogueRecoveryTests {
  private func session(
    _ a: inout MemoryStore, _ b: inout MemoryStore, _ direction: DialogueSettings.Direction = .both,
    pageLimit: Int = 1, breaksAfter: Int = .max
  ) -> DialoguePipe {
    var pipe = DialoguePipe(a, b, direction: direction, pageLimit: pageLimit, window: 3)
    pipe.breaksAfter = breaksAfter
    pipe.run()
    (a, b) = (pipe.sides[0].store, pipe.sides[1].store)
    return pipe
  }

  @Test func aRestoredStoreLosesNothing() {
    for isConnector in [true, false] {
      var (a, b) = (MemoryStore("a", seed: 1), MemoryStore("b", seed: 2))
      a.write("k", "first", at: 1)
      _ = session(&a, &b)
      let backup = a
      a.write("new", "after the backup", at: 2)
      _ = session(&a, &b)
      b.write("other", "of b", at: 3)
      a = backup
      a.reseed(77)
      // Another history at the same sequence.
      a.write("different", "after the restore", at: 4)
      let pipe = isConnector ? session(&b, &a) : session(&a, &b)
      #expect(pipe.rows.contains(.foreign))
      #expect(a.live == b.live, "connector \(isConnector)")
      #expect(a.live.count == 4)
    }
  }

  @Test(arguments: [0, 1])
  func twoRestoredStoresComeTogether(connector: Int) {
    var stores = [MemoryStore("a", seed: 1), MemoryStore("b", seed: 2)]
    func meet(_ connector: Int) -> DialoguePipe {
      var (own, other) = (stores[connector], stores[1 - connector])
      let pipe = session(&own, &other)
      (stores[connector], stores[1 - connector]) = (own, other)
      return pipe
    }
    let backups = stores
    stores[0].write("k", "of a", at: 1)
    stores[1].write("l", "of b", at: 1)
    _ = meet(0)
    let late = stores
    stores[0].write("m", "of a, later", at: 2)
    _ = meet(0)
    // Each has what the other has lost.
    stores = [late[0], backups[1]]
    for index in 0..<2 { stores[index].reseed(UInt64(70 + index)) }
    stores[0].write("x", "after the restore", at: 3)
    stores[1].write("y", "after the restore", at: 3)
    let pipe = meet(connector)
    #expect(pipe.ends == [.done(setAside: 0), .done(setAside: 0)])
    #expect(stores[0].live == stores[1].live)
    #expect(stores[0].live.count == 4)
  }

  /// Changes that the other side has lost stay, and return to it once it has read them.
  @Test(arguments: 1...3) func pullAloneReadsAnewAfterAForeignToken(pageLimit: Int) {
    var (a, b) = (MemoryStore("a", seed: 1), MemoryStore("b", seed: 2))
    a.write("k", "first", at: 1)
    let backup = a
    a.write("lost", "after the backup", at: 2)
    _ = session(&b, &a, pageLimit: pageLimit)
    a = backup
    a.reseed(77)
    for name in ["k", "m", "n"] { a.write(name, "after the restore", at: 3) }
    let pipe = session(&b, &a, .pull, pageLimit: pageLimit)
    #expect(pipe.ends[0] == .done(setAside: 0))
    #expect(pipe.rows.contains(.disownedAlone))
    #expect(b.live.count == 4)
    #expect(Set(a.live).isSubset(of: b.live))
    a.write("o", "later", at: 4)
    let second = session(&b, &a, .pull, pageLimit: pageLimit)
    #expect(!second.rows.contains(.disownedAlone))
    _ = session(&b, &a, pageLimit: pageLimit)
    #expect(a.live == b.live)
    #expect(a.live.count == 5)
  }

  /// A deletion whose tombstone was removed by compaction still arrives, and new records on the other side
  /// stay.
  @Test(arguments: 0..<30)
  func anExpiredTokenRemoves(breaksAfter: Int) {
    var (a, b) = (MemoryStore("a", seed: 1), MemoryStore("b", seed: 2))
    for name in ["k", "l", "m"] { a.write(name, "first", at: 1) }
    _ = session(&a, &b)
    _ = session(&a, &b)
    a.write("k", nil, at: 3)
    // As if b had been retired: its ack no longer delays the compaction.
    var other = MemoryStore("c", seed: 3)
    _ = session(&other, &a)
    a.compact(peers: ["c"])
    b.write("mine", "of b", at: 4)
    _ = session(&b, &a, breaksAfter: breaksAfter)
    let pipe = session(&b, &a)
    #expect(pipe.ends == [.done(setAside: 0), .done(setAside: 0)])
    #expect(a.live == b.live)
    #expect(a.live.count == 3)
    #expect(!b.live.contains { $0.contains(#""id":"k""#) })
  }

  /// The token belongs to the lost history, so it does not show which deletions were compacted since.
  @Test func aDeletionArrivesThoughTheTokenIsForeign() {
    var (a, b) = (MemoryStore("a", seed: 1), MemoryStore("b", seed: 2))
    for name in ["k", "l"] { b.write(name, "of b", at: 1) }
    _ = session(&a, &b)
    let backup = a
    a.write("lost", "after the backup", at: 2)
    _ = session(&b, &a)
    a = backup
    a.reseed(77)
    a.write("k", nil, at: 3)
    var other = MemoryStore("c", seed: 3)
    _ = session(&other, &a)
    a.compact(peers: ["c"])
    let pipe = session(&b, &a)
    #expect(pipe.rows.contains(.foreign))
    #expect(a.live == b.live)
    #expect(b.live.count == 2, "l, and what a has lost")
  }

  /// Records that the other side has in quarantine are not removed here.
  @Test func quarantinedKeysStay() {
    var (a, b) = (MemoryStore("a", seed: 1), MemoryStore("b", seed: 2))
    for name in ["k", "l"] { a.write(name, "first", at: 1) }
    _ = session(&a, &b)
    _ = session(&a, &b)
    a.write("k", nil, at: 3)
    var other = MemoryStore("c", seed: 3)
    _ = session(&other, &a)
    a.compact(peers: ["c"])
    a.quarantinedKeys = [#"["E",{"id":"k"}]"#]
    _ = session(&b, &a, .pull)
    #expect(b.live.count == 2)
  }

  @Test func aStoreInUseIsTriedAgain() {
    var (a, b) = (MemoryStore("a", seed: 1), MemoryStore("b", seed: 2))
    b.isBusy = true
    let pipe = session(&a, &b)
    #expect(pipe.ends == [.peerError(PeerError(.busy, "the store is in use")), .busy])
    #expect(pipe.ends.map { $0?.status } == [75, 75])
  }

  /// Writes, deletions, breaks, restores and compactions in any order; then sessions until nothing is new.
  @Test(arguments: 0..<150 as Range<UInt64>)
  func everythingConvergesInTheEnd(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var stores = [MemoryStore("a", seed: seed), MemoryStore("b", seed: seed + 1_000)]
    var backups: [Int: MemoryStore] = [:]
    for time in 1...20 {
      let device = Int.random(in: 0..<2, using: &random)
      let name = ["k", "l", "m"].randomElement(using: &random)!
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: stores[device].write(name, "\(device) \(time)", at: time)
      case 4: stores[device].write(name, nil, at: time)
      case 5..<8:
        var (own, other) = (stores[device], stores[1 - device])
        let cut = Bool.random(using: &random) ? Int.max : Int.random(in: 0..<12, using: &random)
        _ = session(&own, &other, breaksAfter: cut)
        (stores[device], stores[1 - device]) = (own, other)
      case 8: stores[device].compact(peers: [stores[1 - device].id])
      default:
        if let backup = backups[device], Bool.random(using: &random) {
          stores[device] = backup
          stores[device].reseed(seed &+ UInt64(time) &* 7_919)
        } else {
          backups[device] = stores[device]
        }
      }
    }
    for _ in 0..<4 {
      var (a, b) = (stores[0], stores[1])
      let pipe = session(&a, &b)
      #expect(pipe.ends == [.done(setAside: 0), .done(setAside: 0)], "seed \(seed)")
      stores = [a, b]
    }
    #expect(stores[0].live == stores[1].live, "seed \(seed)")
  }
}
