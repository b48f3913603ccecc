import SyncCore
import Synchronization

/// The requests with valid keys since the start of the server.
final class Traffic: Sendable {
  private struct Kind: Hashable {
    var path: String
    var status: Int
  }

  private struct State {
    var last: [String: Instant] = [:]
    var counts: [String: [Kind: Int]] = [:]
  }

  private let state = Mutex(State())

  func note(_ key: KeyRecord, path: String, status: Int, at now: Instant) {
    state.withLock { state in
      state.last[key.id] = now
      state.counts[key.household, default: [:]][Kind(path: path, status: status), default: 0] += 1
    }
  }

  func lastRequest(of key: String) -> Instant? { state.withLock { $0.last[key] } }

  func counts(of household: String) -> [(path: String, status: Int, count: Int)] {
    let counts = state.withLock { $0.counts[household] ?? [:] }
    return counts.map { ($0.key.path, $0.key.status, $0.value) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
  }
}
