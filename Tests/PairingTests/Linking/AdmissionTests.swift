@testable import SyncCore
import Pairing
import Testing

/// Which connections wait, and which are dropped.
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
  func theOldestOfTheBusiestOriginGoes(origins: [String], victim: Int) {
    #expect(OpenDoor().victim(among: origins, at: .zero) == victim)
  }

  /// A door as a loop of links has it: the new connection is the last, and may be the one that goes.
  private struct Hall {
    var door = OpenDoor()
    var inside: [String] = []
    let places: Int

    init(places: Int) { self.places = places }

    mutating func enter(_ origin: String, at now: Duration) {
      door.recordArrival(from: origin, at: now)
      inside.append(origin)
      if inside.count > places { inside.remove(at: door.victim(among: inside, at: now)) }
    }
  }

  /// Ten thousand connections from one address: the one from another stays to the end.
  @Test func aFloodPushesOutItself() {
    var hall = Hall(places: 256)
    hall.enter("friend", at: .zero)
    for index in 0..<10_000 { hall.enter("flood", at: .milliseconds(index)) }
    #expect(hall.inside.contains("friend") && hall.inside.count == 256)
  }

  /// As many addresses as there are places, or more: those that come again and again make room for those that do not.
  @Test(arguments: [4, 8, 64, 1_000])
  func aFloodFromManyAddressesPushesOutItself(addresses: Int) {
    var hall = Hall(places: 4)
    for index in 0..<2 * addresses { hall.enter("flood \(index % addresses)", at: .milliseconds(index)) }
    for visit in 0..<2 {
      hall.enter("friend", at: .seconds(3 + visit))
      for index in 0..<10_000 { hall.enter("flood \(index % addresses)", at: .seconds(3 + visit)) }
      #expect(hall.inside.contains("friend"))
      hall.inside.removeAll { $0 == "friend" }
    }
  }

  /// An origin that connects all the time does not displace origins that have connected once.
  @Test func aNewcomerMayBeTheOneThatGoes() {
    var hall = Hall(places: 4)
    for _ in 0..<10 { hall.door.recordArrival(from: "flood", at: .zero) }
    for friend in ["a", "b", "c", "d", "flood"] { hall.enter(friend, at: .seconds(1)) }
    #expect(hall.inside == ["a", "b", "c", "d"])
  }

  /// A proven connection resets the delay, and so does a minute without refusals.
  @Test func arrivalsAreForgotten() {
    var hall = Hall(places: 2)
    for _ in 0..<10 { for origin in ["a", "b"] { hall.door.recordArrival(from: origin, at: .zero) } }
    hall.door.recordSuccess(of: "a")
    for origin in ["a", "b", "c"] { hall.enter(origin, at: .seconds(1)) }
    #expect(hall.inside == ["a", "c"])
    hall.inside = []
    for _ in 0..<2 { hall.door.recordArrival(from: "d", at: .seconds(62)) }
    for origin in ["d", "b", "e"] { hall.enter(origin, at: .seconds(62)) }
    #expect(hall.inside == ["b", "e"])
  }

  /// However many origins there are, those are remembered that come most often.
  @Test func memoryOfOriginsIsBounded() {
    var door = OpenDoor()
    for _ in 0..<3 { door.recordArrival(from: "flood", at: .zero) }
    for index in 0..<5_000 { door.recordArrival(from: "\(index)", at: .milliseconds(index)) }
    #expect(door.victim(among: ["4998", "flood", "4999"], at: .seconds(5)) == 1)
    // The first ones are as good as new.
    #expect(door.victim(among: ["0", "4999"], at: .seconds(5)) == 1)
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8::7", "2001:db8:0:0::/64"), ("2001:db8:0:0:1::", "2001:db8:0:0::/64"),
    ("2001::1:5:6:7:8", "2001:0:0:1::/64"), ("::1", "0:0:0:0::/64"),
    ("fe80::1%eth0", "fe80:0:0:0::/64%eth0"), ("fe80::abcd:1:2:3%eth1", "fe80:0:0:0::/64%eth1"),
  ])
  func anIPv6NetworkIsOneOrigin(host: String, group: String) { #expect(OpenDoor.group(of: host) == group) }
}
