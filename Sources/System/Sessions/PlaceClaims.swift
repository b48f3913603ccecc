import Synchronization

/// The addresses that an attempt to reach a peer has tried, or is trying on one thread or another: each once.
final class PlaceClaims: Sendable {
  /// Nil when no more addresses are wanted.
  private let taken = Mutex<Set<String>?>([])

  /// Whether an address may be tried by whoever asks, who is the first then.
  func claim(_ address: String) -> Bool {
    taken.withLock { $0?.insert(address).inserted ?? false }
  }

  /// Nobody has answered there: it may be tried again.
  func release(_ address: String) { taken.withLock { _ = $0?.remove(address) } }

  /// No more addresses are wanted.
  func close() { taken.withLock { $0 = nil } }
}
