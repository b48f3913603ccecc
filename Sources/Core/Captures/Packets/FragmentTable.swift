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
    /// The number of consecutive pieces from the start of the packet, and the end of the last of them.
    var run = 0
    var runEnd = 0
    /// The length of the packet, once the last fragment has arrived.
    var length: Int?
    /// The transport that the first fragment states, which applies to the complete packet.
    var transport: UInt8?
    /// The fragments of a packet that is complete, to recognize copies of them; nil before that.
    var copies: Set<Copy>?
    var time: Instant
    /// Distinguishes a later packet with the same key.
    var number: Int

    /// The approximate memory use, in bytes.
    var size: Int { pieces.size + PieceList.overhead * 2 + (copies?.count ?? 0) * Copy.size }

    /// Whether a fragment captured at `now` belongs to a later packet with the same key.
    func isOver(at now: Instant) -> Bool { time.advanced(by: FragmentTable.patience) < now }

    /// Adds a fragment; returns how many bytes differ from earlier ones.
    mutating func insert(_ bytes: Span<UInt8>, at offset: Int, _ time: Instant) -> Int {
      defer {
        // Reading all pieces after each fragment would take quadratic time.
        while run < pieces.pieces.count, pieces.pieces[run].offset <= runEnd {
          runEnd = pieces.pieces[run].end
          run += 1
        }
      }
      return pieces.insert(bytes, at: offset, time)
    }
  }

  /// A fragment of a complete packet.
  private struct Copy: Hashable {
    /// The approximate memory use in a set, in bytes.
    static let size = 48
    var offset: Int
    var digest: Int

    init(_ bytes: Span<UInt8>, at offset: Int) {
      var hasher = Hasher()
      for index in bytes.indices { hasher.combine(bytes[index]) }
      (self.offset, digest) = (offset, hasher.finalize())
    }
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

  /// The number of packets with missing fragments, or with fragments that differ, including those given up.
  var incomplete: Int { lost + entries.values.count { $0.copies == nil } }

  /// Adds a fragment; returns the payload of the packet and its transport once it is complete.
  mutating func add(
    _ packet: NetworkPacket, _ fragment: NetworkPacket.Fragment, _ bytes: Span<UInt8>, at time: Instant
  ) -> (bytes: [UInt8], transport: UInt8)? {
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
    if let copies = entries[key]?.copies {
      let isOver = entries[key]?.isOver(at: time) ?? true
      if !isOver, copies.contains(Copy(bytes, at: fragment.offset)) { return nil }
      // This is another packet with the same identification.
      remove(key)
    }
    begin(key, at: time)
    let before = entries[key]?.size ?? 0
    let conflicts = entries[key]?.insert(bytes, at: fragment.offset, time) ?? 0
    if fragment.isLast { entries[key]?.length = end }
    if fragment.offset == 0 { entries[key]?.transport = packet.transport }
    size += (entries[key]?.size ?? 0) - before
    if conflicts > 0 {
      // A receiver drops such a packet (RFC 5722 §4), or may have kept other bytes.
      giveUp(key)
      return nil
    }
    defer { makeRoom() }
    return whole(key)
  }

  private mutating func begin(_ key: Key, at time: Instant) {
    if let entry = entries[key] {
      guard entry.isOver(at: time) else { return }
      giveUp(key)
    }
    started += 1
    if order.count > 1_024 + 2 * entries.count {
      // Most of the packets are complete by now.
      order = order[oldest...].filter { entries[$0.key]?.number == $0.number }
      oldest = 0
    }
    let entry = Entry(time: time, number: started)
    entries[key] = entry
    order.append((key, started))
    size += entry.size
  }

  private mutating func whole(_ key: Key) -> (bytes: [UInt8], transport: UInt8)? {
    guard var entry = entries[key], let length = entry.length, entry.runEnd >= length,
      let transport = entry.transport
    else { return nil }
    size -= entry.size
    var (bytes, copies) = ([UInt8](), Set<Copy>())
    bytes.reserveCapacity(length)
    for piece in entry.pieces.pieces {
      copies.insert(Copy(piece.bytes.span, at: piece.offset))
      bytes += piece.bytes
    }
    (entry.pieces, entry.copies) = (PieceList(), copies)
    size += entry.size
    entries[key] = entry
    return (Array(bytes.prefix(length)), transport)
  }

  private mutating func makeRoom() {
    while size > limit, oldest < order.count {
      let (key, number) = order[oldest]
      oldest += 1
      if entries[key]?.number == number { giveUp(key) }
    }
  }

  /// Drops a packet, and counts it unless it was complete.
  private mutating func giveUp(_ key: Key) {
    if entries[key]?.copies == nil { lost += 1 }
    remove(key)
  }

  private mutating func remove(_ key: Key) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    size -= entry.size
  }
}
