import JSONLines

extension MeshBook {
  struct Handle {
    var peer: Int
    var isFound = false
    var isConnecting = false
    var isConnected = false
    /// Whether the connection has ended; messages that still arrive belong to the session that ended.
    var hasLeft = false
  }

  struct Peer {
    private(set) var peer: MeshPeer
    /// How many handles are found, being connected, and connected.
    var found = 0
    var connecting = 0
    var connected = 0
    /// Messages that arrived before the peer was connected.
    private(set) var held: [HeldMessage] = []
    private(set) var heldBytes = 0
    /// The peer as JSON.
    private(set) var text: [UInt8] = []
    /// The beginning of each line for a message from this peer.
    private(set) var opening: [UInt8] = []

    init(_ peer: MeshPeer) {
      self.peer = peer
      write()
    }

    mutating func setName(_ name: String) {
      peer.name = name
      write()
    }

    mutating func hold(_ message: HeldMessage) {
      held.append(message)
      heldBytes += message.text.count
    }

    /// Removes and returns the held messages of a handle.
    mutating func takeHeld(of handle: Int) -> [HeldMessage] {
      let taken = held.filter { $0.handle == handle }
      held.removeAll { $0.handle == handle }
      heldBytes -= taken.reduce(0) { $0 + $1.text.count }
      return taken
    }

    mutating func dropHeld() { (held, heldBytes) = ([], 0) }

    private mutating func write() {
      text = Array(peer.json.text.utf8)
      opening = MeshEventText.opening(of: text)
    }
  }

  struct HeldMessage {
    /// The handle that has sent it.
    var handle: Int
    var text: [UInt8]
    /// The raw value of `at`.
    var at: [UInt8]
  }
}

/// Numbers for handles, which may be any bytes, in a hash table that does not need key objects.
struct MeshHandles {
  /// All handles, one after the other, and the end of each.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// Numbers of handles plus one, 0 for a free place; at least half of the places are free.
  private var places = [Int](repeating: 0, count: 64)
  /// The start of the hash, which is different in each process.
  ///
  /// Otherwise a peer could choose handles that share a place, and each search would read all of them.
  private let start: UInt64
  private let factor: UInt64

  /// The default seed is that of the dictionaries of this process.
  init(seed: UInt64 = UInt64(truncatingIfNeeded: 0.hashValue)) {
    (start, factor) = (seed, seed.byteSwapped &* 0x9E37_79B9_7F4A_7C15 | 1)
  }

  var count: Int { ends.count }

  /// The handle of that number.
  func handle(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  func bytes(of index: Int) -> [UInt8] { Array(bytes[handle(index)]) }

  /// The number of a handle, if it has one.
  func find(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var place = hash(text, range) & (places.count - 1)
    while places[place] != 0 {
      let index = places[place] - 1
      if ByteSearch.isEqual(bytes.span, handle(index), text, range) { return index }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  /// Assigns the next number to a new handle.
  mutating func add(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
    bytes.append(text.extracting(range))
    ends.append(bytes.count)
    if ends.count * 2 > places.count { grow() } else { enter(ends.count - 1) }
    return ends.count - 1
  }

  private mutating func grow() {
    places = [Int](repeating: 0, count: places.count * 2)
    for index in ends.indices { enter(index) }
  }

  private mutating func enter(_ index: Int) {
    var place = hash(bytes.span, handle(index)) & (places.count - 1)
    while places[place] != 0 { place = (place + 1) & (places.count - 1) }
    places[place] = index + 1
  }

  func hash(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
    var hash = UInt64(truncatingIfNeeded: range.count)
    var offset = range.lowerBound
    while range.upperBound &- offset >= 8 {
      hash = mixed(hash ^ text.orderedWord(at: offset))
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < range.upperBound {
      rest = rest &<< 8 | UInt64(text[offset])
      offset &+= 1
    }
    return Int(truncatingIfNeeded: mixed(hash ^ rest))
  }

  /// Each bit affects every other bit, so any of them can be part of the index.
  private func mixed(_ word: UInt64) -> UInt64 {
    let product = (word ^ start).multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}
