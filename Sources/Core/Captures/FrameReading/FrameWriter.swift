import JSONLines
package import SyncCore

/// Converts lines to frames.
package struct FrameWriter: FrameTransform {
  private let prefix: FramePrefix
  private let limit: Int
  private let form: PayloadForm
  private var line = 0
  private var isInsideLongLine = false

  /// `limit` is the longest payload in bytes; the prefix and the longest line limit it too.
  package init(prefix: FramePrefix, limit: Int, form: PayloadForm) {
    self.prefix = prefix
    self.limit = Int(min(UInt64(min(limit, LineCursor.longestLine)), prefix.capacity))
    self.form = form
  }

  package mutating func process(
    _ bytes: Span<UInt8>, at base: Int, isFinal: Bool, into output: inout [UInt8]
  ) -> FrameStep {
    if isInsideLongLine {
      let end = passOverLongLine(bytes)
      return FrameStep(consumed: end, rejected: 0..<end)
    }
    var position = 0
    let enough = output.count + FrameStep.mostOutput
    while let end = lineEnd(bytes, from: position, isFinal: isFinal) {
      line += 1
      let content = position..<(end > position && bytes[end - 1] == 13 ? end - 1 : end)
      let next = min(end + 1, bytes.count)
      if let reason = append(bytes, content, to: &output) {
        let failure = FrameFailure(reason: reason, offset: base + position, length: content.count, line: line)
        return FrameStep(consumed: next, failure: failure, rejected: position..<next)
      }
      position = next
      if output.count > enough { return FrameStep(consumed: position) }
    }
    return unfinished(bytes, from: position, at: base)
  }

  private func lineEnd(_ bytes: Span<UInt8>, from start: Int, isFinal: Bool) -> Int? {
    if let end = ByteSearch.firstIndex(of: 10, in: bytes, from: start) { return end }
    return isFinal && start < bytes.count ? bytes.count : nil
  }

  /// If a line is longer than the longest payload, its remaining bytes are skipped.
  private mutating func unfinished(_ bytes: Span<UInt8>, from start: Int, at base: Int) -> FrameStep {
    let have = bytes.count - start
    guard have > longestLine + 1 else { return FrameStep(consumed: start, wanted: have + 1) }
    isInsideLongLine = true
    let error = FrameError.tooLarge(length: nil, limit: limit)
    let failure = FrameFailure(reason: .framing(error), offset: base + start, length: have, line: line + 1)
    return FrameStep(consumed: bytes.count, failure: failure, rejected: start..<bytes.count)
  }

  /// The longest line in bytes, without the line break.
  ///
  /// Base64 takes four bytes for three, and some blanks around it are accepted.
  private var longestLine: Int { form == .base64 ? limit / 3 * 4 + 1_024 : limit }

  private mutating func passOverLongLine(_ bytes: Span<UInt8>) -> Int {
    guard let end = ByteSearch.firstIndex(of: 10, in: bytes, from: 0) else { return bytes.count }
    isInsideLongLine = false
    line += 1
    return end + 1
  }

  /// Appends the frame of a line; returns the reason if that fails.
  ///
  /// A blank line does not have a JSON value, and is skipped.
  @inline(__always)
  private func append(
    _ bytes: Span<UInt8>, _ content: Range<Int>, to output: inout [UInt8]
  ) -> FrameFailure.Reason? {
    let text = bytes.extracting(content)
    guard text.count <= longestLine else {
      return .framing(.tooLarge(length: nil, limit: limit))
    }
    switch form {
    case .unchecked: return appendFrame(text, to: &output)
    case .base64:
      var payload: [UInt8] = []
      do throws(Base64.Failure) {
        try Base64.decode(text, into: &payload)
      } catch {
        return .base64(error)
      }
      return appendFrame(payload.span, to: &output)
    case .json:
      if text.isBlankLine { return nil }
      do throws(JSONError) {
        try JSONScanner.validate(text)
      } catch {
        return .json(error)
      }
      return appendFrame(text, to: &output)
    }
  }

  @inline(__always)
  private func appendFrame(_ payload: Span<UInt8>, to output: inout [UInt8]) -> FrameFailure.Reason? {
    guard payload.count <= limit else {
      return .framing(.tooLarge(length: nil, limit: limit))
    }
    prefix.appendHeader(length: payload.count, to: &output)
    output.append(payload)
    if let trailer = prefix.trailer { output.append(trailer) }
    return nil
  }
}
