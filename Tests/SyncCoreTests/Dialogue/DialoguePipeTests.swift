import Captures
import JSONLines
import SyncCore
import Testing

@Suite struct DialoguePipeTests {
  /// The findings of `frame check` in the complete exchange.
  private func findings(_ pipe: DialoguePipe, pageLimit: Int = 4 << 20) -> [String] {
    var limits = ConversationCheck.Limits()
    limits.page = pageLimit
    var check = ConversationCheck(limits)
    return pipe.sent.flatMap { said in
      check.check(said.line.span, 0..<said.line.count).map { "\($0.code.rawValue): \($0.message)" }
    }
  }

  private func stores() -> (phone: MemoryStore, mac: MemoryStore) {
    var (phone, mac) = (MemoryStore("phone", seed: 1), MemoryStore("mac", seed: 2))
    for index in 0..<4 { phone.write("p\(index)", "phone", at: index) }
    for index in 0..<3 { mac.write("m\(index)", "mac", at: index) }
    phone.write("both", "older", at: 5)
    mac.write("both", "newer", at: 6)
    mac.write("gone", "here", at: 1)
    phone.write("gone", nil, at: 7)
    return (phone, mac)
  }

  private let expected = ["both", "m0", "m1", "m2", "p0", "p1", "p2", "p3"]

  @Test(arguments: [1, 200, 4 << 20], [1, 2, 4])
  func bothWaysConverge(pageLimit: Int, window: Int) {
    let (phone, mac) = stores()
    var pipe = DialoguePipe(phone, mac, pageLimit: pageLimit, window: window)
    pipe.run()
    #expect(pipe.ends == [.done(setAside: 0), .done(setAside: 0)])
    #expect(pipe.sides[0].store.live == pipe.sides[1].store.live)
    #expect(pipe.sides[0].store.live.count == expected.count)
    #expect(pipe.sides[0].store.live.contains { $0.contains("newer") })
    #expect(findings(pipe, pageLimit: pageLimit) == [])
  }

  @Test func pagesOfOneLineAreOnePageALine() {
    let (phone, mac) = stores()
    var pipe = DialoguePipe(phone, mac, direction: .pull, pageLimit: 1)
    pipe.run()
    let responses = pipe.sent.filter { String(decoding: $0.line, as: UTF8.self).contains("syncResponse") }
    #expect(responses.count == 5)
  }

  /// A page is sent before the one before it is acknowledged, and no more of them than the window allows.
  @Test(arguments: [2, 4])
  func pagesAreSentAhead(window: Int) {
    let (phone, mac) = stores()
    var pipe = DialoguePipe(phone, mac, direction: .pull, pageLimit: 1, window: window)
    pipe.run()
    let kinds = pipe.sent.map { (try? Message(parsing: $0.line.span))?.kind }
    #expect(kinds.prefix(window + 1) == [.syncRequest] + Array(repeating: .syncResponse, count: window))
    #expect(kinds[window + 1] == .ack)
    #expect(kinds.count { $0 == .syncRequest } == 1)
    #expect(pipe.sides[0].store.live.count == expected.count)
  }

  /// Few large records must not fill the memory of a side whose peer does not read.
  @Test func aLargeRecordIsAcknowledgedBeforeTheNextPage() {
    var (phone, mac) = (MemoryStore("phone", seed: 1), MemoryStore("mac", seed: 2))
    let large = String(repeating: "x", count: DialogueSettings.loopPage)
    for (index, text) in ["a", "b", large, large, "c", "d"].enumerated() {
      mac.write("m\(index)", text, at: index)
    }
    var pipe = DialoguePipe(phone, mac, direction: .pull, pageLimit: 1, window: 4)
    pipe.run()
    #expect(pipe.sides[0].store.live == mac.live)
    let kinds = pipe.sent.map { said in
      said.line.count > DialogueSettings.loopPage ? "large" : said.side == 0 ? "requester" : "page"
    }
    #expect(
      kinds == [
        "requester", "page", "page", "large", "requester", "requester", "requester", "large", "requester",
        "page", "page", "requester",
        "requester",
      ])
    #expect(findings(pipe, pageLimit: 1) == [])
  }

  /// Changes that were exchanged once are not exchanged again.
  @Test func aSecondSessionSaysNothing() {
    let (phone, mac) = stores()
    var first = DialoguePipe(phone, mac)
    first.run()
    var second = DialoguePipe(first.sides[0].store, first.sides[1].store)
    second.run()
    let texts = second.sent.map { String(decoding: $0.line, as: UTF8.self) }
    // The newer line has lost nothing and is sent back to nobody.
    #expect(texts.filter { $0.contains("\"changes\":[{") }.count <= 1)
    #expect(second.sides[0].store.live == second.sides[1].store.live)
  }

  @Test func pullOnlyPulls() {
    let (phone, mac) = stores()
    var pipe = DialoguePipe(phone, mac, direction: .pull)
    pipe.run()
    #expect(pipe.ends == [.done(setAside: 0), .done(setAside: 0)])
    #expect(pipe.sides[1].store.live == mac.live)
    #expect(pipe.sides[0].store.live.count == expected.count)
    #expect(findings(pipe) == [])
  }

  @Test func pushOnlyPushes() {
    let (phone, mac) = stores()
    var pipe = DialoguePipe(phone, mac, direction: .push)
    pipe.run()
    #expect(pipe.ends == [.done(setAside: 0), .done(setAside: 0)])
    #expect(pipe.sides[0].store.live == phone.live)
    #expect(pipe.sides[1].store.live.count == expected.count)
    #expect(findings(pipe) == [])
  }

  /// Version 1 pulls only: each side once as the connector.
  @Test func version1InOneResponse() {
    let (phone, mac) = stores()
    var there = DialoguePipe(phone, mac, direction: .pull, version: .one, pageLimit: 1)
    there.run()
    #expect(there.ends == [.done(setAside: 0), .done(setAside: 0)])
    #expect(there.sent.count == 3)
    #expect(findings(there) == [])
    var back = DialoguePipe(there.sides[1].store, there.sides[0].store, direction: .pull, version: .one)
    back.run()
    #expect(back.sides[0].store.live == back.sides[1].store.live)
    #expect(back.sides[0].store.live.count == expected.count)
  }

  /// The accepting side asks too, over the same connection.
  @Test func version1BothWays() {
    let (phone, mac) = stores()
    var pipe = DialoguePipe(phone, mac, version: .one)
    pipe.run()
    #expect(pipe.ends == [.done(setAside: 0), .done(setAside: 0)])
    #expect(pipe.sent.map(\.side) == [0, 1, 0, 1, 0, 1])
    #expect(pipe.sides[0].store.live == pipe.sides[1].store.live)
    #expect(pipe.sides[0].store.live.count == expected.count)
    #expect(findings(pipe) == [])
  }

  /// The connection breaks before each message in turn; the next session completes everything.
  @Test(arguments: [1, 300], [(ProtocolVersion.one, 1), (.two, 1), (.two, 3)])
  func everyInterruptionIsMended(pageLimit: Int, form: (version: ProtocolVersion, window: Int)) {
    let (phone, mac) = stores()
    let version = form.version
    let direction: DialogueSettings.Direction = version == .one ? .pull : .both
    var whole = DialoguePipe(
      phone, mac, direction: direction, version: version, pageLimit: pageLimit, window: form.window)
    whole.run()
    for count in 0..<whole.sent.count {
      var cut = DialoguePipe(
        phone, mac, direction: direction, version: version, pageLimit: pageLimit, window: form.window)
      cut.breaksAfter = count
      cut.run()
      #expect(cut.ends[0] != .done(setAside: 0) || count == whole.sent.count - 1)
      var again = DialoguePipe(
        cut.sides[0].store, cut.sides[1].store, direction: direction, version: version, pageLimit: pageLimit)
      again.run()
      #expect(again.ends[0] == .done(setAside: 0))
      #expect(again.sides[0].store.live == whole.sides[0].store.live, "cut after \(count)")
      #expect(again.sides[1].store.live == whole.sides[1].store.live, "cut after \(count)")
    }
  }

  // MARK: Following

  /// Makes a change as soon as both sides wait, and stops the following side two turns later.
  private func run(_ pipe: inout DialoguePipe, change: @escaping (inout DialoguePipe) -> Void) {
    var turns = 0
    pipe.onIdle = { pipe in
      turns += 1
      if turns == 1 { change(&pipe) } else if turns == 3 { pipe.deliver(.stop, to: 0) }
    }
    pipe.run()
    #expect(pipe.ends == [.stopped, .done(setAside: 0)])
    #expect(findings(pipe) == [])
  }

  @Test func aChangeEndsTheWait() {
    let (phone, mac) = stores()
    var pipe = DialoguePipe(phone, mac, direction: .pull, waitSeconds: 60)
    run(&pipe) { pipe in
      pipe.sides[1].store.write("late", "mac", at: 50)
      pipe.deliver(.changed, to: 1)
    }
    #expect(pipe.sides[0].store.live.contains { $0.contains("late") })
    #expect(pipe.rows.isSuperset(of: [.wait, .changed, .giveAgain, .waitOver, .askAgain, .waitClosed]))
  }

  @Test func ownChangesTakeTheTurn() {
    let (phone, mac) = stores()
    var pipe = DialoguePipe(phone, mac, waitSeconds: 60)
    run(&pipe) { pipe in
      pipe.sides[0].store.write("late", "phone", at: 50)
      pipe.deliver(.changed, to: 0)
    }
    #expect(pipe.sides[1].store.live.contains { $0.contains("late") })
    #expect(pipe.rows.isSuperset(of: [.yieldWaiting, .waitYielded]))
  }

  /// Both sides have news at the same moment: the turn is passed on while the page is on its way.
  @Test func changesOnBothSidesCross() {
    let (phone, mac) = stores()
    var pipe = DialoguePipe(phone, mac, waitSeconds: 60)
    run(&pipe) { pipe in
      for side in 0..<2 { pipe.sides[side].store.write("late\(side)", "new", at: 50) }
      for side in 0..<2 { pipe.deliver(.changed, to: side) }
    }
    #expect(pipe.sides[0].store.live == pipe.sides[1].store.live)
    #expect(pipe.sides[0].store.live.count == expected.count + 2)
    #expect(pipe.rows.contains(.crossed))
  }
}
