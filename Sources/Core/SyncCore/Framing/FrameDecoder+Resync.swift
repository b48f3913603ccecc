import JSONLines

extension FrameDecoder {
  /// Where reading can go on after bytes that are no frame.
  package enum Resync: Equatable, Sendable {
    /// A whole frame with a JSON object or array starts here.
    case found(at: Int)
    /// Nothing before this offset is a frame; whether one starts here shows once `need` bytes are there.
    case undecided(at: Int, need: Int)
    /// No frame starts anywhere in the bytes.
    case nothing
  }

  /// Looks for the next plausible frame at or after `start`.
  ///
  /// Plausible is a header within the limit whose whole payload is one JSON object or array. An announced
  /// length is not believed: a payload is given up at its first byte that JSON cannot have, whole or not, so
  /// that garbage that looks like a large header does not swallow the frames behind it.
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
    // Of a whole payload both ends are looked at before what is between them.
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
