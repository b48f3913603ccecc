import Captures
import CommandLine
import Drawings
import JSONLines
import SyncCore
import SystemIO

extension FrameTool {
  struct DrawSettings: BadLineConfigurable, ConversationConfigurable {
    var svg: FilePath?
    var width: DrawingWidth?
    var lines = LineRange.all
    var showsContent = false
    var badLines = BadLineSettings()
    var conversation = ConversationFiles()
  }

  static let draw = Command(
    "draw", "draw a conversation as a sequence diagram",
    discussion: [
      "draw reads the same input as check, and draws each conversation separately. It draws an arrow for "
        + "each message, its time in UTC, and the findings of check below their messages. It draws bytes "
        + "that are not a message as a broken arrow.",
      "A drawing shows only a message's type, sizes, counts and the members that the protocol needs, so you "
        + "can share it. The exit status is 0 even with findings.",
    ],
    settings: DrawSettings(),
    options: [
      .value("svg", "Draw a picture into FILE instead of text.") { $0.svg = $1 },
      .value(
        "width",
        "Draw text of N columns, from 20 to 1000 (default: as wide as the terminal, or 100)."
      ) { $0.width = $1 },
      .value("lines", "Draw only the messages of these lines; all lines are checked.") { $0.lines = $1 },
      .flag(
        "show-content",
        "Show records and names too, up to 20 lines per message. Pairing proofs stay hidden."
      ) { $0.showsContent = true },
    ] + Option.side + Option.badLines,
    operands: .conversation,
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("Draw the trace of a sync:", "frame draw talk.jsonl"),
      .init(
        "Draw each connection in a capture of packets:",
        "pcapstream sync.pcap | frame decode --input streams --annotate | frame draw"),
      .init(
        "Draw a picture of the messages around a finding:",
        "frame draw --lines 1-40 --svg talk.svg talk.jsonl"),
    ],
    run: runDraw)

  private static func runDraw(_ settings: DrawSettings, on console: Console) throws -> ExitStatus {
    if settings.svg != nil, settings.width != nil {
      throw UsageError.conflict("'--width' applies only to text, not to '--svg'")
    }
    let inputs = try settings.conversation.inputs()
    return try BadLines.collecting(
      settings, inputs: inputs.map(\.path), outputs: (settings.svg, nil), on: console
    ) { badLines in
      var drawings = ConversationDrawings(lines: settings.lines.range, showsContent: settings.showsContent)
      var checks = ConversationChecks()
      var nothing = ByteOutput.standardOutput
      try ConversationFiles.forEachLine(of: inputs, flushing: &nothing) { line, number, side, _ in
        do throws(ConversationLine.Failure) {
          let found = try ConversationLine(line)
          let stream = side.stream(of: found.place)
          let findings = checks.check(line, found.message, of: stream)
          drawings.add(line, number, .message(found, findings), stream: stream, of: side.name)
        } catch {
          guard case .lost(let place, let bytes) = error else {
            return try badLines.leaveOut(line, because: Diagnostic(error, in: side.path, line: number))
          }
          let stream = side.stream(of: place)
          checks.miss(in: stream)
          drawings.add(line, number, .lost(place, bytes), stream: stream, of: side.name)
        }
      }
      try badLines.save()
      try write(drawings, settings, on: console)
      return .done
    }
  }

  private static func write(
    _ drawings: ConversationDrawings, _ settings: DrawSettings, on console: Console
  ) throws {
    var leftOut = drawings.leftOut
    if let file = settings.svg {
      let drawing = ConversationSVG(drawings)
      leftOut = drawing.leftOut
      let picture = try AtomicFile(creating: file.path)
      try picture.write(Array(drawing.text.utf8).span)
      try picture.commit()
    } else {
      let isColored =
        Descriptor.standardOutput.isTerminal && TerminalSize.canDraw && !TerminalSize.isPlain
      let width = settings.width?.columns ?? TerminalSize.ofStandardOutput?.columns ?? 100
      let text = ConversationText(width: width, isColored: isColored).text(drawings)
      try Descriptor.standardOutput.write(text)
    }
    if drawings.shown.isEmpty {
      console.warn(
        drawings.lastLine == 0
          ? "the input has no message to draw"
          : "these lines do not have messages: the last message is on line \(drawings.lastLine)")
    }
    guard leftOut.count > 0 else { return }
    console.warn(
      "\(leftOut.count) messages do not fit into the drawing",
      hint: "draw them from line \(leftOut.line) on: --lines \(leftOut.line)-")
  }
}

/// Lines of a file: `FIRST-LAST`, `FIRST-`, or one line.
struct LineRange: OptionValue, Equatable {
  var range: ClosedRange<Int>
  static var valueName: String { "FIRST-LAST" }
  static var expectation: String { "lines such as 20-60, 20- or 20" }
  static let all = LineRange(range: 1...Int.max)

  private init(range: ClosedRange<Int>) { self.range = range }

  init?(argument: String) {
    let parts = argument.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first.flatMap(UnsignedDigits.init)?.value, first > 0 else { return nil }
    guard parts.count == 2 else {
      range = first...first
      return
    }
    guard !parts[1].isEmpty else {
      range = first...Int.max
      return
    }
    guard let last = UnsignedDigits(parts[1])?.value, last >= first else { return nil }
    range = first...last
  }
}

/// The columns of a drawing as text.
struct DrawingWidth: OptionValue, Equatable {
  var columns: Int
  static var valueName: String { "N" }
  static var expectation: String { "a whole number from \(ConversationText.narrowest) to 1000" }

  init?(argument: String) {
    guard let count = PositiveCount(argument: argument)?.value,
      (ConversationText.narrowest...1_000).contains(count)
    else { return nil }
    columns = count
  }
}
