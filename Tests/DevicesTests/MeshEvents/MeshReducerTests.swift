import Devices
import JSONLines
import SyncCore
import Testing

@Suite struct MeshReducerTests {
  private let ann = MeshPeer(id: "A", name: "Bob")
  private let bob = MeshPeer(id: "B", name: "Bob")
  private let boss = MeshPeer(id: "H", name: "Host")

  private func song(_ id: String) -> MeshSong {
    MeshSong(id: id, title: "T\(id)", artist: "A", duration: 60)
  }

  /// A host with two guests of one name and three songs.
  private func host() throws -> MeshHost {
    var host = MeshHost(own: boss)
    for peer in [ann, bob] { _ = try host.handle(.connected(peer)) }
    for id in ["1", "2", "3"] { _ = try host.handle(.message(.intent(.suggestSong(song(id))), from: ann)) }
    return host
  }

  private func order(_ host: MeshHost) -> [String] { host.snapshot.queue.map(\.song.id) }

  private func vote(_ id: String, _ peer: MeshPeer) -> MeshEvent {
    .message(.intent(.vote(songID: id)), from: peer)
  }

  @Test(arguments: [
    (
      #"{"event":"peerConnected","peer":{"id":"A","name":"a","name":"b"}}"#,
      MeshError.member(MemberError(.duplicate, at: ["peer", "name"]))
    ),
    (
      #"{"event":"peerLost","peer":{"id":"A","name":"a","\u0069d":"B"}}"#,
      .member(MemberError(.duplicate, at: ["peer", "id"]))
    ),
    (#"{"event":"peerConnected","peer":{"id":"A","name":"a","displayName":"b"}}"#, .severalNames),
    (
      #"{"event":"messageReceived","from":{"id":"A","displayName":"a","displayName":"b"},"message":{}}"#,
      .member(MemberError(.duplicate, at: ["from", "displayName"]))
    ),
  ])
  func aPeerSaysOneThing(line: String, error: MeshError) {
    #expect(error.code == .duplicateMember)
    #expect(throws: error) { try MeshEvent(parsing: Array(line.utf8).span) }
  }

  /// Two names are one only if they have the same bytes, and many members take no longer each than a few.
  @Test func namesAreComparedByTheirBytes() throws {
    let members = (0..<50_000).map { ",\"x\($0)\":0" }.joined()
    let line = #"{"event":"startFailed","role":"r","reason":"","\u00e9":1,"e\u0301":2"# + members + "}"
    #expect(
      try MeshEvent(parsing: Array(line.utf8).span) == .startFailed(role: "r", reason: ""))
  }

  @Test func aVoteCountsOnceAPeerAndNotOnceAName() throws {
    var host = try host()
    #expect(try host.handle(vote("3", ann)) != nil)
    #expect(try host.handle(vote("3", ann)) == nil)
    #expect(try host.handle(vote("3", bob)) != nil)
    #expect(host.snapshot.queue[0].voters == ["A", "B"])
    #expect(order(host) == ["3", "1", "2"])
  }

  @Test func equalVotesKeepTheirOrder() throws {
    var host = try host()
    for id in ["3", "2", "1"] { _ = try host.handle(vote(id, bob)) }
    #expect(order(host) == ["1", "2", "3"])
    _ = try host.handle(vote("2", ann))
    #expect(order(host) == ["2", "1", "3"])
  }

  @Test func everyChangeIsBroadcastAndNothingElse() throws {
    var host = try host()
    let sequence = host.snapshot.sequence ?? 0
    for event: MeshEvent in [.discovered(ann), .lost(ann), .connected(ann), .control(.pause)] {
      #expect(try host.handle(event) == nil)
    }
    #expect(host.snapshot.sequence == sequence)
    guard case .stateUpdate(let snapshot)? = try host.handle(.control(.next)) else {
      Issue.record("no state")
      return
    }
    #expect(snapshot.nowPlaying == song("1"))
    #expect(snapshot.isPlaying)
    #expect(snapshot.sequence == sequence + 1)
    #expect(try host.handle(.message(.intent(.suggestSong(song("1"))), from: bob)) == nil)
  }

  @Test func aVoteForASongThatIsNotThereIsReported() throws {
    var host = try host()
    #expect(throws: MeshHostError.notInQueue(songID: "9", ann)) { try host.handle(vote("9", ann)) }
    #expect(throws: MeshHostError.notInQueue(songID: "9", boss)) { try host.handle(.own(.vote(songID: "9"))) }
    #expect(host.snapshot.sequence == 5)
  }

  /// The link broke before the guest saw that its song was taken; it was played meanwhile.
  @Test func aSettledSuggestionDoesNotComeBack() throws {
    var (host, guest) = (MeshHost(own: boss), MeshGuest(ownID: "A", hostID: "H"))
    func shown(_ message: MeshMessage?) throws -> MeshEvent { .message(try #require(message), from: boss) }
    _ = try guest.handle(.connected(boss))
    _ = try guest.handle(try shown(host.handle(.connected(ann))))
    let first = try guest.handle(.own(.suggestSong(song("1")))).messages
    #expect(first == [.intent(.suggestSong(song("1")))])
    _ = try host.handle(.message(first[0], from: ann))
    for event: MeshEvent in [.disconnected(ann), .control(.next), .control(.next)] {
      _ = try host.handle(event)
    }

    _ = try guest.handle(.disconnected(boss))
    _ = try guest.handle(.connected(boss))
    let repeated = try guest.handle(try shown(host.handle(.connected(ann)))).messages
    #expect(repeated == [.intent(.suggestSong(song("1")), again: true)])
    let told = try host.handle(.message(repeated[0], from: ann))
    #expect(host.snapshot.queue == [])
    #expect(try guest.handle(try shown(told)).view?.pending == [])
    // A new wish for the same song is one.
    let anew = try guest.handle(.own(.suggestSong(song("1")))).messages
    #expect(anew == first)
    _ = try host.handle(.message(anew[0], from: ann))
    #expect(order(host) == ["1"])
  }

  /// Its song was removed before the guest was connected and could ask for it.
  @Test func aRemovalSettlesOnlyASuggestionThatWasSent() throws {
    var guest = MeshGuest(ownID: "A", hostID: "H")
    for event: MeshEvent in [.own(.suggestSong(song("1"))), .connected(boss)] { _ = try guest.handle(event) }
    var snapshot = MeshSnapshot()
    (snapshot.sequence, snapshot.removedSong) = (1, song("1"))
    let first = try guest.handle(.message(.stateUpdate(snapshot), from: boss))
    #expect(first.messages == [.intent(.suggestSong(song("1")))])
    #expect(guest.view.pending == [.suggestSong(song("1"))])
    snapshot.sequence = 2
    #expect(try guest.handle(.message(.stateUpdate(snapshot), from: boss)).view?.pending == [])
  }

  /// A guest at its limit repeats a song after a new connection.
  @Test func aRepeatedSuggestionIsNotAFurtherOne() throws {
    var host = try host()
    for id in 4...100 { _ = try host.handle(.message(.intent(.suggestSong(song("\(id)"))), from: ann)) }
    #expect(throws: MeshHostError.noRoom(songID: "101", ann)) {
      try host.handle(.message(.intent(.suggestSong(song("101"))), from: ann))
    }
    let waiting = MeshEvent.message(.intent(.suggestSong(song("4")), again: true), from: ann)
    #expect(try host.handle(waiting) == nil)
    _ = try host.handle(.control(.next))
    _ = try host.handle(.control(.next))
    for id in 101...102 { _ = try host.handle(.message(.intent(.suggestSong(song("\(id)"))), from: ann)) }
    let played = MeshEvent.message(.intent(.suggestSong(song("1")), again: true), from: ann)
    #expect(try host.handle(played) != nil && host.snapshot.removedSong == song("1"))
  }

  @Test func aSuggestionThatWasLostIsTakenWhenItComesAgain() throws {
    var host = try host()
    #expect(try host.handle(.message(.intent(.suggestSong(song("7")), again: true), from: bob)) != nil)
    #expect(order(host) == ["1", "2", "3", "7"])
  }

  @Test func aRemovedSongIsToldOnce() throws {
    var host = try host()
    _ = try host.handle(.remove(songID: "2"))
    #expect(host.snapshot.removedSong == song("2"))
    #expect(order(host) == ["1", "3"])
    #expect(try host.handle(.remove(songID: "2")) == nil)
    _ = try host.handle(vote("3", ann))
    #expect(host.snapshot.removedSong == nil)
  }

  @Test func whoIsNotConnectedHasNoSay() throws {
    var host = try host()
    _ = try host.handle(.disconnected(ann))
    #expect(host.snapshot.connectedPeers == [bob])
    #expect(throws: MeshHostError.notConnected(ann)) { try host.handle(vote("1", ann)) }
    #expect(throws: MeshHostError.notAGuest(bob)) {
      try host.handle(.message(.stateUpdate(MeshSnapshot()), from: bob))
    }
  }

  // MARK: Guests

  private func state(_ sequence: Int?, _ songs: String...) -> MeshMessage {
    var snapshot = MeshSnapshot()
    snapshot.sequence = sequence
    snapshot.queue = songs.map { .init(id: $0, song: song($0), addedBy: boss, voters: []) }
    return .stateUpdate(snapshot)
  }

  private func guest() throws -> MeshGuest {
    var guest = MeshGuest(ownID: "A", hostID: "H")
    _ = try guest.handle(.connected(boss))
    _ = try guest.handle(.message(state(5, "1"), from: boss))
    return guest
  }

  @Test func aGuestTrustsOnlyItsHost() throws {
    var guest = try guest()
    _ = try guest.handle(.connected(bob))
    #expect(throws: MeshGuestError.notTheHost(bob)) { try guest.handle(.message(state(9), from: bob)) }
    #expect(throws: MeshGuestError.notTheHost(boss)) {
      try guest.handle(.message(.intent(.vote(songID: "1")), from: boss))
    }
    #expect(try guest.handle(.disconnected(bob)) == MeshGuest.Step())
    #expect(guest.view.isConnected)
    #expect(try guest.handle(.disconnected(boss)).view?.isConnected == false)
  }

  @Test func anOlderStateIsNotShown() throws {
    var guest = try guest()
    for sequence in [4, 5] {
      #expect(throws: MeshGuestError.stale(sequence: sequence, last: 5)) {
        try guest.handle(.message(state(sequence), from: boss))
      }
    }
    #expect(guest.view.snapshot?.sequence == 5)
    // The first apps have no sequence.
    #expect(try guest.handle(.message(state(nil, "7"), from: boss)).view != nil)
  }

  @Test func aHostThatWasStartedAgainCountsAnew() throws {
    var guest = try guest()
    _ = try guest.handle(.disconnected(boss))
    _ = try guest.handle(.connected(boss))
    #expect(try guest.handle(.message(state(1, "2"), from: boss)).view?.snapshot?.sequence == 1)
  }

  @Test func anIntentIsSentUntilItHasArrived() throws {
    var guest = MeshGuest(ownID: "A", hostID: "H")
    #expect(try guest.handle(.own(.suggestSong(song("2")))).messages == [])
    #expect(try guest.handle(.own(.vote(songID: "2"))).messages == [])
    #expect(try guest.handle(.connected(boss)).messages == [])
    let both: [MeshMessage] = [.intent(.suggestSong(song("2"))), .intent(.vote(songID: "2"))]
    #expect(try guest.handle(.message(state(1, "1"), from: boss)).messages == both)
    #expect(try guest.handle(.message(state(2, "1"), from: boss)).messages == [])
    _ = try guest.handle(.disconnected(boss))
    _ = try guest.handle(.connected(boss))
    let vote = MeshMessage.intent(.vote(songID: "2"), again: true)
    #expect(try guest.handle(.message(state(3, "1", "2"), from: boss)).messages == [vote])
    var done = MeshSnapshot()
    done.queue = [.init(id: "2", song: song("2"), addedBy: ann, voters: ["A"])]
    #expect(try guest.handle(.message(.stateUpdate(done), from: boss)).view?.pending == [])
  }

  /// A string equals every spelling of its characters, but an id is bytes.
  @Test func peersWhoseIDsDifferInTheirUnicodeFormVoteSeparately() throws {
    var host = try host()
    let two = [MeshPeer(id: "\u{e9}", name: "a"), MeshPeer(id: "e\u{301}", name: "a")]
    for peer in two { _ = try host.handle(.connected(peer)) }
    for peer in two { _ = try host.handle(vote("3", peer)) }
    #expect(host.snapshot.connectedPeers.count == 4)
    #expect(host.snapshot.queue.first?.voters.count == 2)
    _ = try host.handle(.disconnected(two[0]))
    #expect(host.snapshot.connectedPeers.count == 3)
  }

  @Test func songsWhoseIDsDifferInTheirUnicodeFormAreTwo() throws {
    let (one, other) = ("\u{e9}", "e\u{301}")
    var host = MeshHost(own: boss)
    for id in [one, other] { _ = try host.handle(.own(.suggestSong(song(id)))) }
    _ = try host.handle(.own(.vote(songID: other)))
    #expect(host.snapshot.queue.map(\.song) == [song(other), song(one)])
    _ = try host.handle(.remove(songID: one))
    #expect(host.snapshot.queue.map(\.song) == [song(other)])

    var guest = MeshGuest(ownID: "A", hostID: "H")
    for id in [one, other] {
      for intent: MeshIntent in [.suggestSong(song(id)), .vote(songID: id)] {
        _ = try guest.handle(.own(intent))
      }
    }
    #expect(guest.view.pending.count == 4)
    _ = try guest.handle(.connected(boss))
    _ = try guest.handle(.message(state(1, one), from: boss))
    #expect(guest.view.pending == [.vote(songID: one), .suggestSong(song(other)), .vote(songID: other)])
  }

  /// It cannot be counted, but a vote sent in an earlier connection may have counted.
  @Test func aVoteThatComesTooLateIsReported() throws {
    var late = try guest()
    _ = try late.handle(.own(.vote(songID: "1")))
    let step = try late.handle(.message(state(6, "2"), from: boss))
    #expect(step.dropped == ["1"] && step.view?.pending == [])

    var cut = try guest()
    _ = try cut.handle(.own(.vote(songID: "1")))
    _ = try cut.handle(.disconnected(boss))
    _ = try cut.handle(.connected(boss))
    let after = try cut.handle(.message(state(6, "2"), from: boss))
    #expect(after.dropped == [] && after.view?.pending == [])
  }
}
