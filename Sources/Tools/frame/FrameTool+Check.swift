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
    var file = "-"

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
      "The streams of a capture are conversations of their own, and a finding has the number of its stream.",
      "The status is 1 where anything was found.",
    ],
    settings: CheckSettings(),
    options: [
      .value("max-page", "Find pages above SIZE that have more than one line; the default is 4M.") {
        $0.maxPage = $1
      },
      .value("now", "Find messages that were not sent about TIME.") { $0.now = $1 },
      .value(
        "max-drift", "How far from --now a message may have been sent, before or after; the default is 5m."
      ) { $0.maxDrift = $1 },
    ] + Option.badLines,
    operands: Operands("[FILE]", count: 0...1) { $1.file = $0.first ?? "-" },
    statuses: [.no, .badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init(
        "Check the messages in a capture:", "frame decode --annotate capture.bin | frame check"),
      .init("The same of messages a line each:", "frame check conversation.jsonl"),
      .init(
        "Check each connection in a capture of packets:",
        "pcapstream sync.pcap | frame decode --input streams --annotate | frame check"),
    ],
    run: runCheck)

  private static func runCheck(_ settings: CheckSettings, on console: Console) throws -> ExitStatus {
    if settings.maxDrift != nil, settings.now == nil {
      throw UsageError.conflict("'--max-drift' needs '--now'")
    }
    return try BadLines.collecting(settings, inputs: [settings.file], on: console) { badLines in
      var checking = Checking(settings)
      try checking.run(&badLines)
      return checking.hasFindings ? .no : .done
    }
  }
}

/// Takes the lines of a conversation and writes what is found in them.
private struct Checking {
  private let file: String
  private let limits: ConversationCheck.Limits
  /// By the stream; without one, all lines are one conversation.
  private var checks: [Int?: ConversationCheck] = [:]
  private(set) var hasFindings = false

  init(_ settings: FrameTool.CheckSettings) {
    file = settings.file
    limits = settings.limits
  }

  mutating func run(_ badLines: inout BadLines) throws {
    var output = ByteOutput.standardOutput
    try InputLines.forEach(of: file, flushing: &output) { line, number, output in
      try check(line, number, into: &output, &badLines)
    }
    try output.flush()
  }

  private mutating func check(
    _ line: Span<UInt8>, _ number: Int, into output: inout ByteOutput, _ badLines: inout BadLines
  ) throws {
    let place: ConversationLine
    do throws(ConversationLine.Failure) {
      place = try ConversationLine(line)
    } catch {
      try output.flush()
      return try badLines.leaveOut(line, because: Diagnostic(error, in: file, line: number))
    }
    let findings = checks[place.stream, default: ConversationCheck(limits)].check(line, place.message)
    for finding in findings {
      hasFindings = true
      finding.append(line: number, stream: place.stream, offset: place.offset, to: &output.buffer)
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
    }
  }
}
