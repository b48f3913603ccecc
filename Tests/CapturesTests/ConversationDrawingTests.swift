import Captures
@testable import Drawings
import JSONLines
import SyncCore
import Testing

/// Conversations as they are drawn.
@Suite struct ConversationDrawingTests {
  private func drawings(
    _ lines: [String], lines range: ClosedRange<Int> = 1...Int.max, showsContent: Bool = false
  ) -> ConversationDrawings {
    var drawings = ConversationDrawings(lines: range, showsContent: showsContent)
    var checks = ConversationChecks()
    for (index, line) in lines.enumerated() {
      let bytes = Array(line.utf8)
      do throws(ConversationLine.Failure) {
        let found = try ConversationLine(bytes.span)
        let stream = found.place.stream
        let findings = checks.check(bytes.span, found.message, of: stream)
        drawings.add(bytes.span, index + 1, .message(found, findings), stream: stream, of: nil)
      } catch {
        guard case .lost(let place, let lost) = error else { continue }
        drawings.add(bytes.span, index + 1, .lost(place, lost), stream: place.stream, of: nil)
      }
    }
    return drawings
  }

  private func text(_ drawings: ConversationDrawings, width: Int = 100) -> String {
    ConversationText(width: width, isColored: false).text(drawings)
  }

  private static let secrets = ["Pocket", "Milk", "日本", "HUSH", "deadbeef"]

  /// Messages with much content, some of them with faults that quote it.
  private static let talk = [
    #"{"id":"6F2C9A4E-0000-4000-8000-000000000001","protocolVersion":1,"sentAt":"2026-12-01T08:00:00Z","type":"pairHello","pairingSessionId":"6F2C9A4E-0000-4000-8000-0000000000AA","pairingSecret":"HUSH-HUSH-HUSH","peerId":"phone","deviceName":"Pocket","publicKeyFingerprint":"deadbeef"}"#,
    #"{"id":"6F2C9A4E-0000-4000-8000-000000000002","protocolVersion":2,"sentAt":"2026-12-01T08:00:01Z","type":"syncRequest","peerId":"phone","deviceName":"Pocket's"}"#,
    #"{"id":"6F2C9A4E-0000-4000-8000-000000000003","protocolVersion":2,"sentAt":"2026-12-01T08:01:01Z","type":"syncResponse","inReplyTo":"6F2C9A4E-0000-4000-8000-000000000002","peerId":"mac","deviceName":"Pocket","delta":{"upserts":[],"deletes":[],"newTokenData":"QUFBQUFBQUFBQQ=="},"changes":[{"entityName":"Milk","identity":{"日本":"Milk"},"modifiedAt":"x'Milk'y","fields":{"title":"日本 Milk"}}],"hasMore":true}"#,
    #"{"id":"6F2C9A4E-0000-4000-8000-000000000004","protocolVersion":1,"sentAt":"2026-12-02T08:01:01Z","type":"syncResponse","peerId":"mac","deviceName":"Pocket","delta":{"upserts":[{"Milk":1}],"deletes":[],"newTokenData":""}}"#,
    #"{"id":"6F2C9A4E-0000-4000-8000-000000000005","protocolVersion":2,"sentAt":"2026-12-02T08:01:01Z","type":"error","errorCode":"Milk","errorMessage":"Milk is out"}"#,
    #"{"id":"6F2C9A4E-0000-4000-8000-000000000006","protocolVersion":{"name":"Milk"},"type":"ack","mergeRules":[{"x":{"pairingProof":"HUSH"}}]}"#,
    #"{"stream":7,"from":"10.0.0.2:51000","to":"10.0.0.3:27421","at":"2026-12-02T08:01:01Z","offset":0,"length":9,"error":{"code":"missingBytes","message":"Milk"}}"#,
    #"{"stream":7,"from":"10.0.0.3:27421","to":"10.0.0.2:51000","at":"2026-12-02T08:01:01Z","offset":0,"length":9,"message":{"type":"日本語日本語日本語日本語日本語日本語日本語\u202e","Milk":"Milk"}}"#,
  ]

  /// The default content of a drawing may be shown to anybody.
  @Test func contentIsHidden() {
    let all = drawings(Self.talk)
    for drawn in [text(all), ConversationSVG(all).text] {
      for secret in Self.secrets where secret != "日本" { #expect(!drawn.contains(secret), "\(secret)") }
      #expect(drawn.contains("invalidMessage") && drawn.contains("a code that is not listed"))
      #expect(
        drawn.contains("1 change") && drawn.contains("more to come") && drawn.contains("token …FBQUFBQQ"))
    }
  }

  /// A mark forms one character with the quotation mark before it, and U+0D4E with the colon after it.
  @Test(arguments: [("title", #"\u0301Milk"#), (#"Milk\u0D4E"#, "other"), ("a:  Milk", "other")])
  func contentThatAddsToACharacterIsHidden(name: String, type: String) {
    let line =
      #"{"id":"6F2C9A4E-0000-4000-8000-000000000004","protocolVersion":1,"sentAt":"2026-12-02T08:01:01Z","type":"syncResponse","peerId":"mac","deviceName":"Pocket","delta":{"upserts":[{"entityName":"Task","identity":{"key":"id","value":{"type":"string","stringValue":"42"}},"fields":{"\#(name)":{"type":"\#(type)","stringValue":"x"}},"modifiedAt":"2026-01-01T08:00:00Z","version":1}],"deletes":[],"newTokenData":""}}"#
    let all = drawings([line])
    for drawn in [text(all), ConversationSVG(all).text] {
      #expect(!drawn.contains("Milk") && drawn.contains("unknown type"))
    }
  }

  @Test func contentIsShownWhereItIsWanted() {
    let all = drawings(Self.talk, showsContent: true)
    for drawn in [text(all), ConversationSVG(all).text] {
      for secret in Self.secrets { #expect(drawn.contains(secret) != (secret == "HUSH"), "\(secret)") }
    }
  }

  /// A page of many changes does not fill the drawing.
  @Test func contentHasAnEnd() {
    let changes = (0..<1_000).map {
      #"{"identity":{"id":"\#($0)"},"title":"\#(String(repeating: "é", count: 2_000))"}"#
    }
    let line = #"{"type":"syncResponse","changes":["# + changes.joined(separator: ",") + "]}"
    let drawn = text(drawings([line], showsContent: true))
    #expect(drawn.contains("and 980 more") && drawn.contains("…") && drawn.utf8.count < 40_000)
  }

  /// Whatever the width, the lines of life are below each other.
  @Test(arguments: [20, 21, 33, 49, 50, 51, 80, 100, 237, 1_000])
  func linesAreAsWideAsTheyMayBe(_ width: Int) {
    for line in text(drawings(Self.talk, showsContent: true), width: width).split(separator: "\n") {
      let cells = TextCells.width(line)
      #expect(cells <= width, "\(line)")
      if line.contains(where: "│├┤┊".contains) { #expect(cells == width, "\(line)") }
    }
  }

  @Test func whoSpokeFirstIsOnTheLeft() {
    let lines = text(drawings(Array(Self.talk.suffix(2)))).split(separator: "\n").map(String.init)
    #expect(lines[1].contains("10.0.0.2:51000  ") && lines[1].hasSuffix("10.0.0.3:27421"))
    #expect(lines.contains { $0.contains("├╌ missingBytes, 9 bytes ╌") && $0.hasSuffix("╳│") })
    #expect(lines.contains { $0.contains("│◀─ 日本語") })
  }

  @Test func pausesAndDaysAreSaid() {
    let drawn = text(drawings(Array(Self.talk.prefix(4))))
    #expect(
      drawn.contains("1.0 s later") && drawn.contains("1 min 0 s later")
        && drawn.contains("24 h 0 min later, 2026-12-02"))
  }

  /// A finding of a line depends on those before it, whether they are drawn or not.
  @Test func aPartIsDrawn() {
    let drawn = text(drawings(Self.talk, lines: 2...2))
    #expect(drawn.contains("1 message, 1 finding") && drawn.contains("versionChanged"))
  }

  /// Messages without room are counted.
  @Test func thereIsAnEnd() {
    let line = #"{"type":"ack","peerId":"a"}"#
    let all = drawings(Array(repeating: line, count: ConversationDrawings.mostRows + 3))
    #expect(all.leftOut.count == 3 && all.leftOut.line == ConversationDrawings.mostRows + 1)
    let picture = ConversationSVG(all)
    #expect(
      picture.leftOut.count + picture.leftOut.line == ConversationDrawings.mostRows + 4
        && picture.leftOut.line > 500)
  }
}
