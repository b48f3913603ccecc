import Foundation
import SyncCore
import Testing

/// The table in docs/formats/dialogue.md and the dialogue agree.
@Suite struct DialogueTableTests {
  private typealias Walked = DialogueScenario.Walked

  private static let document = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../docs/formats/dialogue.md")

  /// `row | in | on | sends | wants | then`.
  private func table() throws -> [Walked] {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 6, cells[0].hasPrefix("`") else { return nil }
      let names = cells.map { $0.replacing("`", with: "") }
      return Walked(row: names[0], from: names[1], sends: names[3], wants: names[4], to: names[5])
    }
  }

  private var walked: Set<Walked> { Set(DialogueScenarios.all.flatMap(\.walked)) }

  @Test func everyRowOfTheTableIsWalked() throws {
    let untrodden = try table().filter { row in !walked.contains { matches($0, row) } }
    #expect(untrodden.map(\.description) == [])
  }

  @Test func everyStepIsInTheTable() throws {
    let table = try table()
    let missing = walked.filter { step in !table.contains { matches(step, $0) } }
    #expect(missing.map(\.description).sorted() == [])
  }

  @Test func everyRowHasAScenario() {
    let rows = Set(walked.map(\.row))
    #expect(DialogueRow.allCases.map(\.rawValue).filter { !rows.contains($0) } == [])
  }

  /// If the other side repeats anything without end, this side ends.
  @Test func nobodyIsKeptForEver() {
    let endless = [
      DialogueScenarios.circling, DialogueScenarios.beginningAgain, DialogueScenarios.givingBack,
      DialogueScenarios.givingAgain,
    ]
    #expect(endless.map { $0.steps.last?.next.status } == [76, 76, 76, 76])
    #expect(DialogueScenarios.following.dialogue.state == .awaitsRequest, "who follows goes on")
  }

  /// A turn that has brought nothing takes a second, even if the other side never waits.
  @Test(arguments: [DialogueSettings.Direction.both, .pull])
  func whoAnswersAtOnceIsNotAskedAtOnce(_ direction: DialogueSettings.Direction) {
    let rows = DialogueScenarios.impatient(direction).walked.map(\.row)
    #expect(rows.count { $0 == "rest" } == 2, "the first request does not wait")
    #expect(DialogueScenarios.impatient(direction).steps.contains { $0.next == .rest(seconds: 1) })
  }

  /// After a wait that brought changes, the next request follows at once.
  @Test func afterAWaitNobodyRests() {
    var scenario = DialogueScenarios.impatient(.pull)
    scenario.now = Instant(seconds: 1_767_225_661)!
    scenario.hear(DialogueScenario.response([9], ""))
    scenario.handle(.store(.applied(.applied(quarantined: 0, isIdle: true))))
    scenario.handle(.store(.checkpoint([9])))
    #expect(scenario.walked.last?.row == "ask")
    scenario.hear(DialogueScenario.response([10]))
    scenario.handle(.store(.applied(.applied(quarantined: 0))))
    scenario.handle(.store(.checkpoint([10])))
    #expect(scenario.walked.last?.row == "ask", "nor after what has brought something")
  }

  /// Another session with the same peer may move the checkpoint, even back.
  @Test func withinATurnAPageIsAskedOnFromItsOwnEnd() {
    var scenario = DialogueScenario(.connector(.both))
    scenario.handle(.start)
    scenario.handle(.store(.checkpoint([9])))
    scenario.hear(DialogueScenario.response([1], hasMore: true))
    scenario.handle(.store(.applied(.applied(quarantined: 0))))
    scenario.handle(.store(.checkpoint([9])))
    guard case .syncRequest(let request) = scenario.steps.last?.message?.body else {
      Issue.record("no request")
      return
    }
    #expect(request.since == [1])
  }

  /// The smaller window counts; a request that waits and a resync get one page at a time.
  @Test(arguments: [
    (2, 0, false, true), (9, 0, false, true), (1, 0, false, false), (4, 60, false, false),
    (4, 0, true, false),
  ])
  func aPageIsSentAheadOnlyIfTheAskerAllowsIt(_ form: (window: Int, wait: Int, resync: Bool, isAhead: Bool)) {
    var scenario = DialogueScenario(.acceptor, window: 4)
    scenario.handle(.start)
    guard case .syncRequest(var request) = DialogueScenario.request(window: form.window) else { return }
    (request.waitSeconds, request.resync) = (form.wait, form.resync)
    scenario.hear(.syncRequest(request))
    var sent = 0
    while case .store(.page) = scenario.steps.last?.next {
      sent += 1
      scenario.handle(DialogueScenario.page(hasMore: true, token: [UInt8(sent)]))
    }
    #expect(sent == (form.isAhead ? min(form.window, 4) : 1))
  }

  /// A requester that holds the turn until it has the last page cannot pass it before.
  @Test func aTurnPassedBetweenPagesEndsTheDialogue() {
    var scenario = DialogueScenarios.ahead(2)
    scenario.handle(DialogueScenario.page(token: [8]))
    scenario.hear(DialogueScenario.ack(yourTurn: true), replyTo: DialogueScenario.id(3))
    #expect(scenario.steps.last?.next.status == 76)
  }

  /// A connector answers at once, but the window still has no effect.
  @Test func aConnectorSendsNoPageAheadOfARequestThatMayWait() {
    var scenario = DialogueScenario(.connector(.push), window: 4)
    scenario.handle(.start)
    scenario.hear(DialogueScenario.request(waitSeconds: 60, window: 4))
    scenario.handle(DialogueScenario.page(hasMore: true))
    #expect(scenario.walked.last?.to == "awaitsAck")
  }

  /// An ack may lack the message that it answers, but must not name another.
  @Test(arguments: [[], [7]] as [[UInt8]])
  func anAckInReplyToAnotherMessageEndsTheDialogue(_ token: [UInt8]) {
    var scenario = DialogueScenarios.ahead(2)
    scenario.handle(DialogueScenario.page(token: [8]))
    var silent = scenario
    scenario.hear(DialogueScenario.ack(token), replyTo: DialogueScenario.id(4))
    #expect(scenario.steps.last?.next.status == 76)
    silent.handle(.message(silent.message(DialogueScenario.ack(token))))
    #expect(silent.dialogue.state != .ended)
  }

  /// The first apps repeat a request, and acknowledge each answer; only the ack of the last one is recorded.
  @Test func acksOfAnAnswerThatWasRepeatedAreIgnored() {
    let given = DialogueScenarios.answeredTwice
    #expect(given.walked.suffix(4).map(\.row) == ["ignored", "ackRecorded", "acknowledged", "ignored"])
    #expect(given.steps.suffix(3).first?.next == .store(.acknowledge([8])))
    #expect(given.dialogue.state == .awaitsRequest)
    let asking = DialogueScenarios.answeredTwiceAndAsking
    #expect(asking.walked.last?.row == "ignored" && asking.walked.last?.to == "awaitsResponse")
  }

  /// A page that nobody asked for is not waited for.
  @Test func onlyAnAskerThatAllowsItWaitsForAPageAhead() {
    var scenario = DialogueScenarios.asked()
    scenario.hear(DialogueScenario.response([1], hasMore: true, continues: true))
    scenario.handle(DialogueScenarios.applied)
    #expect(scenario.walked.last?.row == "askOn")
  }

  @Test func thePeerMayWriteItsIdInOtherLetters() {
    var scenario = DialogueScenario(.acceptor)
    scenario.handle(.start)
    let id = DialogueScenario.peer.uppercased()
    scenario.hear(
      .syncRequest(SyncRequest(peerId: id, deviceName: "Phone", rulesDigest: DialogueScenario.rules)))
    #expect(scenario.walked.last?.row == "request")
  }

  /// Only an acceptor lets a request wait.
  @Test func aConnectorAnswersAtOnce() {
    var scenario = DialogueScenario(.connector(.push))
    scenario.handle(.start)
    scenario.hear(DialogueScenario.request(since: [1], waitSeconds: 86_400))
    scenario.handle(DialogueScenario.page(""))
    #expect(scenario.walked.last?.row == "give")
  }

  /// Nobody can occupy a place for a day with one request.
  @Test func anAcceptorLetsARequestWaitForAnHourAtMost() {
    var scenario = DialogueScenario(.acceptor)
    scenario.handle(.start)
    scenario.hear(DialogueScenario.request(since: [1], waitSeconds: 86_400))
    scenario.handle(DialogueScenario.page(""))
    #expect(scenario.steps.last?.next == .awaitChange(seconds: 3_600))
  }

  /// In version 1, a change in its own store does not keep a connector longer.
  @Test func whoLingersDoesNotWaitForChanges() {
    #expect(DialogueScenarios.lingering.steps.last?.next == .rest(seconds: 5))
  }

  /// `any` stands for every state, `same` for the previous state.
  private func matches(_ step: Walked, _ row: Walked) -> Bool {
    step.row == row.row && (row.from == "any" || row.from == step.from) && row.sends == step.sends
      && (row.wants == "as before" || row.wants == step.wants)
      && (row.to == "same" ? step.from : row.to) == step.to
  }
}

extension DialogueStep.Next {
  fileprivate var status: Int32? {
    if case .end(let end) = self { end.status } else { nil }
  }
}
