/// A guest: shows what its host says, and sends its user's intents.
///
/// An intent is kept until a snapshot shows that it has arrived, and goes out once in every connection to the host,
/// when the host has spoken. A host takes it once however often it comes.
public struct MeshGuest: Sendable {
  /// What the user sees.
  public struct View: Equatable, Sendable {
    /// Whether the host is connected.
    public var isConnected = false
    /// The last one, also while there is no connection; nil before the first.
    public var snapshot: MeshSnapshot?
    /// What has not arrived yet.
    public var pending: [MeshIntent] = []
  }

  /// What comes of an event.
  public struct Step: Equatable, Sendable {
    /// Messages for the host, in their order.
    public var messages: [MeshMessage] = []
    /// Nil where it is as before.
    public var view: View?

    /// Nothing comes of it.
    public init() {}

    init(messages: [MeshMessage], view: View?) {
      self.messages = messages
      self.view = view
    }
  }

  private let ownID: String
  private let hostID: String
  /// What the user sees now.
  public private(set) var view = View()
  /// How many of the pending intents have gone out in this connection; nil before the host has spoken.
  private var sent: Int?

  /// A guest of the host with that id.
  public init(ownID: String, hostID: String) {
    self.ownID = ownID
    self.hostID = hostID
  }

  /// Takes an event; gives what is to be sent and shown.
  ///
  /// - Throws: ``MeshGuestError`` where a message is not taken; nothing has changed then.
  public mutating func take(_ event: MeshEvent) throws(MeshGuestError) -> Step {
    let old = view
    switch event {
    case .connected(let peer) where peer.id == hostID:
      view.isConnected = true
      sent = nil
    case .disconnected(let peer) where peer.id == hostID:
      view.isConnected = false
      sent = nil
    case .message(.stateUpdate(let snapshot), let peer): try show(snapshot, of: peer)
    case .message(.intent, let peer): throw .notTheHost(peer)
    case .own(let intent): if !view.pending.contains(intent) { view.pending.append(intent) }
    case .connected, .disconnected, .discovered, .lost, .startFailed, .control, .remove: break
    }
    return Step(messages: outgoing(), view: view == old ? nil : view)
  }

  private mutating func show(_ snapshot: MeshSnapshot, of peer: MeshPeer) throws(MeshGuestError) {
    guard peer.id == hostID, view.isConnected else { throw .notTheHost(peer) }
    // A host that has been started again counts anew, and its guests connect anew.
    if sent != nil, let sequence = snapshot.sequence, let last = view.snapshot?.sequence, sequence <= last {
      throw .stale(sequence: sequence, last: last)
    }
    view.snapshot = snapshot
    var left = sent ?? 0
    var kept: [MeshIntent] = []
    for (index, intent) in view.pending.enumerated() {
      if hasArrived(intent, in: snapshot) {
        if index < sent ?? 0 { left -= 1 }
      } else {
        kept.append(intent)
      }
    }
    view.pending = kept
    sent = left
  }

  private mutating func outgoing() -> [MeshMessage] {
    guard let sent else { return [] }
    self.sent = view.pending.count
    return view.pending[sent...].map { .intent($0) }
  }

  /// A vote has arrived too where its song is not in the queue any more, unless it is still to be suggested.
  private func hasArrived(_ intent: MeshIntent, in snapshot: MeshSnapshot) -> Bool {
    switch intent {
    case .vote(let songID):
      snapshot.queue.first { $0.song.id == songID }.map { $0.voters.contains(ownID) }
        ?? !view.pending.contains { $0.suggestedID == songID }
    case .suggestSong(let song):
      snapshot.nowPlaying?.id == song.id || snapshot.removedSong?.id == song.id
        || snapshot.queue.contains { $0.song.id == song.id }
    }
  }
}

extension MeshIntent {
  fileprivate var suggestedID: String? {
    if case .suggestSong(let song) = self { song.id } else { nil }
  }
}

/// What a guest does not take.
public enum MeshGuestError: Error, Equatable, Sendable {
  case notTheHost(MeshPeer)
  /// A snapshot from before the one that is shown.
  case stale(sequence: Int, last: Int)
}

extension MeshError {
  package init(_ error: MeshGuestError) {
    switch error {
    case .notTheHost(let peer): self = .untrustedSender(peer.name, "sends something and is not the host")
    case .stale(let sequence, let last): self = .staleSnapshot(sequence: sequence, last: last)
    }
  }
}
