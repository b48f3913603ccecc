@testable import Chores
import JSONLines
@testable import SyncCore
import Testing

/// Notification lines, their digests, and the requests to the push service.
@Suite struct NotificationTests {
  private let line = #"""
    {"id":"5865c8fd-f9f9-5268-9528-5f68ffd2ddd5","kind":"assigned","recipient":"ann","title":"Dishes","body":"Your turn","count":2,"occurrenceID":"o1","templateTitle":"Dishes","dueDate":"2026-01-12T17:00:00Z","assignedMemberID":"ann","notBefore":"2026-01-11T06:00:00Z","expires":"2026-01-13T17:00:00Z","collapseID":"c","digest":"d","notDuring":[{"start":"2026-01-11T21:00:00Z","end":"2026-01-12T06:00:00Z"},{"start":"2026-01-12T06:00:00Z","end":"2026-01-12T07:00:00Z"}]}
    """#

  private func read(_ text: String) throws -> Notification {
    try Notification(try JSONValue(parsing: Array(text.utf8).span))
  }

  private func failure(_ text: String) -> NotificationError? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return error as? NotificationError
    }
  }

  @Test func aLineIsReadAndWrittenAsItWas() throws { #expect(try read(line).value.text == line) }

  @Test func aPullHasNothingToShow() throws {
    let pull = #"""
      {"id":"5865c8fd-f9f9-5268-9528-5f68ffd2ddd5","kind":"pull","recipient":"ann","notBefore":"2026-01-11T06:00:00Z","expires":"2026-01-13T17:00:00Z","collapseID":"pull"}
      """#
    #expect(try read(pull).value.text == pull)
    #expect(
      String(decoding: try PushRequest.payload(try read(pull)), as: UTF8.self)
        == #"{"aps":{"content-available":1}}"#)
    let request = try PushRequest(try read(pull), apnsID: UUIDValue(high: 1, low: 1), topic: "t")
    let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
    #expect(headers["apns-push-type"] == "background" && headers["apns-priority"] == "5")
  }

  /// A settled turn notifies every member, and a server keeps only some thousands of notifications.
  @Test func asManyAreMadeAsAreWanted() throws {
    let at = #""updatedAt":"2026-01-01T00:00:00Z""#
    let members = (0..<5).map { #"{"entity":"Member","id":"m\#($0)","displayName":"x",\#(at)}"# }
    let skipped = (0..<4).map {
      #"{"entity":"Occurrence","id":"o\#($0)","templateID":"t","dueDate":"2026-02-01T00:00:00Z","statusRaw":"skipped",\#(at)}"#
    }
    let rules = AssignmentRules { _ in nil }
    let plan = ChangeNotifications(
      old: try rules.household([]), new: try rules.household((members + skipped).map { Array($0.utf8) }),
      actor: nil, rules: HoldingRules(), now: try #require(Instant("2026-01-01T00:00:00Z")))
    #expect(plan.notifications.count == 20)
    #expect(plan.notifications(upTo: 7).map(\.id) == plan.notifications.prefix(7).map(\.id))
  }

  @Test func datesThatCannotBeWrittenAreShownInUTC() throws {
    let words = { (offset: Int, due: String) in
      NotificationWords(zone: Zone { _ in offset }).reminder(due: try #require(Instant(due)))
    }
    #expect(try words(3_600, "9999-12-31T22:30:00Z") == "Due Fri 9999-12-31 23:30")
    #expect(try words(3_600, "9999-12-31T23:30:00Z") == "Due Fri 9999-12-31 23:30")
    #expect(try words(-3_600, "0000-01-01T00:30:00Z") == "Due Sat 0000-01-01 00:30")
  }

  @Test func whatIsMissingOrWrongIsNamed() {
    #expect(failure("{}") == .missingMember("id"))
    #expect(failure(line.replacing("\"kind\":\"assigned\"", with: "\"kind\":\"x\""))?.code == .wrongType)
    #expect(failure(line.replacing("2026-01-13T17:00:00Z", with: "soon"))?.code == .invalidDate)
    #expect(
      failure(line.replacing("\"title\":\"Dishes\",\"body\"", with: "\"title\":7,\"body\""))
        == .wrongType("title", expected: "a string"))
    #expect(failure(line.replacing("\"count\":2", with: "\"count\":0"))?.code == .wrongType)
    #expect(failure(line.replacing("5865c8fd", with: "5865c8f")) == .wrongType("id", expected: "a UUID"))
  }

  @Test func pausesThatFollowEachOtherAreOne() throws {
    let notification = try read(line)
    let end = { (text: String) in notification.pauseEnd(at: try #require(Instant(text))) }
    #expect(try end("2026-01-11T20:59:59Z") == nil)
    #expect(try end("2026-01-11T21:00:00Z") == Instant("2026-01-12T07:00:00Z"))
    #expect(try end("2026-01-12T07:00:00Z") == nil)
    #expect(
      failure(line.replacing("2026-01-12T07:00:00Z\"}]", with: "2026-01-12T05:00:00Z\"}]"))?.message
        == "'end' is not after 'start'")
  }

  @Test func severalBecomeOne() throws {
    var second = try read(line)
    (second.title, second.count) = ("Bins", 1)
    second.expires = try #require(Instant("2026-01-20T00:00:00Z"))
    let night = second.notBefore..<second.notBefore.advanced(by: .seconds(3_600))
    second.pauses = [night]
    let digest = Notification.digest(of: [try read(line), second, second])
    #expect(digest.pauses.contains(night) && digest.pauses.count { $0 == night } == 1)
    #expect(digest.id == (try read(line)).id)
    #expect((digest.title, digest.body) == ("4 notifications", "Dishes, Bins"))
    #expect(digest.count == 4 && digest.expires == second.expires && digest.collapseID == "d")
  }

  @Test func theRequestHasWhatTheServiceWants() throws {
    let notification = try read(line)
    let id = PushRequest.apnsID(of: notification.id, on: "ab")
    #expect(id == PushRequest.apnsID(of: notification.id, on: "ab"))
    #expect(id != PushRequest.apnsID(of: notification.id, on: "ac"))
    #expect(id != PushRequest.apnsID(of: UUIDValue(high: 1, low: 1), on: "ab"))
    let request = try PushRequest(notification, apnsID: id, topic: "org.example.chores")
    let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
    #expect(headers["apns-push-type"] == "alert" && headers["apns-priority"] == "10")
    #expect(headers["apns-expiration"] == "1768323600")
    let body = try JSONValue(parsing: request.body.span)
    #expect(body["aps"]?["alert"]?["body"]?.stringValue == "Your turn")
    #expect(body["assignedMemberID"]?.stringValue == "ann")
  }

  @Test func limitsAreThoseOfTheService() throws {
    var notification = try read(line)
    notification.collapseID = String(repeating: "é", count: 32)
    let room = PushRequest.largestPayload - (try PushRequest.payload(notification)).count
    notification.body += String(repeating: "x", count: room)
    #expect(try PushRequest.payload(notification).count == 4_096)
    notification.body += "x"
    #expect(throws: NotificationError.payloadTooLarge(4_097)) { try PushRequest.payload(notification) }
    notification.collapseID += "x"
    #expect(throws: NotificationError.collapseIDTooLong(65)) { try PushRequest.payload(notification) }
  }

  /// A header's text is the value of one header and nothing else.
  @Test(arguments: [
    "", "a\r\nx-other: 1", "a\nb", "a\rb", "a\0b", "a\tb", "a\u{7F}", "a\u{85}", "a\u{2028}", " a", "a ",
  ])
  func whatIsNoHeaderIsRefused(text: String) throws {
    var notification = try read(line)
    notification.collapseID = text
    #expect(throws: NotificationError.invalidHeader("collapseID")) { try PushRequest.check(notification) }
    #expect(throws: NotificationError.invalidHeader("apns-collapse-id")) {
      try PushRequest(notification, apnsID: UUIDValue(high: 1, low: 1), topic: "t")
    }
    (notification.collapseID, notification.digest) = ("c", text)
    #expect(throws: NotificationError.invalidHeader("digest")) { try PushRequest.check(notification) }
    notification.digest = nil
    #expect(throws: NotificationError.invalidHeader("apns-topic")) {
      try PushRequest(notification, apnsID: UUIDValue(high: 1, low: 1), topic: text)
    }
  }

  @Test func aDigestHasACollapseIDThatTheServiceTakes() throws {
    var notification = try read(line)
    notification.digest = String(repeating: "d", count: 65)
    #expect(throws: NotificationError.collapseIDTooLong(65)) { try PushRequest.check(notification) }
  }

  /// However long the titles and ids of combined notifications.
  @Test func aDigestIsNeverTooLarge() throws {
    for (titles, id) in [(3_900, 1), (1, 3_800), (1_900, 1_900)] {
      let all = try (0..<9).map { number in
        var notification = try read(line)
        notification.body = ""
        notification.title = "\(number)" + String(repeating: "\"", count: titles / 2)
        notification.occurrence = RecordID(String(repeating: "o", count: id))
        return notification
      }
      #expect(try PushRequest.payload(Notification.digest(of: all)).count <= PushRequest.largestPayload)
    }
  }

  /// By their size in a payload, at the end of a character.
  @Test func textsAreCutBetweenCharacters() {
    let family = "👨‍👩‍👧‍👦"
    #expect(
      String(repeating: family, count: 80).cut(toPayloadBytes: 240) == String(repeating: family, count: 9)
        + "…")
    #expect(String(repeating: "x", count: 240).cut(toPayloadBytes: 240).count == 240)
    #expect(
      String(repeating: "x", count: 241).cut(toPayloadBytes: 240) == String(repeating: "x", count: 237) + "…")
    #expect(String(repeating: "\"", count: 200).cut(toPayloadBytes: 240).count == 119)
    let tower = "e" + String(repeating: "\u{301}", count: 500)
    #expect(tower.cut(toPayloadBytes: 240).utf8.count == 240)
    #expect("a\r\nb\u{2028}c\td".onOneLine == "a  b c d")
  }

  @Test func deviceTokensAreHexadecimalAndHidden() throws {
    let token = try #require(DeviceToken("ABcd01"))
    #expect(token.text == "abcd01" && token.handle.count == 12)
    for text in ["", "a", "abc", "xy", "ab cd", "ab\n"] { #expect(DeviceToken(text) == nil) }
  }
}
