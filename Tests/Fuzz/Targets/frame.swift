import Captures
import JSONLines
import SyncCore

/// Frames are the same however the stream is cut, and their content makes the same stream again.
///
/// The first byte chooses the prefix, the second the form and the options.
func fuzzFrame(_ bytes: [UInt8]) {
  guard bytes.count >= 2 else { return }
  let prefix = FramePrefix.allCases[Int(bytes[0]) % FramePrefix.allCases.count]
  var options = FrameReader.Options()
  options.form = [.json, .unchecked, .base64][Int(bytes[1] & 3) % 3]
  options.annotates = bytes[1] & 4 != 0
  options.resynchronizes = bytes[1] & 8 != 0
  let reader = FrameReader(FrameDecoder(prefix: prefix, limit: 1 << 16), options)
  let stream = Array(bytes.dropFirst(2))
  let whole = Run(reader, [stream])
  // Without a header, the length in an envelope is that of the available bytes.
  if options.annotates, whole.codes.contains(where: { $0.hasSuffix("Header") }) { return }
  require(Run(reader, stream.map { [$0] }) == whole, "byte by byte")
  for cut in stream.indices.prefix(60) {
    require(Run(reader, [Array(stream[..<cut]), Array(stream[cut...])]) == whole, "cut at \(cut)")
    _ = Run(reader, [Array(stream[..<cut])])
  }
  checkRoundTrip(stream, whole, prefix, options)
}

private func checkRoundTrip(
  _ stream: [UInt8], _ whole: Run, _ prefix: FramePrefix, _ options: FrameReader.Options
) {
  let isCanonical = prefix != .contentLength && options.form == .base64 && !options.annotates
  guard isCanonical, whole.failures.isEmpty else { return }
  let writer = FrameWriter(prefix: prefix, limit: 1 << 16, form: .base64)
  let again = Run(writer, [whole.output])
  require(again.failures.isEmpty && again.output == stream, "the frames again")
}

/// The result of a transform for a stream that arrives in pieces.
private struct Run: Equatable {
  var output: [UInt8] = []
  var failures: [FrameFailure] = []
  private var rejected: [UInt8] = []
  private var window: [UInt8] = []
  private var base = 0

  init(_ transform: some FrameTransform, _ pieces: [[UInt8]]) {
    var transform = transform
    var wanted = 1
    for piece in pieces {
      window += piece
      while window.count >= wanted, let next = call(&transform, isFinal: false) { wanted = next }
    }
    while call(&transform, isFinal: true) != nil {}
  }

  static func == (a: Run, b: Run) -> Bool {
    a.output == b.output && a.rejected == b.rejected && a.codes == b.codes
      && a.failures.map(\.offset) == b.failures.map(\.offset)
  }

  var codes: [String] { failures.map(\.code.rawValue) }

  /// One call; how many bytes the next one wants, nil once the end has been taken.
  private mutating func call(_ transform: inout some FrameTransform, isFinal: Bool) -> Int? {
    var output = self.output
    let step = transform.process(window.span, at: base, isFinal: isFinal, into: &output)
    self.output = output
    let isValid = (0...window.count).contains(step.consumed) && step.rejected.upperBound <= step.consumed
    require(isValid, "consumed \(step.consumed) of \(window.count)")
    rejected += window[step.rejected]
    window.removeFirst(step.consumed)
    base += step.consumed
    if let failure = step.failure {
      failures.append(failure)
      return 1
    }
    if isFinal, window.isEmpty { return nil }
    require(step.consumed > 0 || !isFinal && step.wanted > window.count, "gets on")
    return step.wanted
  }
}
