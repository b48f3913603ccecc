package import JSONLines

/// A guest: it shows its host's state and sends its user's intents.
///
/// An intent is kept until a snapshot shows that it has arrived, and is sent once in every connection, after
/// the host's first state. A host applies it once, however often it arrives.
public struct MeshGuest: Sendable {
  /// The state that the user sees.
  public struct View: Equatable, Sendable {
    /// Whether the host is connected.
    public var isConnected = false
    /// The last snapshot, even while disconnected; nil before the first one.
    public var snapshot: MeshSnapshot?
    /// The intents that have not arrived yet.
    public var pending: [MeshIntent] = []
  }

  /// The result of an event.
  public struct Step: Equatable, Sendable {
    /// Messages for the host, in their order.
    public var messages: [MeshMessage] = []
    /// The new view; nil if it is unchanged.
    public var view: View?
    /// The songs of dropped votes: songs that left the queue before a state showed the vote.
    public var dropped: [String] = []

    /// A step without an effect.
    public init() {}

    init(messages: [MeshMessage], view: View?, dropped: [String]) {
      self.messages = messages
      self.view = view
      self.dropped = dropped
    }
  }

  private let ownID: String
  private let hostID: String
  /// The state that the user sees now.
  public private(set) var view = View()
  /// How many of the pending intents were sent in this connection; nil before the host's first state.
  private var sent: Int?
  /// Pending intents that were sent in an earlier connection, so the host may know them.
  private var repeated: Set<MeshIntent> = []

  /// A guest of the host with that id.
  public init(ownID: String, hostID: String) {
    self.ownID = ownID
    self.hostID = hostID
  }

  /// Handles an event; returns the messages to send and the state to show.
  ///
  /// - Throws: ``MeshGuestError`` if a message is refused; the state is then unchanged.
  public mutating func handle(_ event: MeshEvent) throws(MeshGuestError) -> Step {
    let old = view
    var dropped: [String] = []
    switch event {
    case .connected(let peer) where peer.hasID(hostID): begin(isConnected: true)
    case .disconnected(let peer) where peer.hasID(hostID): begin(isConnected: false)
    case .message(.stateUpdate(let snapshot), let peer): dropped = try show(snapshot, of: peer)
    case .message(.intent, let peer): throw .notTheHost(peer)
    case .own(let intent): if !view.pending.contains(intent) { view.pending.append(intent) }
    case .connected, .disconnected, .discovered, .lost, .startFailed, .control, .remove: break
    }
    return Step(messages: outgoing(), view: view == old ? nil : view, dropped: dropped)
  }

  private mutating func begin(isConnected: Bool) {
    view.isConnected = isConnected
    repeated.formUnion(view.pending.prefix(sent ?? 0))
    sent = nil
  }

  /// Returns the songs of dropped votes.
  private mutating func show(
    _ snapshot: MeshSnapshot, of peer: MeshPeer
  ) throws(MeshGuestError) -> [String] {
    guard peer.hasID(hostID), view.isConnected else { throw .notTheHost(peer) }
    // A restarted host counts from the beginning, and its guests connect again.
    if sent != nil, let sequence = snapshot.sequence, let last = view.snapshot?.sequence, sequence <= last {
      throw .stale(sequence: sequence, last: last)
    }
    view.snapshot = snapshot
    var left = sent ?? 0
    var kept: [MeshIntent] = []
    var dropped: [String] = []
    for (index, intent) in view.pending.enumerated() {
      let wasSent = index < sent ?? 0 || repeated.contains(intent)
      let arrival = arrival(of: intent, wasSent: wasSent, in: snapshot)
      if case .pending = arrival {
        kept.append(intent)
        continue
      }
      if index < sent ?? 0 { left -= 1 }
      if case .gone(let songID) = arrival, !repeated.contains(intent) { dropped.append(songID) }
    }
    view.pending = kept
    repeated.formIntersection(kept)
    sent = left
    return dropped
  }

  private mutating func outgoing() -> [MeshMessage] {
    guard let sent else { return [] }
    self.sent = view.pending.count
    return view.pending[sent...].map { .intent($0, again: repeated.contains($0)) }
  }

  /// How a state settles an intent.
  private enum Arrival {
    case pending, arrived
    /// A vote for this song, which is no longer in the queue.
    case gone(String)
  }

  /// A vote is also pending if its song has not been suggested yet.
  ///
  /// A removed song settles only a suggestion that was sent, because the removal may be older than the wish.
  private func arrival(of intent: MeshIntent, wasSent: Bool, in snapshot: MeshSnapshot) -> Arrival {
    switch intent {
    case .vote(let songID):
      if let entry = snapshot.queue.first(where: { $0.song.hasID(songID) }) {
        return entry.voters.contains { $0.utf8.elementsEqual(ownID.utf8) } ? .arrived : .pending
      }
      return view.pending.contains { $0.suggests(songID) } ? .pending : .gone(songID)
    case .suggestSong(let song):
      let isThere =
        snapshot.nowPlaying?.hasID(song.id) == true
        || wasSent && snapshot.removedSong?.hasID(song.id) == true
        || snapshot.queue.contains { $0.song.hasID(song.id) }
      return isThere ? .arrived : .pending
    }
  }
}

extension MeshIntent {
  fileprivate func suggests(_ songID: String) -> Bool {
    if case .suggestSong(let song) = self { song.hasID(songID) } else { false }
  }
}

/// An event that a guest refuses.
public enum MeshGuestError: Error, Equatable, Sendable {
  case notTheHost(MeshPeer)
  /// A snapshot older than the shown one.
  case stale(sequence: Int, last: Int)
}

extension MeshError {
  package init(_ error: MeshGuestError) {
    switch error {
    case .notTheHost(let peer): self = .untrustedSender(peer.name, "sends a message and is not the host")
    case .stale(let sequence, let last): self = .staleSnapshot(sequence: sequence, last: last)
    }
  }
}

extension MeshGuest.View {
  /// The view as `meshevents guest` writes it.
  package var json: JSONValue {
    [
      "isConnected": .bool(isConnected), "state": snapshot?.json ?? .null,
      "pending": .array(pending.map(\.json)),
    ]
  }
}
