import JSONLines

/// The peers by their handles, and the facts that were reported about each.
///
/// A peer may have several handles: one by which it was found and one of its link, or a new one after a
/// restart. A peer is found, or connected, while one of its handles is. docs/formats/mesh.md has the table.
struct MeshBook {
  /// The maximum number of bytes held for one peer.
  static let heldLimit = 1 << 20

  private(set) var handles: [Handle] = []
  private(set) var peers: [Peer] = []
  /// The places of the peers by the UTF-8 bytes of their ids.
  private var indexes: [[UInt8]: Int] = [:]
  private var walk = MeshShapeWalk()

  /// Gives the next handle to the peer with that id, and returns the handle's number.
  mutating func addHandle(of peer: MeshPeer) -> Int {
    handles.append(Handle(peer: index(of: peer)))
    return handles.count - 1
  }

  func peer(of handle: Int) -> MeshPeer { peers[handles[handle].peer].peer }

  /// Applies a change of name, or of id unless the handle is connected.
  mutating func rename(_ handle: Int, _ peer: MeshPeer, at: Span<UInt8>, into output: inout [UInt8])
    throws(MeshError)
  {
    let old = self.peer(of: handle)
    guard old != peer else { return }
    if !old.hasID(peer.id) {
      guard !handles[handle].isConnected else { throw .changedIdentity(from: old.id, to: peer.id) }
      lose(handle, at: at, into: &output)
      // The attempt belongs to the handle; its end is reported for the peer that the handle has when the
      // attempt ends.
      let isConnecting = endAttempt(handle)
      let earlier = handles[handle].peer
      handles[handle].peer = index(of: peer)
      handles[handle].hasLeft = false
      moveHeld(of: handle, from: earlier, into: &output)
      if isConnecting { beginConnecting(handle) }
    } else {
      setName(peer.name, of: handles[handle].peer)
    }
  }

  private mutating func index(of peer: MeshPeer) -> Int {
    if let index = indexes[Array(peer.id.utf8)] {
      setName(peer.name, of: index)
      return index
    }
    peers.append(Peer(peer))
    indexes[Array(peer.id.utf8)] = peers.count - 1
    return peers.count - 1
  }

  private mutating func setName(_ name: String, of index: Int) {
    guard !name.isEmpty, peers[index].peer.name != name else { return }
    peers[index].setName(name)
  }

  // MARK: Transitions

  mutating func find(_ handle: Int, at: Span<UInt8>, into output: inout [UInt8]) {
    let index = handles[handle].peer
    handles[handle].hasLeft = false
    guard !handles[handle].isFound else { return }
    handles[handle].isFound = true
    peers[index].found += 1
    if peers[index].found == 1 { MeshEventText.append("peerDiscovered", peers[index].text, at, to: &output) }
  }

  /// Notes that a peer is no longer announced; if it is connected, it stays connected.
  mutating func lose(_ handle: Int, at: Span<UInt8>, into output: inout [UInt8]) {
    let index = handles[handle].peer
    guard handles[handle].isFound else { return }
    handles[handle].isFound = false
    peers[index].found -= 1
    if peers[index].found == 0 { MeshEventText.append("peerLost", peers[index].text, at, to: &output) }
  }

  /// Notes an invitation: callbacks from now on belong to a new session, which may fail to start.
  mutating func invite(_ handle: Int) { handles[handle].hasLeft = false }

  mutating func beginConnecting(_ handle: Int) {
    handles[handle].hasLeft = false
    guard !handles[handle].isConnecting, !handles[handle].isConnected else { return }
    handles[handle].isConnecting = true
    peers[handles[handle].peer].connecting += 1
  }

  /// Ends an attempt to connect; true if the handle was being connected.
  private mutating func endAttempt(_ handle: Int) -> Bool {
    guard handles[handle].isConnecting else { return false }
    handles[handle].isConnecting = false
    peers[handles[handle].peer].connecting -= 1
    return true
  }

  /// Notes a connected handle; if another handle of the peer is connected too, a new session begins.
  mutating func connect(_ handle: Int, at: Span<UInt8>, into output: inout [UInt8]) {
    let index = handles[handle].peer
    _ = endAttempt(handle)
    handles[handle].hasLeft = false
    guard !handles[handle].isConnected else { return }
    handles[handle].isConnected = true
    peers[index].connected += 1
    // For example, the peer has restarted, and the end of its old connection is not known yet.
    if peers[index].connected > 1 {
      MeshEventText.append("peerDisconnected", peers[index].text, at, to: &output)
    }
    MeshEventText.append("peerConnected", peers[index].text, at, to: &output)
    writeHeld(index, into: &output)
  }

  /// Handles the end of a connection, or of an attempt to make one.
  mutating func disconnect(
    _ handle: Int, at: Span<UInt8>, into output: inout [UInt8]
  ) throws(MeshError) {
    let index = handles[handle].peer
    let wasConnected = handles[handle].isConnected
    if wasConnected {
      handles[handle].isConnected = false
      handles[handle].hasLeft = true
      peers[index].connected -= 1
    }
    let hasFailed = endAttempt(handle) && peers[index].connecting == 0
    guard peers[index].connected == 0 else { return }
    if wasConnected || hasFailed {
      MeshEventText.append("peerDisconnected", peers[index].text, at, to: &output)
    }
    guard !wasConnected else { return }
    // Messages of the peer's other handles are held until those are connected.
    let discarded = peers[index].takeHeld(of: handle).count
    if let error = unconnected(index, discarded, because: "was never connected") { throw error }
  }

  /// Whether the handle's connection has ended, and a new one has not begun.
  func hasLeft(_ handle: Int) -> Bool { handles[handle].hasLeft }

  /// The name that a peer has by any of its handles.
  func name(ofID id: String) -> String? { indexes[Array(id.utf8)].map { peers[$0].peer.name } }

  // MARK: Messages

  /// Handles the unchecked text of a message.
  mutating func receive(
    _ handle: Int, _ text: Span<UInt8>, at: Span<UInt8>, into output: inout [UInt8]
  ) throws(MeshError) {
    let isPlain: Bool
    do throws(MeshError) {
      isPlain = try MeshMessage.check(text, by: &walk)
    } catch {
      guard case .notAMeshMessage(_, let reason) = error else { throw error }
      throw .notAMeshMessage(from: peer(of: handle).name, reason)
    }
    if isPlain {
      try deliver(handle, text, at: at, into: &output)
    } else {
      let line = text.withoutLineBreaks(text.onlyValue)
      try deliver(handle, line.span, at: at, into: &output)
    }
  }

  /// Writes a checked message, or holds it until its peer is connected.
  private mutating func deliver(
    _ handle: Int, _ text: Span<UInt8>, at: Span<UInt8>, into output: inout [UInt8]
  ) throws(MeshError) {
    let index = handles[handle].peer
    if peers[index].connected > 0 {
      MeshEventText.appendMessage(text, after: peers[index].opening, at, to: &output)
      return
    }
    let name = label(index)
    guard !handles[handle].hasLeft else {
      throw .unconnectedPeer(name, count: 1, reason: "is no longer connected")
    }
    guard peers[index].heldBytes + text.count <= Self.heldLimit else {
      throw .unconnectedPeer(name, count: 1, reason: "is not connected yet and has sent too much")
    }
    peers[index].hold(HeldMessage(handle: handle, text: text.copied, at: at.copied))
  }

  /// Writes the held messages of a peer that is connected.
  private mutating func writeHeld(_ index: Int, into output: inout [UInt8]) {
    for message in peers[index].held {
      MeshEventText.appendMessage(
        message.text.span, after: peers[index].opening, message.at.span, to: &output)
    }
    peers[index].dropHeld()
  }

  /// Moves the held messages of a handle from its earlier peer to the peer that it has now.
  private mutating func moveHeld(of handle: Int, from earlier: Int, into output: inout [UInt8]) {
    let index = handles[handle].peer
    for message in peers[earlier].takeHeld(of: handle) { peers[index].hold(message) }
    if peers[index].connected > 0 { writeHeld(index, into: &output) }
  }

  /// The callbacks still held when the input ends.
  mutating func finish() -> [MeshError] {
    peers.indices.compactMap { index in
      let count = peers[index].held.count
      peers[index].dropHeld()
      return unconnected(index, count, because: "is not connected")
    }
  }

  /// The error for this many discarded messages of a peer; nil for none.
  private func unconnected(_ index: Int, _ count: Int, because reason: String) -> MeshError? {
    count == 0 ? nil : .unconnectedPeer(label(index), count: count, reason: reason)
  }

  /// The name of a peer for a message, or its id if it does not have a name.
  private func label(_ index: Int) -> String {
    let peer = peers[index].peer
    return peer.name.isEmpty ? peer.id : peer.name
  }
}
