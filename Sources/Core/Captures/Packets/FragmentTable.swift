import JSONLines
import SyncCore

/// Packets with missing fragments (RFC 791 §3.2, RFC 8200 §4.5).
struct FragmentTable: Sendable {
  private struct Key: Hashable {
    var source: NetworkAddress
    var destination: NetworkAddress
    var transport: UInt8
    var identification: UInt32
  }

  private struct Entry {
    var pieces = PieceList()
    /// The length of the packet, once the last fragment has arrived.
    var length: Int?
    var time: Instant
    /// Distinguishes a later packet with the same key.
    var number: Int
  }

  /// The maximum length of a packet in bytes (RFC 791 §3.1).
  private static let longest = 65_535
  /// An identification may be used again after this long.
  private static let patience = Duration.seconds(30)

  private let limit: Int
  private var entries: [Key: Entry] = [:]
  /// The keys in the order in which their packets began.
  private var order: [(key: Key, number: Int)] = []
  private var oldest = 0
  private var started = 0
  private var size = 0
  /// The number of packets given up.
  private(set) var lost = 0

  /// `limit` is the memory for fragments, in bytes.
  init(limit: Int) { self.limit = limit }

  /// The number of packets with missing fragments, including those given up.
  var incomplete: Int { lost + entries.count }

  /// Adds a fragment; returns the payload of the packet once it is complete.
  mutating func add(
    _ packet: NetworkPacket, _ fragment: NetworkPacket.Fragment, _ bytes: Span<UInt8>, at time: Instant
  ) -> [UInt8]? {
    let end = fragment.offset + packet.length
    // A packet with a fragment that the capture truncated can never be completed.
    guard end <= Self.longest, bytes.count == packet.length, !bytes.isEmpty else {
      lost += 1
      return nil
    }
    // For IPv6, the transport is stated in the first fragment, and may differ in the others.
    let key = Key(
      source: packet.source, destination: packet.destination,
      transport: packet.source.isIPv6 ? 0 : packet.transport, identification: fragment.identification)
    begin(key, at: time)
    let before = entries[key]?.pieces.size ?? 0
    _ = entries[key]?.pieces.insert(bytes, at: fragment.offset, time)
    if fragment.isLast { entries[key]?.length = end }
    size += (entries[key]?.pieces.size ?? 0) - before
    if let whole = whole(key) { return whole }
    makeRoom()
    return nil
  }

  private mutating func begin(_ key: Key, at time: Instant) {
    if let entry = entries[key] {
      if entry.time.advanced(by: Self.patience) >= time { return }
      giveUp(key)
    }
    started += 1
    if order.count > 1_024 + 2 * entries.count {
      // Most of the packets are complete by now.
      order = order[oldest...].filter { entries[$0.key]?.number == $0.number }
      oldest = 0
    }
    entries[key] = Entry(time: time, number: started)
    order.append((key, started))
    size += PieceList.overhead * 2
  }

  private mutating func whole(_ key: Key) -> [UInt8]? {
    guard let entry = entries[key], let length = entry.length, entry.pieces.covers(0..<length) else {
      return nil
    }
    remove(key)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    for piece in entry.pieces.pieces { bytes += piece.bytes }
    return Array(bytes.prefix(length))
  }

  private mutating func makeRoom() {
    while size > limit, oldest < order.count {
      let (key, number) = order[oldest]
      oldest += 1
      if entries[key]?.number == number { giveUp(key) }
    }
  }

  private mutating func giveUp(_ key: Key) {
    remove(key)
    lost += 1
  }

  private mutating func remove(_ key: Key) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    size -= entry.pieces.size + PieceList.overhead * 2
  }
}
