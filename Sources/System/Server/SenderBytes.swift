/// The bytes in memory for requests or for answers, in total and by sender.
struct SenderBytes {
  private var total = 0
  private var bySender: [String: Int] = [:]

  /// Whether more bytes of a sender fit into a limit for all senders; one sender may have half of it.
  ///
  /// The first bytes of a sender may be more than half.
  func hasRoom(for size: Int, of sender: String?, in limit: Int) -> Bool {
    let own = sender.flatMap { bySender[$0] } ?? 0
    return total + size <= limit && (own == 0 || own + size <= limit / 2)
  }

  /// Counts bytes; a negative number removes them.
  mutating func add(_ size: Int, of sender: String?) {
    total += size
    guard let sender else { return }
    let own = (bySender[sender] ?? 0) + size
    bySender[sender] = own == 0 ? nil : own
  }
}
