import CommandLine
import JSONLines
import SyncCore
import SystemIO

extension FrameTool {
  static func runEncode(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try run(settings, input: .raw, on: console) {
      FrameWriter(prefix: settings.prefix, limit: settings.maxSize.bytes, form: settings.form)
    }
  }

  static func runDecode(_ settings: Settings, on console: Console) throws -> ExitStatus {
    if settings.annotate, settings.form == .unchecked {
      throw UsageError.conflict("--annotate with --no-check needs --output base64: a message has to be JSON")
    }
    var options = FrameReader.Options()
    options.form = settings.form
    options.annotates = settings.annotate
    options.resynchronizes = settings.resync
    let decoder = FrameDecoder(prefix: settings.prefix, limit: settings.maxSize.bytes)
    return try run(settings, input: settings.input, on: console) { FrameReader(decoder, options) }
  }

  /// Sends each file through a transform of its own.
  private static func run(
    _ settings: Settings, input: StreamForm, on console: Console, _ makeTransform: () -> some FrameTransform
  ) throws -> ExitStatus {
    var output = ByteOutput.standardOutput
    return try BadLines.collecting(
      settings, terminator: nil, inputs: settings.operands, on: console
    ) { badLines in
      do {
        for path in settings.operands.isEmpty ? ["-"] : settings.operands {
          var stream = FrameStream(try FrameSource(path, form: input), settings)
          try stream.run(through: makeTransform(), into: &output, &badLines)
        }
      } catch {
        // What was complete before the failure, or before a signal, is written all the same.
        try? output.flush()
        throw error
      }
      try output.flush()
      return .done
    }
  }
}

/// One file on its way through a transform.
///
/// Not generic itself: the run-time would look through all conformances to make its metadata.
struct FrameStream: ~Copyable {
  private var source: FrameSource
  private let settings: FrameTool.Settings
  private var window = ByteWindow()

  init(_ source: consuming FrameSource, _ settings: FrameTool.Settings) {
    self.source = source
    self.settings = settings
  }

  mutating func run(
    through transform: consuming some FrameTransform, into output: inout ByteOutput,
    _ badLines: inout BadLines
  ) throws {
    var isFinal = false
    var wanted = 1
    while true {
      while !isFinal, window.count < wanted {
        isFinal = try source.read(into: &window, flushing: &output) == 0
      }
      let (storage, range) = (window.storage, window.range)
      let step = transform.process(
        storage.span.extracting(range), at: window.consumed, isFinal: isFinal, into: &output.buffer)
      try output.flushIfFull()
      let rejected = storage.span.extracting(range).extracting(step.rejected)
      if let failure = step.failure {
        try output.flush()
        try report(failure, rejected, &badLines)
      } else {
        try badLines.keepMore(rejected)
      }
      window.consume(step.consumed)
      wanted = step.failure == nil ? step.wanted : 1
      if isFinal, step.failure == nil, window.isEmpty { return }
    }
  }

  /// An annotated stream reports a failure in its own lines; it and one that resynchronizes go on as far as
  /// they can.
  private func report(
    _ failure: FrameFailure, _ rejected: Span<UInt8>, _ badLines: inout BadLines
  ) throws {
    let diagnostic = Diagnostic(failure, in: source.name)
    if failure.reason == .skipped {
      // It is the rest of a failure that has been reported and counted.
      if !settings.annotate { badLines.report(diagnostic) }
      try badLines.keepMore(rejected)
    } else if settings.annotate {
      try badLines.keep(rejected)
    } else if settings.resync {
      try badLines.passOver(rejected, because: diagnostic)
    } else if failure.isFatal {
      throw diagnostic
    } else {
      try badLines.leaveOut(rejected, because: diagnostic)
    }
  }
}
