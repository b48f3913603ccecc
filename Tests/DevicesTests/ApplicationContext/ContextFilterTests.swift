import Devices
import JSONLines
import SyncCore
import Testing

/// Either side as a filter, without a process.
@Suite struct ContextFilterTests {
  private func event(_ line: String) throws -> ContextEvent {
    let text = Array(line.utf8)
    return try ContextEvent(parsing: text.span)
  }

  private func handlers(_ line: String) throws -> ContextHandlers {
    let text = Array(line.utf8)
    return try ContextHandlers(parsing: text.span)
  }

  private func value(_ key: String, _ text: String) -> ContextEvent {
    .valueDidChange(
      RegisteredValue(key: key, availability: .all, policy: .automaticSmall, data: Array(text.utf8)))
  }

  @Test func whatThePhoneSendsTheWatchDelivers() throws {
    var phone = try ContextFilter(phoneWith: ContextRules())
    #expect(try phone.handle(value("theme", "dark")).lines == [])
    #expect(try phone.settle() == nil)
    _ = try phone.handle(.activationDidComplete(isReachable: true, received: nil))
    let context = try #require(try phone.settle())
    var watch = ContextFilter(watchWith: try handlers(#"{"theme":"utf8"}"#))
    let launched = try watch.handle(.activationDidComplete(isReachable: true, received: nil))
    #expect(launched.lines.map(\.isDelivery) == [false])
    let step = try watch.handle(event(context.text))
    #expect(step.lines.map(\.value.text) == [#"{"action":"deliver","values":{"theme":"dark"},"removed":[]}"#])
    #expect(step.lines.map(\.isDelivery) == [true])
    #expect(try watch.settle() == nil)
  }

  @Test func whatNoHandlerCanDecodeIsReported() throws {
    var watch = ContextFilter(watchWith: try handlers(#"{"levels":"json"}"#))
    let step = try watch.handle(
      event(#"{"event":"activationDidComplete","receivedApplicationContext":{"levels":"eA=="}}"#))
    #expect(step.undecodable == [.undecodableValue("levels", form: "JSON")])
    #expect(step.lines.count == 2)
  }

  @Test func whatIsTooLargeIsSaidAndStaysOwed() throws {
    var rules = ContextRules()
    rules.maxAutoSyncSize = 4
    rules.maxContextSize = 8
    var phone = try ContextFilter(phoneWith: rules)
    #expect(try phone.handle(value("a", "12345")).excess != nil)
    for key in ["b", "c"] { #expect(try phone.handle(value(key, "1234")).excess == nil) }
    _ = try phone.handle(.activationDidComplete(isReachable: false, received: nil))
    for _ in 1...2 { #expect(throws: ContextError.self) { try phone.settle() } }
    _ = try phone.handle(value("c", "1"))
    #expect(try phone.settle() != nil)
  }
}
