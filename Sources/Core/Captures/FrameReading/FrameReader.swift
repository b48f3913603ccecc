import JSONLines
package import SyncCore

/// Converts frames to lines.
package struct FrameReader: FrameTransform {
  package struct Options: Sendable {
    package var form = PayloadForm.json
    /// Whether to write an envelope for each frame: its offset, its length, and the message or the error.
    package var annotates = false
    /// Whether to continue at the next plausible frame after bytes that are not a frame.
    package var resynchronizes = false

    package init() {}
  }

  private let decoder: FrameDecoder
  private let options: Options
  /// Whether the start of the next frame is unknown, so bytes are searched or skipped.
  package private(set) var isLost: Bool
  private var skipped = 0
  /// The number of bytes that may still be inflated without success while searching for a frame.
  private var effort = mostEffort
  private static let mostEffort = 256 << 20

  package init(_ decoder: FrameDecoder, _ options: Options, isLost: Bool = false) {
    (self.decoder, self.options, self.isLost) = (decoder, options, isLost)
  }

  package mutating func process(
    _ bytes: Span<UInt8>, at base: Int, isFinal: Bool, into output: inout [UInt8]
  ) -> FrameStep {
    if isLost { return search(bytes, at: base, isFinal: isFinal, into: &output) }
    var position = 0
    let enough = output.count + FrameStep.mostOutput
    do throws(FrameError) {
      while let frame = try decoder.next(in: bytes, from: position) {
        if let reason = append(bytes, frame, start: position, at: base, to: &output) {
          let failure = FrameFailure(reason: reason, offset: base + position, length: frame.payload.count)
          return fail(failure, position..<frame.end, into: &output)
        }
        position = frame.end
        if output.count > enough { return FrameStep(consumed: position) }
      }
      if isFinal, let error = decoder.truncation(in: bytes, from: position) { throw error }
      return FrameStep(consumed: position, wanted: bytes.count - position + 1)
    } catch {
      let length = announcedLength(error) ?? bytes.count - position
      return lose(
        FrameFailure(reason: .framing(error), offset: base + position, length: length), position, &output)
    }
  }

  /// Appends the line of a frame; returns the reason if that fails.
  @inline(__always)
  private func append(
    _ bytes: Span<UInt8>, _ frame: FrameDecoder.Frame, start: Int, at base: Int, to output: inout [UInt8]
  ) -> FrameFailure.Reason? {
    let payload = bytes.extracting(frame.payload)
    guard options.form == .json, DeflatedPayload.isPacked(payload) else {
      return append(payload, frame.payload.count, at: base + start, to: &output)
    }
    do throws(DeflatedPayload.Failure) {
      let message = try DeflatedPayload.unpack(payload, limit: decoder.limit)
      return append(
        message.span, frame.payload.count, inflated: message.count, at: base + start, to: &output)
    } catch {
      return .deflated(error)
    }
  }

  /// Appends the line of a frame with a payload of `length` bytes in the stream.
  @inline(__always)
  private func append(
    _ payload: Span<UInt8>, _ length: Int, inflated: Int? = nil, at offset: Int, to output: inout [UInt8]
  ) -> FrameFailure.Reason? {
    let before = output.count
    if options.annotates {
      FrameEnvelope.open(offset: offset, length: length, to: &output)
      if let inflated { output.append(contentsOf: "\"inflated\":\(inflated),".utf8) }
      output.append(contentsOf: (options.form == .base64 ? "\"payload\":\"" : "\"message\":").utf8)
    }
    if let reason = appendPayload(payload, to: &output) {
      output.removeLast(output.count - before)
      return reason
    }
    if options.annotates { output.append(contentsOf: (options.form == .base64 ? "\"}" : "}").utf8) }
    output.append(10)
    return nil
  }

  @inline(__always)
  private func appendPayload(_ payload: Span<UInt8>, to output: inout [UInt8]) -> FrameFailure.Reason? {
    switch options.form {
    case .unchecked: return FramePayload.appendUnchecked(payload, to: &output) ? nil : .lineBreak
    case .base64: Base64.append(payload, to: &output)
    case .json:
      do throws(JSONError) {
        try FramePayload.appendLine(payload, to: &output)
      } catch {
        return .json(error)
      }
    }
    return nil
  }

  private func annotate(_ failure: FrameFailure, in output: inout [UInt8]) {
    if options.annotates { FrameEnvelope.append(failure, to: &output) }
  }

  /// Leaves out a frame with an invalid payload.
  ///
  /// While searching for frames, the length may be wrong too, and a valid frame may start inside.
  private mutating func fail(
    _ failure: FrameFailure, _ frame: Range<Int>, into output: inout [UInt8]
  ) -> FrameStep {
    if options.resynchronizes, options.form == .json { return lose(failure, frame.lowerBound, &output) }
    annotate(failure, in: &output)
    return FrameStep(consumed: frame.upperBound, failure: failure, rejected: frame)
  }

  // MARK: Bytes outside frames

  /// Reports the failure at `position`; the bytes after it are searched or skipped.
  private mutating func lose(
    _ failure: FrameFailure, _ position: Int, _ output: inout [UInt8]
  ) -> FrameStep {
    annotate(failure, in: &output)
    isLost = true
    return FrameStep(consumed: position, failure: failure)
  }

  /// Skips bytes until a frame is found; reports the skipped range once it is known.
  private mutating func search(
    _ bytes: Span<UInt8>, at base: Int, isFinal: Bool, into output: inout [UInt8]
  ) -> FrameStep {
    guard options.resynchronizes else { return FrameStep(consumed: bytes.count, rejected: 0..<bytes.count) }
    switch decoder.resync(in: bytes, from: 0, isFinal: isFinal, effort: &effort) {
    case .undecided(let offset, let need):
      skipped += offset
      return FrameStep(consumed: offset, wanted: need, rejected: 0..<offset)
    case .found(let offset):
      (isLost, effort) = (false, Self.mostEffort)
      return finishSkip(offset, at: base, into: &output)
    case .nothing:
      guard isFinal else {
        skipped += bytes.count
        return FrameStep(consumed: bytes.count, rejected: 0..<bytes.count)
      }
      return finishSkip(bytes.count, at: base, into: &output)
    }
  }

  private mutating func finishSkip(_ count: Int, at base: Int, into output: inout [UInt8]) -> FrameStep {
    let total = skipped + count
    guard total > 0 else { return FrameStep(consumed: 0) }
    let failure = FrameFailure(reason: .skipped, offset: base - skipped, length: total)
    skipped = 0
    annotate(failure, in: &output)
    return FrameStep(consumed: count, failure: failure, rejected: 0..<count)
  }

  /// The payload length that the header announced, if the header was complete.
  private func announcedLength(_ error: FrameError) -> Int? {
    switch error {
    case .tooLarge(let length, _): length.map { Int(clamping: $0) }
    case .truncatedPayload(let need, _): Int(clamping: need) - (decoder.prefix.trailer == nil ? 0 : 1)
    case .truncatedHeader, .invalidHeader: nil
    }
  }
}

/// The line that `decode --annotate` writes: `{"offset":0,"length":123,"message":{…}}` or `"error":{…}`.
package enum FrameEnvelope {
  /// Appends the part before the third member.
  static func open(offset: Int, length: Int, to line: inout [UInt8]) {
    line.append(contentsOf: "{\"offset\":\(offset),\"length\":\(length),".utf8)
  }

  /// A complete line for a frame without a message.
  package static func append(_ failure: FrameFailure, to line: inout [UInt8]) {
    open(offset: failure.offset, length: failure.length, to: &line)
    line.append(contentsOf: "\"error\":".utf8)
    let error = JSONValue.object([
      .init("code", .string(failure.code.rawValue)), .init("message", .string(failure.message)),
    ])
    error.append(to: &line)
    line.append(contentsOf: "}\n".utf8)
  }
}
