import JSONLines

extension MeshBook {
  struct Handle {
    var peer: Int
    var isFound = false
    var isConnecting = false
    var isConnected = false
    /// It was connected and is not any more, so that what still comes belongs to a session that is over.
    var hasLeft = false
  }

  struct Peer {
    private(set) var peer: MeshPeer
    /// How many handles are found, being connected, and connected.
    var found = 0
    var connecting = 0
    var connected = 0
    /// Messages that came before it was connected.
    var held: [HeldMessage] = []
    var heldBytes = 0
    /// The peer as JSON.
    private(set) var text: [UInt8] = []
    /// What the line of a message of it begins with.
    private(set) var opening: [UInt8] = []

    init(_ peer: MeshPeer) {
      self.peer = peer
      write()
    }

    mutating func setName(_ name: String) {
      peer.name = name
      write()
    }

    private mutating func write() {
      text = Array(peer.json.text.utf8)
      opening = MeshEventText.opening(of: text)
    }
  }

  struct HeldMessage {
    var text: [UInt8]
    /// The raw value of `at`.
    var at: [UInt8]
  }
}
