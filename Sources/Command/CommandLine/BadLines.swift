package import JSONLines
import SystemIO

/// What to do with a line that cannot be used: `--on-error` and `--rejects`.
package struct BadLineSettings: Sendable {
  package enum Policy: String, OptionChoice {
    case stop, skip
    package static var valueName: String { "ACTION" }
  }

  package var policy = Policy.stop
  package var rejects: FilePath?

  package init() {}
}

/// Settings with the two options on bad lines.
package protocol BadLineConfigurable: Sendable {
  var badLines: BadLineSettings { get set }
  /// The files besides its operands that a run needs.
  var neededFiles: [String] { get }
}

extension BadLineConfigurable {
  package var neededFiles: [String] { [] }
}

extension Option where Settings: BadLineConfigurable {
  package static var badLines: [Option] {
    [
      .value(
        "on-error",
        "What a bad line does: stop ends the run (the default), skip reports it and leaves it out."
      ) { $0.badLines.policy = $1 },
      .value(
        "rejects",
        "Write the lines that were left out to FILE, byte for byte; it is empty where there are none."
      ) { $0.badLines.rejects = $1 },
    ]
  }
}

/// Counts, reports and keeps the lines that a run leaves out.
package struct BadLines: ~Copyable {
  private let policy: BadLineSettings.Policy
  private let console: Console
  private let terminator: UInt8?
  private let rejects: AtomicFile?
  package private(set) var count = 0

  /// `terminator` is put behind each thing that is kept: LF for lines, nil for frames.
  init(
    _ settings: BadLineSettings, terminator: UInt8? = 10, on console: Console
  ) throws(SystemError) {
    self.terminator = terminator
    policy = settings.policy
    self.console = console
    rejects = if let file = settings.rejects { try AtomicFile(creating: file.path) } else { nil }
  }

  /// Ends the run by throwing `diagnostic`, or reports it and keeps the line.
  package mutating func leaveOut(_ line: Span<UInt8>, because diagnostic: Diagnostic) throws {
    var diagnostic = diagnostic
    if diagnostic.hint == nil {
      diagnostic.hint = ForeignText(line, of: diagnostic)?.remedy(for: diagnostic.file)
    }
    guard policy == .skip else { throw diagnostic }
    try passOver(line, because: diagnostic)
  }

  /// Reports `diagnostic` and keeps the line, whatever bad lines do.
  package mutating func passOver(_ line: Span<UInt8>, because diagnostic: Diagnostic) throws {
    console.report(diagnostic)
    try keep(line)
  }

  /// Keeps what has been reported in the output already.
  package mutating func keep(_ line: Span<UInt8>) throws {
    count += 1
    try keepMore(line)
    if let terminator { try rejects?.write([terminator].span) }
  }

  /// Says more about something that has been counted already.
  package func report(_ diagnostic: Diagnostic) { console.report(diagnostic) }

  /// Keeps what belongs to something that has been counted already.
  package mutating func keepMore(_ bytes: Span<UInt8>) throws {
    try rejects?.write(bytes)
  }

  /// Runs a body that may leave lines out; `status` becomes 65 where any were.
  ///
  /// Where the body fails, what has been kept by then is in its place all the same; a file from before is not replaced
  /// by nothing. `inputs` and `outputs` are the run's other files, which the rejects must not replace.
  package static func collecting<Settings: BadLineConfigurable>(
    _ settings: Settings, terminator: UInt8? = 10, inputs: [String],
    outputs: (FilePath?, FilePath?) = (nil, nil),
    on console: Console, _ body: (inout BadLines) throws -> ExitStatus
  ) throws -> ExitStatus {
    var sideFiles = SideFiles(inputs: inputs, others: settings.neededFiles)
    try sideFiles.add(settings.badLines.rejects)
    try sideFiles.add(outputs.0)
    try sideFiles.add(outputs.1)
    var badLines = try BadLines(settings.badLines, terminator: terminator, on: console)
    let status: ExitStatus
    do {
      status = try body(&badLines)
    } catch {
      if badLines.count > 0 { _ = try badLines.finish() }
      throw error
    }
    return try badLines.finish(status)
  }

  /// Puts the rejects file in its place; `status` becomes 65 where anything was left out.
  mutating func finish(_ status: ExitStatus = .done) throws -> ExitStatus {
    try rejects?.commit()
    guard count > 0 else { return status }
    return console.report(Diagnostic(.partialRun, "\(count) left out"))
  }
}

/// What a file is that has JSON in it and not a JSON text on each line.
enum ForeignText {
  case byteOrderMark, utf16, array, pretty, prettyArray

  /// What the first line of a file shows that could not be used; nil where it is merely wrong.
  init?(_ line: Span<UInt8>) {
    let head = line.indices.prefix(3).map { line[$0] }
    let inked = line.indices.filter { ![9, 10, 13, 32].contains(line[$0]) }.map { line[$0] }
    guard let first = inked.first, let last = inked.last else { return nil }
    // What can stand last only where the text goes on.
    let goesOn = "{[,:".utf8.contains(last)
    switch first {
    case _ where head == [0xEF, 0xBB, 0xBF]: self = .byteOrderMark
    case _ where head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]): self = .utf16
    case UInt8(ascii: "["): self = goesOn ? .prettyArray : .array
    case UInt8(ascii: "{") where goesOn: self = .pretty
    default: return nil
    }
  }

  /// The same of a line that a diagnostic is about: all but an array shows in the first line only.
  init?(_ line: Span<UInt8>, of diagnostic: Diagnostic) {
    guard Self.faults.contains(diagnostic.code) else { return nil }
    self.init(line)
    if self == .array ? diagnostic.code == .unexpectedEnd : diagnostic.line != 1 { return nil }
  }

  /// The same of a file that a diagnostic is about.
  static func beginning(_ diagnostic: Diagnostic) -> ForeignText? {
    guard diagnostic.line == 1, let path = diagnostic.file, FileMode.exists(path), FileMode.isFile(path),
      let head = try? ByteInput.beginning(of: path, limit: 4_096)
    else { return nil }
    let line = Array(head.prefix { $0 != UInt8(ascii: "\n") })
    return ForeignText(line.span, of: diagnostic)
  }

  /// What a line that is no JSON object is called.
  private static let faults: Set<ErrorCode> = [
    .unexpectedByte, .unexpectedEnd, .notAnObject, .damagedRecord, .invalidStory, .notAMessage,
    .notAMeshMessage, .missingMember,
  ]

  /// What it is, and the command that makes lines of it.
  func remedy(for file: String?) -> String {
    let name = file.flatMap { $0 == "-" ? nil : ShellWord.path($0) }
    let operand = name.map { " " + $0 } ?? ""
    return switch self {
    case .byteOrderMark: "a byte order mark stands before the text: tail -c +4\(operand) leaves it out"
    case .utf16: "the text is UTF-16: iconv -f UTF-16 -t UTF-8\(operand) changes that"
    case .array: "a JSON array: jq -c '.[]'\(operand) makes a line of each element"
    case .pretty: "JSON over several lines: jq -c .\(operand) makes one line of it"
    case .prettyArray: "a JSON array over several lines: jq -c '.[]'\(operand) makes a line of each element"
    }
  }
}

extension Diagnostic {
  /// The same with a hint where the first line of its text shows what that is.
  package func hinting(at text: Span<UInt8>) -> Diagnostic {
    guard hint == nil, line == 1 else { return self }
    let end = ByteSearch.firstIndex(of: 10, in: text, from: 0) ?? text.count
    var diagnostic = self
    diagnostic.hint = ForeignText(text.extracting(..<end), of: self)?.remedy(for: file)
    return diagnostic
  }

  /// The same with a hint where its text, which may go over several lines, is not plain UTF-8.
  package func hinting(atEncodingOf text: Span<UInt8>, in file: String) -> Diagnostic {
    guard let foreign = ForeignText(text), foreign == .byteOrderMark || foreign == .utf16 else { return self }
    var diagnostic = self
    diagnostic.hint = foreign.remedy(for: file)
    return diagnostic
  }
}

/// The files that a run writes beside its output: none of them may be one that it reads, or that it writes twice.
package struct SideFiles {
  private var taken: [String]

  /// Without `inputs` standard input is read; `others` are what a run needs besides.
  package init(inputs: [String], others: [String] = []) {
    taken = (inputs.isEmpty ? ["-"] : inputs) + others
  }

  package mutating func add(_ output: FilePath?) throws(UsageError) {
    guard let path = output?.path else { return }
    if path == "-" { throw .conflict("standard output is for data: '-' cannot be written to beside it") }
    if let other = taken.first(where: { FileMode.isSameFile($0, path) }) {
      throw .conflict("'\(path)' would be written over '\(other)', which the same run needs")
    }
    taken.append(path)
  }
}
