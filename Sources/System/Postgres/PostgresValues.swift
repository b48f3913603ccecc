import JSONLines
import Store

/// The values of a statement, in the order in which they are sent.
///
/// Numbers are sent as text, other values as bytes. The server infers the types, and reads a number's text as
/// a Boolean too.
struct PostgresValues {
  private enum Value {
    case null
    case number(Int64)
    case bytes([UInt8])
  }

  private var values: [Value]

  init(count: Int) { values = Array(repeating: .null, count: count) }

  private mutating func set(_ place: Int32, _ value: Value) {
    if values.indices.contains(Int(place) - 1) { values[Int(place) - 1] = value }
  }

  mutating func bind(_ place: Int32, _ number: Int64?) { set(place, number.map { .number($0) } ?? .null) }

  mutating func bind(_ place: Int32, _ bytes: Span<UInt8>) {
    var copy: [UInt8] = []
    copy.append(bytes)
    set(place, .bytes(copy))
  }

  /// The arguments of `peersync_pq_send`.
  struct Packed {
    var bytes: [UInt8] = []
    var places: [Int32] = []
    var lengths: [Int32] = []
    var areBinary: [Int32] = []
  }

  var packed: Packed {
    var packed = Packed()
    for value in values {
      packed.places.append(Int32(packed.bytes.count))
      switch value {
      case .null:
        packed.lengths.append(-1)
        packed.areBinary.append(0)
      case .number(let number):
        let text = Array("\(number)".utf8)
        packed.bytes += text
        packed.bytes.append(0)
        packed.lengths.append(Int32(text.count))
        packed.areBinary.append(0)
      case .bytes(let bytes):
        packed.bytes += bytes
        packed.lengths.append(Int32(bytes.count))
        packed.areBinary.append(1)
      }
    }
    return packed
  }
}

extension StoreError {
  /// The error for an SQLSTATE of the server (PostgreSQL, appendix A); `state` is nil for an error that libpq found.
  init(state: String?, message: String) {
    guard let state else {
      self = .unavailable(message)
      return
    }
    switch (state.prefix(2), state) {
    // Another transaction interfered: lock_not_available, and errors that a retry resolves.
    case ("40", _), (_, "55P03"), (_, "57014"): self = .busy
    // The connection was lost, or the server stops, starts or recovers.
    case ("08", _), ("57", _), (_, "53300"): self = .unavailable(message)
    case ("28", _): self = .denied(message)
    case ("3D", _): self = .noDatabase(message)
    case (_, "53100"): self = .full
    case ("54", _): self = .tooLong("too long for the database: \(message)")
    // Only the name of a household can be a duplicate, if two processes choose the same name.
    case (_, "23505"): self = .nameTaken(message)
    // The server is a standby: the next connection may reach the server that accepts writes.
    case (_, "25006"): self = .unavailable(message)
    // The role is read-only.
    case (_, "42501"): self = .denied(message)
    case (_, "42P01"), (_, "42703"), ("XX", _): self = .corrupt(message)
    default: self = .other(code: 0, message: "\(message) (\(state))")
    }
  }
}
