import SyncCore
import Testing

/// What either side does on one event.
@Suite struct SidesTests {
  private func map(_ values: [String: [UInt8]]) -> ContextMap {
    var map = ContextMap()
    for (key, value) in values { map[key] = value }
    return map
  }

  private func value(_ key: String, _ data: [UInt8]?) -> RegisteredValue {
    RegisteredValue(key: key, availability: .all, policy: .manual, data: data)
  }

  private func activePhone(_ values: RegisteredValue...) throws -> PhoneSide {
    var phone = try PhoneSide(rules: ContextRules(), values: values)
    _ = try phone.take(.activationDidComplete(isReachable: false, received: nil))
    _ = try phone.settle()
    return phone
  }

  @Test(arguments: [
    ContextEvent.activationDidComplete(isReachable: true, received: nil), .sessionWatchStateDidChange,
    .sessionReachabilityDidChange(true), .sessionReachabilityDidChange(false), .didReceiveUserInfo,
  ])
  func thePhoneSendsItsContextAgain(event: ContextEvent) throws {
    var phone = try activePhone(value("a", [1]))
    #expect(try phone.settle() == nil)
    #expect(try phone.take(event) == [])
    #expect(try phone.settle() == .updateApplicationContext(map(["a": [1]])))
  }

  @Test func thePhoneAnswersAndSendsItsContext() throws {
    var phone = try activePhone(value("a", [1]))
    #expect(try phone.take(.didReceiveMessage(id: "7")) == [.reply(id: "7", .snapshot(map(["a": [1]])))])
    #expect(try phone.settle() == .updateApplicationContext(map(["a": [1]])))
    var empty = try activePhone()
    #expect(try empty.take(.didReceiveMessage(id: "8")) == [.reply(id: "8", .ack)])
  }

  @Test func requestsWaitForTheSessionInTheirOrder() throws {
    var phone = try PhoneSide(rules: ContextRules(), values: [value("a", [1])])
    for id in ["2", "1"] { #expect(try phone.take(.didReceiveMessage(id: id)) == []) }
    #expect(try phone.settle() == nil)
    let actions = try phone.take(.activationDidComplete(isReachable: true, received: nil))
    let reply = ContextReply.snapshot(map(["a": [1]]))
    #expect(actions == [.reply(id: "2", reply), .reply(id: "1", reply)])
  }

  @Test func changesThatComeTogetherGoOutAsOne() throws {
    var phone = try activePhone(value("a", [1]))
    for number in 2...5 { _ = try phone.take(.valueDidChange(value("a", [UInt8(number)]))) }
    #expect(try phone.settle() == .updateApplicationContext(map(["a": [5]])))
    _ = try phone.take(.valueDidChange(value("a", [6])))
    _ = try phone.take(.valueDidChange(value("a", [5])))
    #expect(try phone.settle() == nil)
    _ = try phone.take(.valueDidChange(value("a", nil)))
    #expect(try phone.settle() == .updateApplicationContext(map([:])))
  }

  @Test func theWatchAsksInTheWayThatIsOpen() {
    var watch = WatchSide()
    #expect(watch.take(.activationDidComplete(isReachable: true, received: nil)) == [.sendMessage(id: "1")])
    #expect(watch.take(.messageDidFail(id: "1")) == [.transferUserInfo])
    #expect(watch.take(.launch) == [])
    #expect(watch.take(.activationDidComplete(isReachable: false, received: nil)) == [.transferUserInfo])
    #expect(watch.take(.sessionReachabilityDidChange(true)) == [])
  }

  @Test func aRequestThatIsCutOffIsQueued() {
    var watch = WatchSide()
    _ = watch.take(.activationDidComplete(isReachable: true, received: nil))
    #expect(watch.take(.sessionReachabilityDidChange(false)) == [.transferUserInfo])
    #expect(watch.take(.didReceiveReply(id: "1", .ack)) == [])
  }

  /// The reply may have been made before the context was, and come later.
  @Test func aReplyIsNoNewsAfterAContext() {
    var watch = WatchSide()
    _ = watch.take(.activationDidComplete(isReachable: true, received: nil))
    _ = watch.take(.didReceiveApplicationContext(map(["a": [2]])))
    #expect(watch.take(.didReceiveReply(id: "1", .snapshot(map(["a": [1]])))) == [])
    #expect(watch.values == map(["a": [2]]))
  }

  @Test func aContextReplacesTheOneBefore() {
    var watch = WatchSide()
    _ = watch.take(.activationDidComplete(isReachable: false, received: map(["a": [1], "b": [2]])))
    let actions = watch.take(.didReceiveApplicationContext(map(["b": [2], "c": [3]])))
    guard case .deliver(let changes)? = actions.first else {
      Issue.record("nothing delivered")
      return
    }
    #expect(changes.values == map(["c": [3]]))
    #expect(changes.removed == ["a"])
  }

  @Test func aContextThatComesBeforeTheSessionIsKept() {
    var watch = WatchSide()
    _ = watch.take(.didReceiveApplicationContext(map(["a": [2]])))
    #expect(watch.values.isEmpty)
    _ = watch.take(.activationDidComplete(isReachable: false, received: map(["a": [1]])))
    #expect(watch.values == map(["a": [2]]))
  }

  @Test func anAckSaysThatThereIsNothing() {
    var watch = WatchSide()
    _ = watch.take(.activationDidComplete(isReachable: true, received: map(["a": [1]])))
    _ = watch.take(.didReceiveReply(id: "1", .ack))
    #expect(watch.values.isEmpty)
  }

  @Test func everyEventHasAtMostOneRow() {
    for role in ContextTable.Role.allCases {
      for event in ContextEvent.Name.allCases {
        let states = ContextTable.rows.filter { $0.role == role && $0.event == event }.flatMap(\.states)
        #expect(Set(states).count == states.count, "\(role) \(event)")
      }
    }
  }
}
