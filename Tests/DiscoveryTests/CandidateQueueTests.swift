@testable import Discovery
import SystemIO
import Testing

/// The order in which candidate devices are tried.
@Suite struct CandidateQueueTests {
  private func peer(
    _ name: String, _ pairs: String..., number: Int = 0, port: UInt16 = 7_000, host: UInt32 = 9
  ) -> Peer {
    var txt = TextRecord()
    for pair in pairs { _ = txt.add(pair) }
    return Peer(
      name: DNSServiceType.peers.name.prefixed(by: name)!, number: number, service: .peers,
      host: DomainName("\(name).local")!, port: port,
      addresses: [Peer.Address(address: Stage.address(host), link: Stage.link)], txt: txt)
  }

  private func queue(_ peers: Peer..., id: String? = "K1") -> CandidateQueue {
    var queue = CandidateQueue(id: id, at: .zero)
    for peer in peers { queue.handle(.discovered(peer), at: .zero) }
    return queue
  }

  @Test func theRightIdComesFirstAndOthersLater() {
    var queue = queue(
      peer("Other", "id=X"), peer("Bare"), peer("Old", "id=K1", "pv=1"), peer("Right", "id=k1", "pv=2"))
    #expect(queue.next(at: .zero)?.instance == "Right")
    #expect(queue.next(at: .zero) == nil && queue.deadline == .seconds(1))
    #expect(queue.next(at: .seconds(1))?.instance == "Bare")
    let rest = [queue.next(at: .seconds(2)), queue.next(at: .seconds(2)), queue.next(at: .seconds(2))]
    #expect(rest.map { $0?.instance } == ["Right", "Old", "Other"])
  }

  @Test func withoutAnIdAllAreTheSame() {
    var queue = queue(peer("A", "id=1"), peer("B"), id: nil)
    #expect(queue.next(at: .zero)?.instance == "A" && queue.next(at: .zero)?.instance == "B")
  }

  @Test func whoWaitsToBePairedWithIsNobodysPeer() {
    let (waiting, serving) = (peer("A", "pv=2", "pairing"), peer("B", "pv=2", "id=K1"))
    var search = queue(waiting, serving)
    #expect([search.next(at: .seconds(2)), search.next(at: .seconds(2))].map { $0?.instance } == ["B", nil])
    var pairing = CandidateQueue(id: nil, isPairing: true, at: .zero)
    for peer in [waiting, serving] { pairing.handle(.discovered(peer), at: .zero) }
    #expect([pairing.next(at: .zero), pairing.next(at: .zero)].map { $0?.instance } == ["A", nil])
    pairing.handle(.updated(peer("A", "pv=2", "id=K1")), at: .seconds(9))
    #expect(pairing.next(at: .seconds(9)) == nil)
  }

  /// A device with a version is not one of the first apps.
  @Test func peersOfVersion1AreFoundByTheirNameAlone() {
    var queue = CandidateQueue(id: nil, name: " Mac", at: .zero)
    for peer in [peer("mac"), peer("Mac "), peer("Mac", "pv=2", "id=K1"), peer("Mac (2)")] {
      queue.handle(.discovered(peer), at: .zero)
    }
    #expect([queue.next(at: .zero), queue.next(at: .zero)].map { $0?.instance } == ["Mac ", nil])
  }

  @Test func whoIsGivenUpStaysAwayUntilItMoves() {
    let wrong = peer("A", "id=K1")
    var queue = queue(wrong)
    _ = queue.next(at: .zero)
    queue.giveUp(wrong)
    queue.handle(.updated(peer("A", "id=K1", "note=new")), at: .seconds(3))
    #expect(queue.next(at: .seconds(9)) == nil && queue.deadline == nil)
    queue.handle(.updated(peer("A", "id=K1", port: 7_001)), at: .seconds(10))
    #expect(queue.next(at: .seconds(10))?.port == 7_001)
  }

  @Test func aBetterHintMakesAnotherCandidate() {
    var queue = queue(peer("A"))
    queue.handle(.updated(peer("A", "id=K1")), at: .ms(100))
    #expect(queue.next(at: .ms(100))?.instance == "A")
  }

  @Test func namesThatLookTheSameAreTwoDevices() {
    var queue = queue(peer("K\u{FC}che", "id=K1", "pv=2"), peer("Ku\u{308}che", "id=X", "pv=2", host: 66))
    #expect(queue.count == 2 && queue.next(at: .zero)?.txt.text(TextRecord.id) == "K1")
    queue.handle(.lost(peer("Ku\u{308}che"), .goodbye), at: .ms(100))
    #expect(queue.count == 1 && queue.next(at: .seconds(5))?.txt.text(TextRecord.id) == "K1")
  }

  @Test func devicesOfOneNameAreTriedBoth() {
    var queue = queue(peer("Box", "id=X"), peer("Box", "id=K1", number: 1, host: 66))
    #expect([queue.next(at: .zero), queue.next(at: .seconds(1))].map { $0?.number } == [1, nil])
    queue.handle(.lost(peer("Box", number: 1), .interface), at: .seconds(2))
    #expect(queue.count == 1 && queue.next(at: .seconds(2))?.number == 0)
  }

  @Test func aTurnTriesSomeAddressesAndTheNextOneGoesOn() {
    var many = peer("A", "id=K1")
    many.addresses = (UInt32(1)...5).map { Peer.Address(address: Stage.address($0), link: Stage.link) }
    var queue = queue(many)
    let (first, second) = (tried(queue.next(at: .zero)), tried(queue.next(at: .seconds(2))))
    #expect(first == ["10.77.0.1", "10.77.0.2", "10.77.0.3"])
    #expect(second == ["10.77.0.4", "10.77.0.5", "10.77.0.1"])
    #expect(tried(many, isCounted: false).count == 5)
  }

  private func tried(_ peer: Peer?, isCounted: Bool = true) -> [String] {
    var turn = peer.map { DeviceTurn($0) }
    var places: [String] = []
    while let place = turn?.next() {
      if isCounted { turn?.countTry() }
      places.append(place.text)
    }
    return places
  }

  @Test func whoWasTriedIsUnprovenUntilItIsGivenUp() {
    let other = peer("A", "id=K1")
    var queue = queue(other, peer("B", "id=X"))
    #expect(!queue.hasUnproven)
    _ = queue.next(at: .zero)
    #expect(queue.hasUnproven)
    queue.giveUp(other)
    #expect(!queue.hasUnproven && queue.count == 2)
  }

  @Test func whoHasGoneIsNotTried() {
    var queue = queue(peer("A", "id=K1"))
    queue.handle(.lost(peer("A", "id=K1"), .goodbye), at: .ms(100))
    #expect(queue.next(at: .seconds(5)) == nil && queue.count == 0)
  }

  @Test func linkLocalAddressesNameTheirInterface() {
    let six = Peer.Address(address: .v6(0xFE80 << 48, 1), link: Stage.link)
    #expect(six.text == "fe80::1%eth0")
    #expect(Peer.Address(address: .v6(0xFD00 << 48, 1), link: Stage.link).text == "fd00::1")
    #expect(Peer.Address(address: Stage.address(1), link: Stage.link).text == "10.77.0.1")
  }
}
