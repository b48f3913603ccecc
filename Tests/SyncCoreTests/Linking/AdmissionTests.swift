import Testing

@testable import SyncCore

/// Who waits, and who has to go.
struct AdmissionTests {
  @Test func refusalsMakeAnAddressWaitLongerAndLonger() {
    var backoff = AddressBackoff()
    var delays: [Duration] = []
    for second in 0..<10 {
      delays.append(backoff.delay(for: "a", at: .seconds(second)))
      backoff.recordRefusal(of: "a", at: .seconds(second))
    }
    let expected = [0, 0, 0, 0, 100, 200, 400, 800, 1_600, 2_000].map { Duration.milliseconds($0) }
    #expect(delays == expected)
    #expect(backoff.delay(for: "b", at: .seconds(9)) == .zero)
    #expect(backoff.delay(for: "a", at: .seconds(69)) == .zero)
  }

  @Test func aGoodConnectionIsForgiveness() {
    var backoff = AddressBackoff()
    for _ in 0..<1_000 { backoff.recordRefusal(of: "a", at: .zero) }
    #expect(backoff.delay(for: "a", at: .zero) == AddressBackoff.longest)
    backoff.recordSuccess(of: "a")
    #expect(backoff.delay(for: "a", at: .zero) == .zero)
  }

  /// However many addresses there are, as many are remembered as there is room for, the latest ones.
  @Test func memoryIsBounded() {
    var backoff = AddressBackoff()
    for index in 0..<5_000 {
      for _ in 0..<5 { backoff.recordRefusal(of: "\(index)", at: .milliseconds(index)) }
    }
    let waiting = (0..<5_000).filter { backoff.delay(for: "\($0)", at: .seconds(5)) > .zero }
    #expect(waiting == Array(3_976..<5_000))
  }

  @Test(arguments: [
    (["a"], 0), (["a", "b"], 0), (["a", "b", "b"], 1), (["a", "b", "a", "b"], 0),
    (["c", "b", "a", "a", "a"], 2),
  ])
  func theOldestOfTheBusiestAddressGoes(addresses: [String], victim: Int) {
    #expect(OpenDoor.victim(among: addresses) == victim)
  }

  /// Ten thousand connections from one address: the one from another stays to the end.
  @Test func aFloodPushesOutItself() {
    var door = ["friend"]
    for _ in 0..<10_000 {
      door.append("flood")
      if door.count > 256 { door.remove(at: OpenDoor.victim(among: door)) }
    }
    #expect(door.contains("friend") && door.count == 256)
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8::7", "2001:db8::/64"),
    ("fe80::1%eth0", "fe80::1%eth0"),
  ])
  func anIPv6NetworkIsOneAddress(host: String, group: String) { #expect(OpenDoor.group(of: host) == group) }
}
