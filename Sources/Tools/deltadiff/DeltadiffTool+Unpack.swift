import JSONLines
import CommandLine
import SyncCore
import SystemIO
import RecordInputs

extension DeltadiffTool {
  static func runUnpack(_ settings: WireSettings, on console: Console) throws -> ExitStatus {
    let path = settings.files.first ?? "-"
    if settings.types?.path == "-" { throw UsageError.conflict("'--types' needs a file") }
    let types = try settings.types.map { try WireTypesFile($0.path, console) }
    var unpacking = Unpacking(settings, path, types)
    return try BadLines.collecting(
      settings, inputs: settings.files, outputs: (settings.types, nil), on: console
    ) { badLines in
      let input = try InputLines.contents(of: path, limit: 256 << 20)
      try unpacking.learnTypes(of: input.span)
      var texts = WireTexts()
      while let text = texts.next(in: input.span) { try unpacking.unpack(text, of: input.span, &badLines) }
      try badLines.save()
      try unpacking.writeHeld()
      if unpacking.ignored > 0 { console.note("lossy: unknown members left out: \(unpacking.ignored)") }
      if unpacking.hasHeldBack { console.reportHeldBackCheckpoint() }
      return .done
    }
  }
}

/// Writes the lines of deltas.
private struct Unpacking: ~Copyable {
  var output = ByteOutput.standardOutput
  private let settings: DeltadiffTool.WireSettings
  private let path: String
  private var types: WireTypesFile?
  private var reader: WireReader
  private var lines = WireLines()
  /// Checkpoint lines after entries that were left out; they are written once these entries are in their file.
  private var held: [UInt8] = []
  /// Whether a checkpoint line was held back.
  private(set) var hasHeldBack = false

  var ignored: Int { reader.ignored }

  init(_ settings: DeltadiffTool.WireSettings, _ path: String, _ types: WireTypesFile?) {
    self.settings = settings
    self.path = path
    self.types = types
    reader = WireReader(isLossy: settings.lossy)
  }

  mutating func unpack(_ text: WireTexts.Text, of input: Span<UInt8>, _ badLines: inout BadLines) throws {
    switch text {
    case .broken(let error, let raw):
      let (line, failure) = lines.failure(error, in: input)
      try output.flush()
      try badLines.leaveOut(input.extracting(raw), because: diagnostic(failure, line))
    case .value(let raw):
      let delta: WireDelta
      do throws(WireFailure) {
        delta = try WireDelta(input, raw, isLossy: settings.lossy, ignored: &reader.ignored)
      } catch {
        return try leaveOut(raw, of: input, error, &badLines)
      }
      try write(delta, of: input, &badLines)
    }
  }

  private mutating func write(
    _ delta: WireDelta, of input: Span<UInt8>, _ badLines: inout BadLines
  ) throws {
    var entries = WireEntries(delta)
    while let entry = entries.next(in: input) {
      do throws(WireFailure) {
        try append(entry, of: input)
      } catch {
        try leaveOut(
          entry.raw, of: input, error, keeping: WireDelta.text(ofOnly: entry, of: input), &badLines)
      }
      try output.flushIfFull()
    }
    if badLines.count > 0, settings.holdsCheckpointBack {
      hasHeldBack = true
    } else if badLines.count > 0 {
      delta.appendCheckpoint(input, to: &held)
    } else {
      delta.appendCheckpoint(input, to: &output.buffer)
    }
  }

  mutating func writeHeld() throws {
    try output.write(held)
    try output.flush()
  }

  private mutating func append(_ entry: WireEntry, of input: Span<UInt8>) throws(WireFailure) {
    let record = try reader.read(entry, of: input)
    do throws(WireFailure) {
      try types?.types.check(record, of: input)
    } catch {
      throw error.inside(entry)
    }
    record.appendLine(input, to: &output.buffer)
  }

  /// Learns the types of all deltas, and saves them before the first line is written.
  ///
  /// A `pack` later in the pipe reads the file once, when the first line arrives.
  mutating func learnTypes(of input: Span<UInt8>) throws {
    guard types != nil else { return }
    try types?.reload()
    var reader = WireReader(isLossy: settings.lossy)
    var texts = WireTexts()
    while let text = texts.next(in: input) {
      guard case .value(let raw) = text,
        let delta = try? WireDelta(input, raw, isLossy: settings.lossy, ignored: &reader.ignored)
      else { continue }
      learn(delta, of: input, &reader)
    }
    try types?.save()
  }

  /// Errors of an entry are reported when it is written.
  private mutating func learn(_ delta: WireDelta, of input: Span<UInt8>, _ reader: inout WireReader) {
    var entries = WireEntries(delta)
    while let entry = entries.next(in: input) {
      if let record = try? reader.read(entry, of: input) { types?.types.learn(record, of: input) }
    }
  }

  private mutating func leaveOut(
    _ raw: Range<Int>, of input: Span<UInt8>, _ failure: WireFailure, keeping text: [UInt8]? = nil,
    _ badLines: inout BadLines
  ) throws {
    let line = lines.place(of: raw.lowerBound, in: input).line
    try output.flush()
    let bad = input.extracting(raw)
    if let text {
      try badLines.leaveOut(bad, keeping: text.span, because: diagnostic(failure, line))
    } else {
      try badLines.leaveOut(bad, because: diagnostic(failure, line))
    }
  }

  private func diagnostic(_ failure: WireFailure, _ line: Int) -> Diagnostic {
    var diagnostic = Diagnostic(failure, in: path, line: line)
    diagnostic.isOfText = true
    return diagnostic
  }
}
