public import JSONLines

/// Finds frames in the bytes that have arrived so far.
package struct FrameDecoder: Sendable {
  package let prefix: FramePrefix
  /// The longest accepted payload, in bytes; small enough that adding it to an offset cannot overflow.
  package let limit: Int

  package init(prefix: FramePrefix, limit: Int) {
    self.prefix = prefix
    self.limit = max(0, min(limit, 1 << 62))
  }

  /// A complete frame: the place of its payload, and the start of the next header.
  package struct Frame: Equatable, Sendable {
    package var payload: Range<Int>
    package var end: Int
  }

  /// The frame that starts at `start`; nil if it is incomplete.
  @inline(__always)
  package func next(in bytes: Span<UInt8>, from start: Int) throws(FrameError) -> Frame? {
    guard let header = try header(in: bytes, from: start) else { return nil }
    let payload = start + header.size..<start + header.size + Int(header.length)
    guard let trailer = prefix.trailer else {
      return payload.upperBound <= bytes.count ? Frame(payload: payload, end: payload.upperBound) : nil
    }
    guard payload.upperBound < bytes.count else { return nil }
    guard bytes[payload.upperBound] == trailer else { throw .invalidHeader("no ',' after the payload") }
    return Frame(payload: payload, end: payload.upperBound + 1)
  }

  /// The header at `start` once it is complete; its length is within the limit.
  package func header(in bytes: Span<UInt8>, from start: Int) throws(FrameError) -> FrameHeader? {
    guard let header = try FrameHeader.parse(prefix, bytes, from: start) else { return nil }
    guard header.length <= UInt64(limit) else { throw .tooLarge(length: header.length, limit: limit) }
    return header
  }

  /// The error if the stream ends after `bytes` and the frame at `start` is incomplete.
  package func truncation(in bytes: Span<UInt8>, from start: Int) -> FrameError? {
    let have = bytes.count - start
    guard have > 0 else { return nil }
    guard let header = try? header(in: bytes, from: start) else {
      return .truncatedHeader(need: FrameHeader.size(of: prefix), have: have)
    }
    return .truncatedPayload(
      need: header.length + (prefix.trailer == nil ? 0 : 1), have: have - header.size)
  }
}

/// The reason that bytes are not a frame.
public enum FrameError: Error, Equatable, Sendable {
  /// The stream ends inside the header; `need` is nil if the header's length depends on the missing bytes.
  case truncatedHeader(need: Int?, have: Int)
  /// The stream ends inside the payload or before its trailer.
  case truncatedPayload(need: UInt64, have: Int)
  /// The bytes are not a header of the prefix; the text has the reason.
  case invalidHeader(String)
  /// `length` is the announced length; no memory was allocated for it. It is nil for a line, because the
  /// line is not read to its end.
  case tooLarge(length: UInt64?, limit: Int)
}

extension FrameError {
  /// Whether the bytes are valid so far.
  package var isTruncation: Bool {
    switch self {
    case .truncatedHeader, .truncatedPayload: true
    case .invalidHeader, .tooLarge: false
    }
  }

  /// The stable name of the error, as in ``SyncError/code``.
  public var code: ErrorCode {
    switch self {
    case .truncatedHeader: .truncatedHeader
    case .truncatedPayload: .truncatedPayload
    case .invalidHeader: .invalidHeader
    case .tooLarge: .frameTooLarge
    }
  }

  /// The error in words: lower-case, no final period.
  public var message: String {
    switch self {
    case .truncatedHeader(let need?, let have): "truncated header: need \(need) bytes, have \(have)"
    case .truncatedHeader(nil, let have): "truncated header: have only \(have) bytes"
    case .truncatedPayload(let need, let have): "truncated payload: need \(need) bytes, have \(have)"
    case .invalidHeader(let reason): "invalid header: \(reason)"
    case .tooLarge(let length?, let limit): "frame too large: \(length) bytes, the limit is \(limit)"
    case .tooLarge(nil, let limit): "frame too large: more than \(limit) bytes"
    }
  }
}
