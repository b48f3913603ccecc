import Devices
import SyncCore
import Testing

/// The actions of each side for one event.
@Suite struct SidesTests {
  private func map(_ values: [String: [UInt8]]) -> ContextMap {
    var map = ContextMap()
    for (key, value) in values { map[key] = value }
    return map
  }

  private func value(
    _ key: String, _ data: [UInt8]?, _ policy: RegisteredValue.Policy = .automaticSmall
  ) -> RegisteredValue {
    RegisteredValue(key: key, availability: .all, policy: policy, data: data)
  }

  private func activePhone(_ values: RegisteredValue...) throws -> PhoneSide {
    var phone = try PhoneSide(rules: ContextRules(), values: values)
    _ = try phone.handle(.activationDidComplete(isReachable: false, received: nil))
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
    #expect(try phone.handle(event) == [])
    #expect(try phone.settle() == .updateApplicationContext(map(["a": [1]])))
  }

  @Test func thePhoneAnswersAndSendsItsContext() throws {
    var phone = try activePhone(value("a", [1]))
    #expect(try phone.handle(.didReceiveMessage(id: "7")) == [.reply(id: "7", .snapshot(map(["a": [1]])))])
    #expect(try phone.settle() == .updateApplicationContext(map(["a": [1]])))
    var empty = try activePhone()
    #expect(try empty.handle(.didReceiveMessage(id: "8")) == [.reply(id: "8", .ack)])
  }

  /// A value that is gone is taken back, though a manual one is too large.
  @Test func anEmptyContextIsSentBesideAValueThatIsTooLarge() throws {
    var rules = ContextRules()
    rules.maxContextSize = 20
    let large = value("m", [UInt8](repeating: 1, count: 32), .manual)
    var phone = try PhoneSide(rules: rules, values: [value("a", [1]), large])
    _ = try phone.handle(.activationDidComplete(isReachable: false, received: nil))
    #expect(throws: ContextError.self) { try phone.settle() }
    #expect(try phone.settle() == .updateApplicationContext(map(["a": [1]])))
    _ = try phone.handle(.valueDidChange(value("a", nil)))
    #expect(try phone.settle() == .updateApplicationContext(map([:])))
  }

  @Test func requestsWaitForTheSessionInTheirOrder() throws {
    var phone = try PhoneSide(rules: ContextRules(), values: [value("a", [1])])
    for id in ["2", "1"] { #expect(try phone.handle(.didReceiveMessage(id: id)) == []) }
    #expect(try phone.settle() == nil)
    let actions = try phone.handle(.activationDidComplete(isReachable: true, received: nil))
    let reply = ContextReply.snapshot(map(["a": [1]]))
    #expect(actions == [.reply(id: "2", reply), .reply(id: "1", reply)])
  }

  @Test func changesThatComeTogetherGoOutAsOne() throws {
    var phone = try activePhone(value("a", [1]))
    for number in 2...5 { _ = try phone.handle(.valueDidChange(value("a", [UInt8(number)]))) }
    #expect(try phone.settle() == .updateApplicationContext(map(["a": [5]])))
    _ = try phone.handle(.valueDidChange(value("a", [6])))
    _ = try phone.handle(.valueDidChange(value("a", [5])))
    #expect(try phone.settle() == nil)
    _ = try phone.handle(.valueDidChange(value("a", nil)))
    #expect(try phone.settle() == .updateApplicationContext(map([:])))
  }

  @Test func aManualValueGoesOnRequestOnly() throws {
    var phone = try activePhone(value("a", [1]), value("m", [1], .manual))
    _ = try phone.handle(.valueDidChange(value("m", [2], .manual)))
    _ = try phone.handle(.valueDidChange(value("n", [1], .manual)))
    #expect(try phone.settle() == nil)
    _ = try phone.handle(.valueDidChange(value("a", [2])))
    #expect(try phone.settle() == .updateApplicationContext(map(["a": [2], "m": [1]])))
    let all = map(["a": [2], "m": [2], "n": [1]])
    #expect(try phone.handle(.didReceiveMessage(id: "1")) == [.reply(id: "1", .snapshot(all))])
    #expect(try phone.settle() == .updateApplicationContext(all))
    _ = try phone.handle(.valueDidChange(value("m", nil, .manual)))
    #expect(try phone.settle() == nil)
    _ = try phone.handle(.didReceiveUserInfo)
    #expect(try phone.settle() == .updateApplicationContext(map(["a": [2], "n": [1]])))
  }

  @Test func whatMayNotGoAnyLongerIsLeftOutAtOnce() throws {
    var phone = try activePhone(value("a", [1]), value("m", [1], .manual))
    _ = try phone.handle(
      .valueDidChange(RegisteredValue(key: "m", availability: .phoneOnly, policy: .manual, data: [1])))
    #expect(try phone.settle() == .updateApplicationContext(map(["a": [1]])))
  }

  @Test func everyMessageGetsAReply() throws {
    var rules = ContextRules()
    rules.maxContextSize = 3
    var phone = try PhoneSide(rules: rules, values: [value("a", [1])])
    #expect(try phone.handle(.didReceiveOtherMessage(id: "x")) == [])
    let first = try phone.handle(.activationDidComplete(isReachable: true, received: nil))
    #expect(first == [.reply(id: "x", .ack)])
    _ = try phone.settle()
    #expect(try phone.handle(.didReceiveOtherMessage(id: "y")) == [.reply(id: "y", .ack)])
    #expect(try phone.settle() == nil)
    _ = try phone.handle(.valueDidChange(value("a", [1, 2, 3])))
    #expect(throws: ContextError.self) { try phone.settle() }
    #expect(try phone.handle(.didReceiveMessage(id: "z")) == [.reply(id: "z", .ack)])
    #expect(throws: ContextError.self) { try phone.settle() }
    // It is still owed when it fits.
    _ = try phone.handle(.valueDidChange(value("a", [1])))
    #expect(try phone.settle() == .updateApplicationContext(map(["a": [1]])))
  }

  @Test func theWatchAsksAtEveryChangeOfReachability() {
    var watch = WatchSide()
    _ = watch.handle(.activationDidComplete(isReachable: true, received: nil))
    _ = watch.handle(.didReceiveReply(id: "1", .ack))
    #expect(watch.handle(.sessionReachabilityDidChange(false)) == [.transferUserInfo])
    #expect(watch.handle(.sessionReachabilityDidChange(true)) == [.sendMessage(id: "2")])
    // One transfer in the queue is enough; the next one waits until that has finished.
    #expect(watch.handle(.sessionReachabilityDidChange(false)) == [])
    #expect(watch.handle(.sessionReachabilityDidChange(true)) == [.sendMessage(id: "3")])
    _ = watch.handle(.didFinishUserInfoTransfer)
    #expect(watch.handle(.sessionReachabilityDidChange(false)) == [.transferUserInfo])
    _ = watch.handle(.didReceiveApplicationContext(map(["a": [1]])))
    #expect(watch.handle(.sessionReachabilityDidChange(false)) == [.transferUserInfo])
  }

  @Test func theWatchAsksInTheWayThatIsOpen() {
    var watch = WatchSide()
    #expect(watch.handle(.activationDidComplete(isReachable: true, received: nil)) == [.sendMessage(id: "1")])
    #expect(watch.handle(.messageDidFail(id: "1")) == [.transferUserInfo])
    #expect(watch.handle(.launch) == [])
    #expect(watch.handle(.activationDidComplete(isReachable: false, received: nil)) == [.transferUserInfo])
    #expect(watch.handle(.sessionReachabilityDidChange(true)) == [.sendMessage(id: "2")])
  }

  @Test func aRequestThatIsCutOffIsQueued() {
    var watch = WatchSide()
    _ = watch.handle(.activationDidComplete(isReachable: true, received: nil))
    #expect(watch.handle(.sessionReachabilityDidChange(false)) == [.transferUserInfo])
    #expect(watch.handle(.didReceiveReply(id: "1", .ack)) == [])
  }

  /// The reply may have been made before the context, and arrive later.
  @Test func aReplyIsNoNewsAfterAContext() {
    var watch = WatchSide()
    _ = watch.handle(.activationDidComplete(isReachable: true, received: nil))
    _ = watch.handle(.didReceiveApplicationContext(map(["a": [2]])))
    #expect(watch.handle(.didReceiveReply(id: "1", .snapshot(map(["a": [1]])))) == [])
    #expect(watch.values == map(["a": [2]]))
  }

  @Test func aContextReplacesTheOneBefore() {
    var watch = WatchSide()
    _ = watch.handle(.activationDidComplete(isReachable: false, received: map(["a": [1], "b": [2]])))
    let actions = watch.handle(.didReceiveApplicationContext(map(["b": [2], "c": [3]])))
    guard case .deliver(let changes)? = actions.first else {
      Issue.record("nothing delivered")
      return
    }
    #expect(changes.values == map(["c": [3]]))
    #expect(changes.removed == ["a"])
  }

  @Test func aContextThatComesBeforeTheSessionIsKept() {
    var watch = WatchSide()
    _ = watch.handle(.didReceiveApplicationContext(map(["a": [2]])))
    #expect(watch.values.isEmpty)
    _ = watch.handle(.activationDidComplete(isReachable: false, received: map(["a": [1]])))
    #expect(watch.values == map(["a": [2]]))
  }

  /// The phone's context may have been too large; only an empty one means that there are no values.
  @Test func anAckLeavesWhatThereIs() {
    var watch = WatchSide()
    _ = watch.handle(.activationDidComplete(isReachable: true, received: map(["a": [1]])))
    #expect(watch.handle(.didReceiveReply(id: "1", .ack)) == [])
    #expect(watch.values == map(["a": [1]]))
    _ = watch.handle(.didReceiveApplicationContext(map([:])))
    #expect(watch.values.isEmpty)
  }

  /// A string equals every spelling of its characters, but a key is bytes.
  @Test func keysThatDifferInTheirUnicodeFormAreTwo() throws {
    let phone = try activePhone(value("\u{e9}", [1]), value("e\u{301}", [2]))
    let context = try phone.eligible()
    #expect(context.keys.map { Array($0.utf8) } == [Array("e\u{301}".utf8), Array("\u{e9}".utf8)])
    #expect(context["\u{e9}"] == [1] && context["e\u{301}"] == [2])
    #expect(phone.values.map(\.data) == [[2], [1]])
    var watch = WatchSide()
    _ = watch.handle(.activationDidComplete(isReachable: false, received: map(["\u{e9}": [1]])))
    guard
      case .deliver(let changes) = watch.handle(.didReceiveApplicationContext(map(["e\u{301}": [1]]))).first
    else {
      Issue.record("nothing was delivered")
      return
    }
    #expect(changes.values.size == 4 && changes.removed.map { Array($0.utf8) } == [Array("\u{e9}".utf8)])
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
