import Devices
import SyncCore
import Testing

@Suite struct ContextRulesTests {
  private func value(
    _ key: String = "k", _ availability: RegisteredValue.Availability = .all,
    _ policy: RegisteredValue.Policy = .automaticSmall, size: Int? = 1
  ) -> RegisteredValue {
    RegisteredValue(
      key: key, availability: availability, policy: policy,
      data: size.map { [UInt8](repeating: 7, count: $0) })
  }

  @Test(arguments: RegisteredValue.Availability.allCases, RegisteredValue.Policy.allCases)
  func whatGoes(availability: RegisteredValue.Availability, policy: RegisteredValue.Policy) {
    let reason = ContextRules().decide(value("k", availability, policy))
    let isOnWatch = availability == .all || availability == .phoneWithWatchSync
    #expect(reason.isEligible == (isOnWatch && policy != .never))
  }

  @Test func theLargestThatGoesByItself() {
    var rules = ContextRules()
    #expect(rules.decide(value(size: 65_536)) == .automaticSmall)
    #expect(rules.decide(value(size: 65_537)) == .tooLarge)
    #expect(rules.decide(value("k", .all, .manual, size: 65_537)) == .manual)
    rules.maxAutoSyncSize = 0
    #expect(rules.decide(value(size: 0)) == .automaticSmall)
    #expect(rules.decide(value(size: 1)) == .tooLarge)
  }

  @Test func anExceptionIsForPolicyAndSizeOnly() {
    var rules = ContextRules()
    rules.overrides = ["k", "ack"]
    #expect(rules.decide(value("k", .all, .never)) == .override)
    #expect(rules.decide(value(size: 65_537)) == .override)
    #expect(rules.decide(value("k", .phoneOnly)) == .phoneOnly)
    #expect(rules.decide(value("k", .watchOnly)) == .watchOnly)
    #expect(rules.decide(value(size: nil)) == .noValue)
    #expect(rules.decide(value("ack")) == .reservedKey)
  }

  /// A string equals every spelling of its characters, but a key is bytes.
  @Test func anExceptionIsForOneUnicodeFormOfAKey() {
    var rules = ContextRules()
    rules.overrides = ["\u{e9}"]
    #expect(rules.decide(value("\u{e9}", .all, .never)) == .override)
    #expect(rules.decide(value("e\u{301}", .all, .never)) == .never)
    rules.overrides.append("e\u{301}")
    #expect(rules.decide(value("e\u{301}", .all, .never)) == .override)
  }

  @Test(arguments: ["ack", "request_sync"])
  func wordsOfTheMessagesAreNoKeys(key: String) {
    #expect(ContextRules().decide(value(key)) == .reservedKey)
    #expect(throws: ContextError.reservedKey(key)) { try ContextRules().context(of: [value(key)]) }
    #expect(throws: ContextError.reservedKey(key)) {
      try PhoneSide(rules: ContextRules(), values: [value(key)])
    }
  }

  @Test func theLargestContext() throws {
    let rules = ContextRules()
    let (a, b) = (value("a", .all, .manual, size: 262_100), value("bb", .all, .manual, size: 41))
    let context = try rules.context(of: [a, b])
    #expect(context.size == 262_144)
    let more = value("c", .all, .manual, size: 0)
    #expect(
      throws: ContextError.contextTooLarge(
        size: 262_145, limit: 262_144,
        largest: [.init(key: "a", size: 262_101), .init(key: "bb", size: 43), .init(key: "c", size: 1)])
    ) { try rules.context(of: [a, b, more]) }
  }

  /// It is reported at every attempt, and sendable values are sent again.
  @Test func aContextThatIsTooLargeIsNeverSilent() throws {
    var rules = ContextRules()
    rules.maxContextSize = 10
    var phone = try PhoneSide(rules: rules, values: [value("k", size: 10)])
    _ = try phone.handle(.activationDidComplete(isReachable: true, received: nil))
    #expect(throws: ContextError.self) { try phone.settle() }
    #expect(try phone.handle(.didReceiveMessage(id: "1")) == [.reply(id: "1", .ack)])
    #expect(throws: ContextError.self) { try phone.settle() }
    #expect(try phone.handle(.valueDidChange(value("k", size: 9))) == [])
    var map = ContextMap()
    map["k"] = [UInt8](repeating: 7, count: 9)
    #expect(try phone.settle() == .updateApplicationContext(map))
  }
}
