import JSONLines

/// Finds frames in the bytes that have arrived so far.
package struct FrameDecoder: Sendable {
  package let prefix: FramePrefix
  /// The longest accepted payload, in bytes; small enough that adding it to an offset cannot overflow.
  package let limit: Int

  package init(prefix: FramePrefix, limit: Int) {
    self.prefix = prefix
    self.limit = min(limit, 1 << 62)
  }

  /// A complete frame: the place of its payload, and the start of the next header.
  package struct Frame: Equatable, Sendable {
    package var payload: Range<Int>
    package var end: Int
  }

  /// The frame that starts at `start`; nil if the bytes are the beginning of one.
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

  /// The header at `start` once it is complete, with its length checked against the limit.
  func header(in bytes: Span<UInt8>, from start: Int) throws(FrameError) -> FrameHeader? {
    guard let header = try FrameHeader.parse(prefix, bytes, from: start) else { return nil }
    guard header.length <= UInt64(limit) else { throw .tooLarge(length: header.length, limit: limit) }
    return header
  }

  /// The error of a stream that ends with `bytes` from `start` on while `next` asks for more.
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

extension FrameDecoder {
  /// The place at which reading can continue after bytes that are not a frame.
  package enum Resync: Equatable, Sendable {
    /// A complete frame with a JSON object or array starts here.
    case found(at: Int)
    /// Nothing before this offset is a frame; whether one starts here shows once `need` bytes are there.
    case undecided(at: Int, need: Int)
    /// No frame starts anywhere in the bytes.
    case nothing
  }

  /// Looks for the next plausible frame at or after `start`.
  ///
  /// Plausible is a header within the limit with a complete payload that is one JSON object or array. An
  /// announced length is not trusted: a payload is given up at its first byte that is invalid in JSON,
  /// complete or not. So garbage that looks like a large header does not swallow the frames after it.
  package func resync(in bytes: Span<UInt8>, from start: Int, isFinal: Bool) -> Resync {
    for offset in start..<max(start, bytes.count) {
      switch plausibility(in: bytes, at: offset) {
      case .impossible: continue
      case .whole: return .found(at: offset)
      case .open(let need): if !isFinal { return .undecided(at: offset, need: need - offset) }
      }
    }
    return .nothing
  }

  private enum Plausibility { case impossible, whole, open(need: Int) }

  private func plausibility(in bytes: Span<UInt8>, at offset: Int) -> Plausibility {
    if prefix == .contentLength, !ContentLengthHeader.mayStart(in: bytes, at: offset) { return .impossible }
    guard let possible = try? header(in: bytes, from: offset) as FrameHeader?? else { return .impossible }
    guard let header = possible else { return .open(need: bytes.count + 1) }
    let payload = offset + header.size..<offset + header.size + Int(header.length)
    guard payload.count >= 2 else { return .impossible }
    guard payload.lowerBound < bytes.count else { return .open(need: payload.lowerBound + 1) }
    guard bytes[payload.lowerBound] == UInt8(ascii: "{") || bytes[payload.lowerBound] == UInt8(ascii: "[")
    else {
      return .impossible
    }
    // In a complete payload both ends are checked before the bytes between them.
    if payload.upperBound <= bytes.count, !endsLikeJSON(bytes, payload) { return .impossible }
    do throws(JSONError) {
      try JSONScanner.validate(bytes.extracting(payload.clamped(to: 0..<bytes.count)))
    } catch {
      let needsMore = error.code == .unexpectedEnd && payload.upperBound > bytes.count
      return needsMore ? .open(need: payload.upperBound) : .impossible
    }
    guard let frame = try? next(in: bytes, from: offset) as Frame?? else { return .impossible }
    return frame == nil ? .open(need: payload.upperBound + 1) : .whole
  }

  private func endsLikeJSON(_ bytes: Span<UInt8>, _ payload: Range<Int>) -> Bool {
    let isObject = bytes[payload.lowerBound] == UInt8(ascii: "{")
    let last = payload.last { bytes[$0] > 0x20 }.map { bytes[$0] }
    return last == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
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
  /// `length` is the announced one, for which nothing has been allocated; nil for a line, which is given up
  /// before its end.
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

  /// Lower-case, no final period.
  public var message: String {
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
