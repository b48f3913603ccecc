import SyncCore
import Testing

/// Faults in an answer of several pages, of which some are sent before the first is acknowledged.
@Suite struct SeriesFaultTests {
  private typealias Base = ConversationFaultTests

  /// A request, three pages, and their acks, each followed by a further page: pages 4 and 5, then two acks.
  private static let lines = Base.talk("", .pull, pageLimit: 1, window: 3, records: 5).lines
  private static let acks = lines.indices.filter { lines[$0].contains(#""type":"ack""#) }
  private static let pages = lines.indices.filter { lines[$0].contains(#""type":"syncResponse""#) }

  private func change(_ index: Int, _ text: String, to new: String) -> [String] {
    var lines = Self.lines
    #expect(lines[index].contains(text))
    lines[index] = lines[index].replacing(text, with: new)
    return lines
  }

  @Test func theConversationIsAsDescribed() {
    #expect(Self.pages == [1, 2, 3, 5, 7])
    #expect(Self.acks == [4, 6, 8, 9, 10])
    #expect(Base.findings(Self.lines) == [])
  }

  @Test func aMissingAckIsFound() {
    for (missing, next) in zip(Self.acks, Self.acks.dropFirst()) {
      var lines = Self.lines
      lines.remove(at: missing)
      let found = Base.findings(lines)
      let isPage = Self.pages.contains(missing + 1)
      #expect(
        found == [
          isPage
            ? "\(missing): unexpectedMessage: a page beyond the window of its request"
            : "\(next - 1): unexpectedMessage: an ack before the ack of an earlier page"
        ])
    }
  }

  @Test func swappedAcksAreFound() {
    var lines = Self.lines
    lines.swapAt(8, 9)
    #expect(Base.findings(lines) == ["8: unexpectedMessage: an ack before the ack of an earlier page"])
  }

  @Test func aTurnIsPassedAfterTheLastPage() {
    let lines = change(4, #""ackTokenData""#, to: #""yourTurn":true,"ackTokenData""#)
    #expect(Base.findings(lines) == ["4: unexpectedMessage: a turn passed before the last page"])
  }

  @Test func moreThanTheWindowIsFoundOnce() {
    let narrow = change(0, #""window":3"#, to: #""window":2"#)
    #expect(Base.findings(narrow) == ["3: unexpectedMessage: a page beyond the window of its request"])
  }

  @Test(arguments: [#""waitSeconds":5"#, #""window":1"#, #""resync":true"#])
  func aRequestWithoutAWindowGetsOnePage(member: String) {
    let lines = change(0, #""window":3"#, to: member == #""window":1"# ? member : #""window":3,\#(member)"#)
    let found = Base.findings(lines)
    #expect(found.contains("2: responseWithoutRequest: a response without an open request"))
    #expect(found.count == (member.contains("resync") ? 2 : 1), "a resync lacks 'heldTokenData' too")
  }

  @Test func theLastPageIsNotContinued() {
    let last = change(7, #""changes""#, to: #""continues":true,"changes""#)
    #expect(Base.findings(last) == ["7: unexpectedMessage: 'continues' in the last page"])
  }

  /// A capture may begin at any message.
  @Test func aMissingBeginningIsOneFinding() {
    for count in 1..<Self.lines.count - 1 {
      let found = Base.findings(Array(Self.lines[count...]))
      #expect(found.count == 1, "from \(count): \(found)")
    }
  }
}
