import Captures
import CommandLine
import CoreInputs
import JSONLines
import SyncCore
import SystemIO

extension FrameTool {
  struct CheckSettings: BadLineConfigurable {
    var maxPage = ByteSize(bytes: ConversationCheck.Limits().page)
    var now: Instant?
    var maxDrift: Duration?
    var badLines = BadLineSettings()
    var sides: [Side] = []
    var files: [String] = []

    var limits: ConversationCheck.Limits {
      var limits = ConversationCheck.Limits()
      limits.page = maxPage.bytes
      limits.now = now
      if let maxDrift { limits.skew = maxDrift }
      return limits
    }
  }

  static let check = Command(
    "check", "find what breaks the protocol in a conversation",
    discussion: [
      "Reads the messages of both sides in the order in which they were sent, a line each: as decode writes them, "
        + "or in the envelopes of decode --annotate. Each finding is a JSON object on a line: the line, the offset "
        + "of the frame where it is known, a code and a message.",
      "The streams of a trace or of a capture are conversations of their own, and a finding has the number of its stream.",
      "The status is 1 where anything was found.",
    ],
    settings: CheckSettings(),
    options: [
      .value("max-page", "Find pages above SIZE that have more than one line; the default is 4M.") {
        $0.maxPage = $1
      },
      .repeated(
        "side",
        "Read what one side sent from FILE; given twice, the messages of both are put in the order of their times."
      ) { $0.sides.append($1) },
      .value("now", "Find messages that were not sent about TIME.") { $0.now = $1 },
      .value(
        "max-drift", "How far from --now a message may have been sent, before or after; the default is 5m."
      ) { $0.maxDrift = $1 },
    ] + Option.badLines,
    operands: Operands("[FILE]", count: 0...1) { $1.files = $0 },
    statuses: [.no, .badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init(
        "Check the messages in a capture:", "frame decode --annotate capture.bin | frame check"),
      .init("The same of messages a line each:", "frame check conversation.jsonl"),
      .init(
        "Check each connection in a capture of packets:",
        "pcapstream sync.pcap | frame decode --input streams --annotate | frame check"),
      .init(
        "Check what each side has logged by itself:",
        "frame check --side phone=phone.jsonl --side mac=mac.jsonl"),
    ],
    run: runCheck)

  private static func runCheck(_ settings: CheckSettings, on console: Console) throws -> ExitStatus {
    if settings.maxDrift != nil, settings.now == nil {
      throw UsageError.conflict("'--max-drift' needs '--now'")
    }
    let inputs = try inputs(of: settings)
    return try BadLines.collecting(settings, inputs: inputs.map(\.path), on: console) { badLines in
      var checking = Checking(settings.limits)
      var output = ByteOutput.standardOutput
      if inputs.count == 1 {
        try InputLines.forEach(of: inputs[0].path, flushing: &output) { line, number, output in
          try checking.check(line, number, of: inputs[0], into: &output, &badLines)
        }
      } else {
        try SideLines.forEach(of: inputs) { line, number, side in
          try checking.check(line, number, of: side, into: &output, &badLines)
        }
      }
      try output.flush()
      return checking.hasFindings ? .no : .done
    }
  }

  /// One input without a name, or the two sides.
  private static func inputs(of settings: CheckSettings) throws(UsageError) -> [Side] {
    guard !settings.sides.isEmpty else { return [Side(name: nil, path: settings.files.first ?? "-")] }
    guard settings.files.isEmpty, settings.sides.count == 2, settings.sides[0].name != settings.sides[1].name
    else {
      throw .conflict("'--side' is given twice, with two names, and no other file")
    }
    return settings.sides
  }
}

/// Takes the lines of a conversation and writes what is found in them.
private struct Checking {
  private let limits: ConversationCheck.Limits
  /// By the stream; without one, all lines are one conversation.
  private var checks: [Int?: ConversationCheck] = [:]
  private(set) var hasFindings = false

  init(_ limits: ConversationCheck.Limits) { self.limits = limits }

  mutating func check(
    _ line: Span<UInt8>, _ number: Int, of side: FrameTool.Side, into output: inout ByteOutput,
    _ badLines: inout BadLines
  ) throws {
    let place: ConversationLine
    do throws(ConversationLine.Failure) {
      place = try ConversationLine(line)
    } catch {
      try output.flush()
      if case .lost(let stream) = error {
        checks[side.name == nil ? stream : nil, default: ConversationCheck(limits)].miss()
      }
      return try badLines.leaveOut(line, because: Diagnostic(error, in: side.path, line: number))
    }
    // Each side counts its connections by itself.
    let stream = side.name == nil ? place.stream : nil
    let findings = checks[stream, default: ConversationCheck(limits)].check(line, place.message)
    for finding in findings {
      hasFindings = true
      finding.append(
        side: side.name, line: number, stream: stream, offset: place.offset, to: &output.buffer)
    }
    try output.flushIfFull()
  }
}

extension Diagnostic {
  fileprivate init(_ failure: ConversationLine.Failure, in file: String, line: Int) {
    switch failure {
    case .json(let error):
      self.init(
        error.code.errorCode,
        "\(error.message) at byte \(error.offset) of the line", file: file, line: line, offset: error.offset)
    case .noMessage(let message): self.init(.notAMessage, message, file: file, line: line)
    case .lost:
      self.init(.notAMessage, "the envelope of bytes that are no message", file: file, line: line)
    }
  }
}
