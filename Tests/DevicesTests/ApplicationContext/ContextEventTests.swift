import Devices
import JSONLines
import Testing

/// What is read of a line.
@Suite struct ContextEventTests {
  private static func event(_ line: String) throws(ContextError) -> ContextEvent {
    try ContextEvent(parsing: Array(line.utf8).span)
  }

  @Test(arguments: [
    (
      #"{"event":"didReceiveMessage","id":"1","message":{"request_sync":true}}"#,
      ContextEvent.didReceiveMessage(id: "1")
    ),
    (#"{"event":"didReceiveMessage","id":"1","message":{"x":1,"x":2}}"#, .didReceiveOtherMessage(id: "1")),
    (#"{"action":"transferUserInfo","userInfo":{"request_sync":true,"x":1,"x":2}}"#, .didReceiveUserInfo),
    (#"{"event":"didReceiveReply","id":"1","message":{"ack":true}}"#, .didReceiveReply(id: "1", .ack)),
  ])
  func messages(line: String, event: ContextEvent) throws {
    #expect(try Self.event(line) == event)
  }

  /// A message with a duplicate member that is read has two meanings.
  @Test(arguments: [
    (
      #"{"event":"didReceiveMessage","id":"1","message":{"request_sync":true,"request_sync":false}}"#,
      "request_sync"
    ),
    (
      #"{"action":"sendMessage","id":"1","message":{"request_sync":false,"\u0072equest_sync":true}}"#,
      "request_sync"
    ),
    (#"{"event":"didReceiveUserInfo","userInfo":{"request_sync":true,"request_sync":true}}"#, "request_sync"),
    (#"{"action":"transferUserInfo","userInfo":{"request_sync":false,"request_sync":true}}"#, "request_sync"),
    (#"{"event":"didReceiveReply","id":"1","message":{"ack":true,"ack":false}}"#, "ack"),
    (#"{"event":"didReceiveReply","id":"1","message":{"theme":"QQ==","theme":"Qg=="}}"#, "theme"),
    (#"{"event":"didReceiveApplicationContext","context":{"theme":"QQ==","theme":"Qg=="}}"#, "theme"),
    (#"{"event":"activationDidComplete","receivedApplicationContext":{"a":"QQ==","a":"QQ=="}}"#, "a"),
    (#"{"event":"launch","event":"launch"}"#, "event"),
  ])
  func aMemberAppearsOnce(line: String, name: String) {
    #expect(throws: ContextError.duplicateMember(name)) { try Self.event(line) }
  }
}
