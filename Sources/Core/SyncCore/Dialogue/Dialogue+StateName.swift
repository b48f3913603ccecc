extension Dialogue.State {
  /// As the table in docs/formats/dialogue.md names it.
  package var name: String {
    switch self {
    case .ready: "ready"
    case .readsCheckpoint: "readsCheckpoint"
    case .awaitsResponse: "awaitsResponse"
    case .applies: "applies"
    case .disowns: "disowns"
    case .awaitsRequest: "awaitsRequest"
    case .readsPage: "readsPage"
    case .awaitsChange: "awaitsChange"
    case .awaitsAck: "awaitsAck"
    case .recordsAck: "recordsAck"
    case .rests: "rests"
    case .ended: "ended"
    }
  }
}
