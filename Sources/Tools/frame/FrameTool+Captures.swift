import Captures
import CommandLine
import JSONLines
import SyncCore
import SystemIO

extension FrameTool {
  /// Decodes the lines of pcapstream, each direction of each stream separately.
  static func runStreams(
    _ settings: DecodeSettings, _ options: FrameReader.Options, on console: Console
  ) throws -> ExitStatus {
    var output = ByteOutput.standardOutput
    return try BadLines.collecting(
      settings, terminator: nil, inputs: settings.files, on: console
    ) { badLines in
      for path in settings.files {
        var decoding = StreamDecoding(
          path, StreamFrames(settings.framing.decoder, options), settings.annotate)
        do {
          try decoding.run(into: &output, &badLines)
        } catch {
          try? output.flush()
          throw error
        }
      }
      try output.flush()
      return .done
    }
  }
}

/// Decodes the lines of one file, with one decoder per stream.
private struct StreamDecoding {
  private let file: String
  private var frames: StreamFrames
  /// Whether failures are written as lines of the output.
  private let isAnnotated: Bool

  init(_ file: String, _ frames: StreamFrames, _ isAnnotated: Bool) {
    (self.file, self.frames, self.isAnnotated) = (file, frames, isAnnotated)
  }

  mutating func run(into output: inout ByteOutput, _ badLines: inout BadLines) throws {
    var lines: [UInt8] = []
    try InputLines.forEach(of: file, flushing: &output) { line, number, output in
      let piece: StreamLine
      do throws(MemberError) {
        piece = try StreamLine(line)
      } catch {
        return try leaveOut(line, number, because: error, &output, &badLines)
      }
      let failures: [StreamFrames.Failure]
      do {
        failures = try frames.add(piece, into: &lines) { try Self.pass(&$0, to: &output) }
      } catch let error as MemberError {
        return try leaveOut(line, number, because: error, &output, &badLines)
      }
      try Self.pass(&lines, to: &output)
      // This is a separate statement: nested in the call, `report` would be called on a copy of all streams.
      try report(failures, &output, &badLines)
    }
    let failures = try frames.finish(into: &lines) { try Self.pass(&$0, to: &output) }
    try Self.pass(&lines, to: &output)
    try report(failures, &output, &badLines)
  }

  private static func pass(_ lines: inout [UInt8], to output: inout ByteOutput) throws(SystemError) {
    try output.write(lines)
    lines.removeAll(keepingCapacity: true)
  }

  private func leaveOut(
    _ line: Span<UInt8>, _ number: Int, because error: MemberError, _ output: inout ByteOutput,
    _ badLines: inout BadLines
  ) throws {
    try output.flush()
    try badLines.leaveOut(line, because: Diagnostic(error, file: file, line: number))
    try badLines.keepMore([10].span)
  }

  private func report(
    _ failures: [StreamFrames.Failure], _ output: inout ByteOutput, _ badLines: inout BadLines
  ) throws {
    guard !failures.isEmpty else { return }
    try output.flush()
    for failure in failures {
      guard let diagnostic = Diagnostic(failure, in: file), failure.failure?.reason != .skipped else {
        // These bytes are the rest of a gap, or of a failure that was already reported and counted.
        if !isAnnotated, let diagnostic = Diagnostic(failure, in: file) { badLines.report(diagnostic) }
        try badLines.keepMore(failure.rejected.span)
        continue
      }
      if isAnnotated {
        try badLines.keep(failure.rejected.span)
      } else {
        try badLines.passOver(failure.rejected.span, because: diagnostic)
      }
    }
  }
}

extension Diagnostic {
  fileprivate init?(_ failure: StreamFrames.Failure, in file: String) {
    guard let reason = failure.failure else { return nil }
    self.init(reason, in: file)
    message = "\(failure.direction.text): \(reason.message)"
    facts = [JSONMember("stream", .integer(failure.direction.stream))]
  }
}
