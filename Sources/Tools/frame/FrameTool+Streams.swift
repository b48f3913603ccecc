import Captures
import CommandLine
import JSONLines
import SyncCore
import SystemIO

extension FrameTool {
  static func runEncode(_ settings: EncodeSettings, on console: Console) throws -> ExitStatus {
    guard settings.framing.maxSize.bytes <= LineCursor.longestLine else {
      throw UsageError.conflict("'--max-size' is at most 64M, because a line has at most 64 MiB")
    }
    return try run(settings, settings.files, on: console, settings.framing.writer) {
      InputStream(try FrameSource($0, form: .raw), ofLines: true)
    }
  }

  static func runDecode(_ settings: DecodeSettings, on console: Console) throws -> ExitStatus {
    if settings.annotate, settings.framing.form == .unchecked {
      throw UsageError.conflict(
        "--annotate with --no-check needs --output base64, because a message must be JSON")
    }
    var options = FrameReader.Options()
    options.form = settings.framing.form
    options.annotates = settings.annotate
    options.resynchronizes = settings.resync
    if settings.input == .streams { return try runStreams(settings, options, on: console) }
    let reader = FrameReader(settings.framing.decoder, options)
    return try run(settings, settings.files, on: console, reader) {
      InputStream(
        try FrameSource($0, form: settings.input), annotated: settings.annotate, resync: settings.resync)
    }
  }

  /// Passes each file through a separate transform.
  private static func run(
    _ settings: some BadLineConfigurable, _ files: [String], on console: Console,
    _ transform: some FrameTransform, _ open: (String) throws -> InputStream
  ) throws -> ExitStatus {
    var output = ByteOutput.standardOutput
    return try BadLines.collecting(
      settings, terminator: nil, inputs: files, on: console
    ) { badLines in
      do {
        for path in files {
          var stream = try open(path)
          try stream.run(through: transform, into: &output, &badLines)
        }
      } catch {
        // All lines or frames that were complete before the failure or signal are still written.
        try? output.flush()
        throw error
      }
      try output.flush()
      return .done
    }
  }
}

/// One file that a transform processes.
///
/// It is not generic: to make the metadata of a generic type, the run-time would search all conformances.
struct InputStream: ~Copyable {
  private var source: FrameSource
  /// Whether failures are written as lines of the output.
  private let isAnnotated: Bool
  private let resync: Bool
  /// Whether rejected bytes are lines: then the last one of the file gets a line end if it has none, so that
  /// the next file begins on its own line.
  private let isOfLines: Bool
  private var window = ByteWindow()
  private var lastRejected: UInt8?

  init(
    _ source: consuming FrameSource, ofLines isOfLines: Bool = false, annotated isAnnotated: Bool = false,
    resync: Bool = false
  ) {
    self.source = source
    (self.isOfLines, self.isAnnotated, self.resync) = (isOfLines, isAnnotated, resync)
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
      if !rejected.isEmpty { lastRejected = rejected[rejected.count - 1] }
      if let failure = step.failure {
        try output.flush()
        if !resync, let text = Diagnostic(failure, of: storage.span.extracting(range), in: source.name) {
          throw text
        }
        try report(failure, rejected, &badLines)
      } else {
        try badLines.keepMore(rejected)
      }
      window.consume(step.consumed)
      wanted = step.failure == nil ? step.wanted : 1
      if isFinal, step.failure == nil, window.isEmpty { break }
    }
    if isOfLines, let lastRejected, lastRejected != 10 { try badLines.keepMore([10].span) }
  }

  /// An annotated stream reports a failure as a line.
  ///
  /// It continues after failures if possible, as does a stream that resynchronizes.
  private func report(
    _ failure: FrameFailure, _ rejected: Span<UInt8>, _ badLines: inout BadLines
  ) throws {
    let diagnostic = Diagnostic(failure, in: source.name)
    if failure.reason == .skipped {
      // These bytes are the rest of a failure that was already reported and counted.
      if !isAnnotated { badLines.report(diagnostic) }
      try badLines.keepMore(rejected)
    } else if isAnnotated {
      try badLines.keep(rejected)
    } else if resync {
      try badLines.passOver(rejected, because: diagnostic)
    } else if failure.isFatal {
      throw diagnostic
    } else {
      try badLines.leaveOut(rejected, because: diagnostic)
    }
  }
}
