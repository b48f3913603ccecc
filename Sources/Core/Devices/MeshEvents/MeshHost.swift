/// The host: it keeps the queue and sends it to all guests whenever it changes.
///
/// Songs are in the order of their votes; with equal votes, in the order in which they were suggested. Each
/// peer's vote counts once, and only while the peer is connected. A repeated suggestion also counts only
/// once, even if its song has left the queue meanwhile.
public struct MeshHost: Sendable {
  private let own: MeshPeer
  /// The last snapshot sent, or the one to send.
  public private(set) var snapshot = MeshSnapshot()
  private var lastEntry = 0
  /// The ids of the songs that each peer has suggested, by the peer's id; all ids as UTF-8 bytes.
  private var suggested: [[UInt8]: Set<[UInt8]>] = [:]

  /// `own` is the peer that votes for this device's user.
  public init(own: MeshPeer) {
    self.own = own
    snapshot.sequence = 0
  }

  /// Handles an event; returns the state for all guests if it has changed.
  ///
  /// - Throws: ``MeshHostError`` if a peer sends a message that a host does not accept; the state is then
  /// unchanged.
  public mutating func handle(_ event: MeshEvent) throws(MeshHostError) -> MeshMessage? {
    var next = snapshot
    next.removedSong = nil
    let shown = next
    switch event {
    case .connected(let peer): enter(peer, &next)
    case .disconnected(let peer): next.connectedPeers.removeAll { $0.hasID(peer.id) }
    case .message(.intent(let intent, let again), let peer):
      guard next.connectedPeers.contains(where: { $0.hasID(peer.id) }) else { throw .notConnected(peer) }
      try follow(intent, again: again, of: peer, &next)
    case .message(.stateUpdate, let peer): throw .notAGuest(peer)
    case .own(let intent): try follow(intent, again: false, of: own, &next)
    case .control(let control): obey(control, &next)
    case .remove(let songID): remove(songID, &next)
    case .discovered, .lost, .startFailed: break
    }
    guard next != shown else { return nil }
    next.sequence = (snapshot.sequence ?? 0) + 1
    snapshot = next
    return .stateUpdate(next)
  }

  /// Adds a connected peer; if it is already known, its name is updated.
  private func enter(_ peer: MeshPeer, _ next: inout MeshSnapshot) {
    if let index = next.connectedPeers.firstIndex(where: { $0.hasID(peer.id) }) {
      next.connectedPeers[index] = peer
    } else {
      next.connectedPeers.append(peer)
    }
  }

  private mutating func follow(
    _ intent: MeshIntent, again: Bool, of peer: MeshPeer, _ next: inout MeshSnapshot
  ) throws(MeshHostError) {
    switch intent {
    case .vote(let songID):
      guard let index = next.queue.firstIndex(where: { $0.song.hasID(songID) }) else {
        throw .notInQueue(songID: songID, peer)
      }
      guard !next.queue[index].voters.contains(where: peer.hasID) else { return }
      next.queue[index].voters.append(peer.id)
      rise(index, &next)
    case .suggestSong(let song): try suggest(song, again: again, of: peer, &next)
    }
  }

  private mutating func suggest(
    _ song: MeshSong, again: Bool, of peer: MeshPeer, _ next: inout MeshSnapshot
  ) throws(MeshHostError) {
    let (id, songID) = (Array(peer.id.utf8), Array(song.id.utf8))
    let isKnown = suggested[id]?.contains(songID) ?? false
    guard song.textCount <= Self.longestSong,
      isKnown || suggested[id]?.count ?? 0 < Self.mostSuggestions
    else { throw .noRoom(songID: song.id, peer) }
    guard next.nowPlaying?.hasID(song.id) != true,
      !next.queue.contains(where: { $0.song.hasID(song.id) })
    else {
      suggested[id, default: []].insert(songID)
      return
    }
    if again, isKnown {
      // The song was played or removed. The guest has not seen this, so the state reports it, and the guest
      // stops waiting.
      next.removedSong = song
      return
    }
    guard next.queue.count < Self.mostSongs,
      next.queue.count(where: { $0.addedBy.hasID(peer.id) }) < Self.mostWaiting
    else { throw .noRoom(songID: song.id, peer) }
    suggested[id, default: []].insert(songID)
    lastEntry += 1
    next.queue.append(.init(id: String(lastEntry), song: song, addedBy: peer, voters: []))
  }

  /// Limits on the queue, which each state contains: its songs, its songs of one peer, and the bytes of a
  /// song's texts.
  private static let (mostSongs, mostWaiting, longestSong) = (1_000, 100, 4_096)
  /// The most songs that one peer may suggest in a run.
  private static let mostSuggestions = 10_000

  /// Moves a song before those with fewer votes; all others keep their order.
  private func rise(_ index: Int, _ next: inout MeshSnapshot) {
    let entry = next.queue.remove(at: index)
    let place = next.queue[..<index].firstIndex { other in
      other.voters.count < entry.voters.count
        || other.voters.count == entry.voters.count && Self.number(other) > Self.number(entry)
    }
    next.queue.insert(entry, at: place ?? index)
  }

  private static func number(_ entry: MeshSnapshot.Entry) -> Int { Int(entry.id) ?? 0 }

  private func obey(_ control: MeshEvent.Control, _ next: inout MeshSnapshot) {
    switch control {
    case .play: next.isPlaying = next.nowPlaying != nil
    case .pause: next.isPlaying = false
    case .next:
      next.nowPlaying = next.queue.isEmpty ? nil : next.queue.removeFirst().song
      next.isPlaying = next.nowPlaying != nil
    }
  }

  private func remove(_ songID: String, _ next: inout MeshSnapshot) {
    guard let index = next.queue.firstIndex(where: { $0.song.hasID(songID) }) else { return }
    next.removedSong = next.queue.remove(at: index).song
  }
}

/// An event that a host refuses.
public enum MeshHostError: Error, Equatable, Sendable {
  /// A request of a guest that is not connected.
  case notConnected(MeshPeer)
  /// Another peer acts as host.
  case notAGuest(MeshPeer)
  /// A vote for a song that is not, or no longer, in the queue.
  case notInQueue(songID: String, MeshPeer)
  /// A suggested song that is too long or over a limit.
  case noRoom(songID: String, MeshPeer)
}

extension MeshError {
  package init(_ error: MeshHostError) {
    switch error {
    case .notConnected(let peer): self = .untrustedSender(peer.name, "sends an intent and is not connected")
    case .notAGuest(let peer): self = .untrustedSender(peer.name, "sends a state, which only the host may do")
    case .notInQueue(let songID, let peer): self = .droppedVotes([songID], of: peer.name)
    case .noRoom(let songID, let peer): self = .droppedSong(songID, of: peer.name)
    }
  }
}
