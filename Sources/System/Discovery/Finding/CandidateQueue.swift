/// Devices that may be the wanted peer, the most promising first.
///
/// It is pure, with the time as a parameter. A TXT record can be forged, so it decides only the order: first
/// devices with the right id, then devices without an id, then devices with another id. Devices that did not
/// answer are retried later.
struct CandidateQueue: Sendable {
  private struct Candidate: Sendable {
    var peer: Peer
    var rank: Int
    var due: Duration
    /// The number of turns that the device has had.
    var turns = 0
    /// Whether the device has proven to be another one.
    var isOver = false
  }

  static let pause = Duration.seconds(2)

  private let id: String?
  private let isPairing: Bool
  private let isNamed: Bool
  private let name: String?
  private let start: Duration
  private var candidates: [Key: Candidate] = [:]

  /// Names are compared by their bytes: two texts that look the same may be names of two devices.
  private struct Key: Hashable, Sendable {
    var name: DomainName
    var number: Int

    init(_ peer: Peer) { (name, number) = (peer.name, peer.number) }
  }

  /// `id` is the id of the wanted peer; without it all devices rank equally.
  ///
  /// With `isPairing` only devices that wait to be paired are candidates, otherwise only devices that do not.
  /// With `isNamed` only devices that announce the id are candidates; with `name` only peers of version 1
  /// with that name and no TXT record.
  init(
    id: String?, isPairing: Bool = false, isNamed: Bool = false, name: String? = nil, at start: Duration
  ) {
    self.isNamed = isNamed
    self.id = id?.lowercased()
    self.isPairing = isPairing
    self.name = name.map(Self.trimmed)
    self.start = start
  }

  /// The number of devices that were found and have not disappeared.
  var count: Int { candidates.count }

  /// Whether a device was tried that has not proven to be another one.
  var hasUnproven: Bool { candidates.values.contains { $0.turns > 0 && !$0.isOver } }

  /// The time when `next` has a device; nil for never.
  var deadline: Duration? { candidates.values.lazy.filter { !$0.isOver }.map(\.due).min() }

  mutating func handle(_ event: DiscoveryEvent, at now: Duration) {
    switch event {
    case .discovered(let peer), .updated(let peer):
      guard isWanted(peer) else {
        candidates[Key(peer)] = nil
        return
      }
      let rank = rank(of: peer)
      guard !isNamed || rank == 0 else {
        candidates[Key(peer)] = nil
        return
      }
      // Another address or another claimed identity is another candidate.
      if let known = candidates[Key(peer)], known.peer.isSamePlace(as: peer), known.rank <= rank {
        candidates[Key(peer)]!.peer = peer
      } else {
        candidates[Key(peer)] = Candidate(peer: peer, rank: rank, due: max(now, start + .seconds(rank)))
      }
    case .lost(let peer, _): candidates[Key(peer)] = nil
    case .type: break
    }
  }

  /// The most promising of the due devices; nil without one.
  ///
  /// Each turn of a device begins with the next of its addresses, because one turn may not try all of them.
  mutating func next(at now: Duration) -> Peer? {
    let ready = candidates.values.filter { !$0.isOver && $0.due <= now }
    let best = ready.min { ($0.rank, $0.due, $0.peer.instance) < ($1.rank, $1.due, $1.peer.instance) }
    guard let candidate = best else { return nil }
    let key = Key(candidate.peer)
    candidates[key]!.due = now + Self.pause
    candidates[key]!.turns += 1
    return candidate.peer.rotated(by: candidate.turns * DeviceTurn.length)
  }

  /// Drops a device that proved to be another one, so that it is not retried.
  mutating func giveUp(_ peer: Peer) {
    if candidates[Key(peer)]?.peer.isSamePlace(as: peer) == true {
      candidates[Key(peer)]!.isOver = true
    }
  }

  private func isWanted(_ peer: Peer) -> Bool {
    guard let name else { return (peer.txt[TextRecord.pairing] != nil) == isPairing }
    return peer.txt[TextRecord.version] == nil && Self.trimmed(peer.instance) == name
  }

  /// A name without leading and trailing blanks, as the first apps compare names.
  private static func trimmed(_ name: String) -> String {
    let rest = name.drop(while: \.isWhitespace)
    return String(rest.reversed().drop(while: \.isWhitespace).reversed())
  }

  private func rank(of peer: Peer) -> Int {
    if let version = peer.txt.text(TextRecord.version), version != "2" { return 2 }
    guard let id else { return 0 }
    guard let other = peer.txt.text(TextRecord.id)?.lowercased() else { return 1 }
    return other == id ? 0 : 2
  }
}

extension Peer {
  /// Whether both have the same host and port, and an address in common.
  fileprivate func isSamePlace(as other: Peer) -> Bool {
    host == other.host && port == other.port && !Set(addresses).isDisjoint(with: other.addresses)
  }

  /// This peer with its first `count` addresses moved to the end of the list, which wraps.
  fileprivate func rotated(by count: Int) -> Peer {
    guard !addresses.isEmpty else { return self }
    let start = count % addresses.count
    var peer = self
    peer.addresses = Array(addresses[start...] + addresses[..<start])
    return peer
  }
}

/// The turn of a device, in which some of its addresses are tried; another device may follow.
struct DeviceTurn: Sendable {
  /// The number of addresses that are tried in one turn.
  ///
  /// It is limited so that a device with many silent addresses does not use up all the time.
  static let length = 3

  let peer: Peer
  private var places: ArraySlice<Peer.Address>
  private var left = DeviceTurn.length

  init(_ peer: Peer) {
    self.peer = peer
    places = peer.addresses[...]
  }

  /// The next address; nil at the end of the turn.
  mutating func next() -> Peer.Address? { left > 0 ? places.popFirst() : nil }

  /// Counts an address that is tried; addresses that are skipped do not count.
  mutating func countTry() { left -= 1 }
}
