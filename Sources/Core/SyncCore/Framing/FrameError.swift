/// Why bytes are no frame.
package enum FrameError: Error, Equatable, Sendable {
  /// The stream ends inside the header; `need` is nil where the header's length depends on what is missing.
  case truncatedHeader(need: Int?, have: Int)
  /// The stream ends inside the payload or before its trailer.
  case truncatedPayload(need: UInt64, have: Int)
  case invalidHeader(String)
  /// `length` is the announced one, for which nothing has been allocated; nil for a line, which is given up
  /// before its end.
  case tooLarge(length: UInt64?, limit: Int)
}

extension FrameError {
  /// The bytes are right as far as they go.
  package var isTruncation: Bool {
    switch self {
    case .truncatedHeader, .truncatedPayload: true
    case .invalidHeader, .tooLarge: false
    }
  }

  /// Lower-case, no final period.
  package var message: String {
    switch self {
    case .truncatedHeader(let need?, let have): "truncated header: need \(need) bytes, have \(have)"
    case .truncatedHeader(nil, let have): "truncated header: have only \(have) bytes of it"
    case .truncatedPayload(let need, let have): "truncated payload: need \(need) bytes, have \(have)"
    case .invalidHeader(let reason): "invalid header: \(reason)"
    case .tooLarge(let length?, let limit): "frame too large: \(length) bytes, the limit is \(limit)"
    case .tooLarge(nil, let limit): "frame too large: more than \(limit) bytes"
    }
  }
}
