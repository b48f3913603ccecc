import Store

extension StoreError {
  /// What an error of the server is, by its SQLSTATE (PostgreSQL, appendix A); nil of an error that libpq has found itself.
  init(state: String?, message: String) {
    guard let state else {
      self = .unavailable(message)
      return
    }
    switch (state.prefix(2), state) {
    // Another transaction was in the way: lock_not_available and what a repetition mends.
    case ("40", _), (_, "55P03"), (_, "57014"): self = .busy
    // Connections, and a server that stops, starts or recovers.
    case ("08", _), ("57", _), (_, "53300"): self = .unavailable(message)
    case ("28", _), ("3D", _): self = .unavailable(message)
    case (_, "53100"): self = .full
    case ("54", _): self = .tooLarge
    // A standby, or a role that may only read.
    case (_, "25006"), (_, "42501"): self = .readOnly
    case (_, "42P01"), (_, "42703"), ("XX", _): self = .corrupt(message)
    default: self = .other(code: 0, message: "\(message) (\(state))")
    }
  }
}
