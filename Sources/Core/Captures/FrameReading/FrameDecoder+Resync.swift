import JSONLines
package import SyncCore

extension FrameDecoder {
  /// The place to continue after bytes that are not a frame.
  package enum Resync: Equatable, Sendable {
    /// A complete frame with a JSON object or array, which may be deflated, starts here.
    case found(at: Int)
    /// A frame does not start before this offset; deciding whether one starts here needs `need` bytes.
    case undecided(at: Int, need: Int)
    /// The bytes do not contain the start of a frame.
    case nothing
  }

  /// Looks for the next plausible frame at or after `start`.
  ///
  /// A frame is plausible if its length is within the limit and its payload is one JSON object or array. A
  /// payload is rejected at its first byte that JSON cannot contain, even before the payload is complete.
  /// Otherwise garbage that looks like a large header would hide the frames after it. `effort` is the number
  /// of bytes that may be inflated without success, as garbage may look deflated at many places.
  package func resync(
    in bytes: Span<UInt8>, from start: Int, isFinal: Bool, effort: inout Int
  ) -> Resync {
    for offset in start..<max(start, bytes.count) {
      switch plausibility(in: bytes, at: offset, effort: &effort) {
      case .impossible: continue
      case .whole: return .found(at: offset)
      case .open(let need): if !isFinal { return .undecided(at: offset, need: need - offset) }
      }
    }
    return .nothing
  }

  private enum Plausibility { case impossible, whole, open(need: Int) }

  private func plausibility(
    in bytes: Span<UInt8>, at offset: Int, effort: inout Int
  ) -> Plausibility {
    if prefix == .contentLength, !ContentLengthHeader.mayStart(in: bytes, at: offset) { return .impossible }
    guard let possible = try? header(in: bytes, from: offset) as FrameHeader?? else { return .impossible }
    guard let header = possible else { return .open(need: bytes.count + 1) }
    let payload = offset + header.size..<offset + header.size + Int(header.length)
    guard payload.count >= 2 else { return .impossible }
    guard payload.lowerBound < bytes.count else { return .open(need: payload.lowerBound + 1) }
    if bytes[payload.lowerBound] <= 1 { return plausibility(deflated: bytes, payload, effort: &effort) }
    guard bytes[payload.lowerBound] == UInt8(ascii: "{") || bytes[payload.lowerBound] == UInt8(ascii: "[")
    else {
      return .impossible
    }
    // In a complete payload, both ends are checked first, as that is cheaper.
    if payload.upperBound <= bytes.count, !endsLikeJSON(bytes, payload) { return .impossible }
    do throws(JSONError) {
      try JSONScanner.validate(bytes.extracting(payload.clamped(to: 0..<bytes.count)))
    } catch {
      let needsMore = error.code == .unexpectedEnd && payload.upperBound > bytes.count
      return needsMore ? .open(need: payload.upperBound) : .impossible
    }
    return trailing(bytes, payload)
  }

  /// Whether the payload is complete and followed by the bytes that the prefix requires.
  private func trailing(_ bytes: Span<UInt8>, _ payload: Range<Int>) -> Plausibility {
    guard payload.upperBound <= bytes.count else { return .open(need: payload.upperBound) }
    guard let trailer = prefix.trailer else { return .whole }
    guard payload.upperBound < bytes.count else { return .open(need: payload.upperBound + 1) }
    return bytes[payload.upperBound] == trailer ? .whole : .impossible
  }

  private func plausibility(
    deflated bytes: Span<UInt8>, _ payload: Range<Int>, effort: inout Int
  ) -> Plausibility {
    let given = bytes.extracting(payload.clamped(to: 0..<bytes.count))
    guard DeflatedPayload.mayBegin(given, limit: limit), effort > 0 else { return .impossible }
    guard payload.upperBound <= bytes.count else { return .open(need: payload.upperBound) }
    do throws(DeflatedPayload.Failure) {
      let message = try DeflatedPayload.unpack(given, limit: limit, effort: &effort)
      guard message.first == UInt8(ascii: "{") || message.first == UInt8(ascii: "["),
        (try? JSONScanner.validate(message.span)) != nil
      else { return .impossible }
      return trailing(bytes, payload)
    } catch {
      return .impossible
    }
  }

  private func endsLikeJSON(_ bytes: Span<UInt8>, _ payload: Range<Int>) -> Bool {
    let isObject = bytes[payload.lowerBound] == UInt8(ascii: "{")
    // Many candidates may end with the same long run of blanks, so only a few blanks are skipped. Later
    // checks decide.
    let end = payload.suffix(64)
    guard let last = end.last(where: { bytes[$0] > 0x20 }).map({ bytes[$0] }) else { return end != payload }
    return last == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }
}
