import Captures
import CommandLine
import CommonInputs
import JSONLines
import SyncCore
import SystemIO

extension FrameTool {
  struct CheckSettings: BadLineConfigurable, ConversationConfigurable {
    var maxPage = ByteSize(bytes: ConversationCheck.Limits().page)
    var now: Instant?
    var maxDrift: Duration?
    var badLines = BadLineSettings()
    var conversation = ConversationFiles()

    var limits: ConversationCheck.Limits {
      var limits = ConversationCheck.Limits()
      limits.page = maxPage.bytes
      limits.now = now
      if let maxDrift { limits.skew = maxDrift }
      return limits
    }
  }

  static let check = Command(
    "check", "find protocol violations in a conversation",
    discussion: [
      "check reads the messages of both sides, one per line, in the order of sending. A line is a message as "
        + "decode writes it, or an envelope of decode --annotate. Each finding is one JSON line with the "
        + "line number of the message, the offset of the frame if known, a code and a message.",
      "Each stream of a trace or capture is a separate conversation. A finding has the number of its stream.",
      "The exit status is 1 if a violation is found.",
    ],
    settings: CheckSettings(),
    options: [
      .value("max-page", "Report pages above SIZE that have more than one line (default: 4M).") {
        $0.maxPage = $1
      },
      .value("now", "Report messages whose sentAt differs from TIME by more than --max-drift.") {
        $0.now = $1
      },
      .value(
        "max-drift", "With --now, allow messages sent up to this long before or after TIME (default: 5m)."
      ) { $0.maxDrift = $1 },
    ] + Option.side + Option.badLines,
    operands: .conversation,
    statuses: [.no, .badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init(
        "Check the messages in a capture:", "frame decode --annotate capture.bin | frame check"),
      .init("Check messages that are one per line:", "frame check conversation.jsonl"),
      .init(
        "Check each connection in a capture of packets:",
        "pcapstream sync.pcap | frame decode --input streams --annotate | frame check"),
      .init(
        "Check the separate logs of both sides:",
        "frame check --side phone=phone.jsonl --side mac=mac.jsonl"),
    ],
    run: runCheck)

  private static func runCheck(_ settings: CheckSettings, on console: Console) throws -> ExitStatus {
    if settings.maxDrift != nil, settings.now == nil {
      throw UsageError.conflict("'--max-drift' needs '--now'")
    }
    let inputs = try settings.conversation.inputs()
    return try BadLines.collecting(settings, inputs: inputs.map(\.path), on: console) { badLines in
      var checking = Checking(settings.limits)
      var output = ByteOutput.standardOutput
      try ConversationFiles.forEachLine(of: inputs, flushing: &output) { line, number, side, output in
        try checking.check(line, number, of: side, into: &output, &badLines)
      }
      try output.flush()
      return checking.hasFindings ? .no : .done
    }
  }
}

/// Checks the lines of a conversation and writes the findings.
private struct Checking {
  private var checks: ConversationChecks
  private(set) var hasFindings = false

  init(_ limits: ConversationCheck.Limits) { checks = ConversationChecks(limits) }

  mutating func check(
    _ line: Span<UInt8>, _ number: Int, of side: FrameTool.Side, into output: inout ByteOutput,
    _ badLines: inout BadLines
  ) throws {
    let found: ConversationLine
    do throws(ConversationLine.Failure) {
      found = try ConversationLine(line)
    } catch {
      try output.flush()
      if case .lost(let place, _) = error {
        checks.miss(in: side.stream(of: place))
      }
      return try badLines.leaveOut(line, because: Diagnostic(error, in: side.path, line: number))
    }
    let stream = side.stream(of: found.place)
    let findings = checks.check(line, found.message, of: stream)
    for finding in findings {
      hasFindings = true
      finding.append(
        side: side.name, line: number, stream: stream, offset: found.place.offset, to: &output.buffer)
    }
    try output.flushIfFull()
  }
}

extension Diagnostic {
  init(_ failure: ConversationLine.Failure, in file: String, line: Int) {
    switch failure {
    case .json(let error):
      self.init(
        error.code.errorCode, error.message(in: "line"), file: file, line: line, offset: error.offset)
    case .noMessage(let message): self.init(.notAMessage, message, file: file, line: line)
    case .lost(_, let bytes):
      self.init(
        .notAMessage, "not a message" + (bytes.reason.isEmpty ? "" : ": \(bytes.reason)"), file: file,
        line: line,
        hint: bytes.isGap ? "the capture lacks packets, which may explain the findings above" : nil)
    }
  }
}
