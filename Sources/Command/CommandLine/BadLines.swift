package import JSONLines
import SystemIO

/// How to handle a bad line: `--on-error` and `--rejects`.
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
  /// The files that a run needs in addition to its operands.
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
        "Stop at a bad line, or skip it with a report (default: stop)."
      ) { $0.badLines.policy = $1 },
      .value(
        "rejects",
        "Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty."
      ) { $0.badLines.rejects = $1 },
    ]
  }
}

/// Counts, reports and saves the lines that a run leaves out.
package struct BadLines: ~Copyable {
  private let policy: BadLineSettings.Policy
  private let console: Console
  private let terminator: UInt8?
  private var rejects: AtomicFile?
  package private(set) var count = 0

  /// `terminator` follows each saved item: LF for lines, nil for frames.
  init(
    _ settings: BadLineSettings, terminator: UInt8? = 10, on console: Console
  ) throws(SystemError) {
    self.terminator = terminator
    policy = settings.policy
    self.console = console
    rejects = if let file = settings.rejects { try AtomicFile(creating: file.path) } else { nil }
  }

  /// Ends the run by throwing `diagnostic`, or reports it and saves the line.
  package mutating func leaveOut(_ line: Span<UInt8>, because diagnostic: Diagnostic) throws {
    try leaveOut(line, keeping: line, because: diagnostic)
  }

  /// As above, but saves `text` in place of the line.
  package mutating func leaveOut(
    _ line: Span<UInt8>, keeping text: Span<UInt8>, because diagnostic: Diagnostic
  ) throws {
    var diagnostic = diagnostic
    if diagnostic.hint == nil {
      diagnostic.hint = ForeignText(line, of: diagnostic, isFirst: count == 0)?.remedy(
        for: diagnostic.file, with: line)
    }
    diagnostic = diagnostic.excerpting(line)
    guard policy == .skip else {
      if diagnostic.message == "no key: 'id' is missing", diagnostic.hint == nil {
        diagnostic.hint = "--key /NAME names the member that identifies a record"
      }
      throw diagnostic
    }
    console.report(diagnostic)
    try keep(text)
  }

  /// Reports `diagnostic` and saves the line, regardless of the setting for bad lines.
  package mutating func passOver(_ line: Span<UInt8>, because diagnostic: Diagnostic) throws {
    console.report(diagnostic.excerpting(line))
    try keep(line)
  }

  /// Saves a line that is already reported in the output.
  package mutating func keep(_ line: Span<UInt8>) throws {
    count += 1
    try keepMore(line)
    if let terminator { try rejects?.write([terminator].span) }
  }

  /// Reports more about a line that is already counted.
  package func report(_ diagnostic: Diagnostic) { console.report(diagnostic) }

  /// The progress of reading `total` bytes; `total` is 0 if unknown.
  package func progress(_ label: String, total: @autoclosure () -> Int) -> Progress {
    Progress(label, total: total(), on: console)
  }

  /// Saves more bytes of a line that is already counted.
  package mutating func keepMore(_ bytes: Span<UInt8>) throws {
    try rejects?.write(bytes)
  }

  /// Runs a body that may leave lines out; `status` becomes 65 if any line was left out.
  ///
  /// If the body fails, the lines collected so far are still written. An existing file is not replaced by an
  /// empty one. `inputs` and `outputs` are the run's other files, which the rejects must not replace.
  package static func collecting<Settings: BadLineConfigurable>(
    _ settings: Settings, terminator: UInt8? = 10, inputs: [String],
    outputs: (FilePath?, FilePath?) = (nil, nil),
    on console: Console, _ body: (inout BadLines) throws -> ExitStatus
  ) throws -> ExitStatus {
    try requireOneStandardInput(inputs)
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

  /// Throws if two inputs are standard input, which can be read only once.
  package static func requireOneStandardInput(_ inputs: [String]) throws(UsageError) {
    if inputs.count > 1, inputs.count(where: OpenStream.isStandardInput) > 1 {
      throw .conflict("only one input can be standard input")
    }
  }

  /// Commits the file of rejects; call it when all lines have been read, and before anything else is stored.
  ///
  /// If this file were committed later and could not be written, its lines would be lost.
  package mutating func save() throws {
    guard count > 0 else { return }
    try rejects?.commit()
    rejects = nil
  }

  /// Commits the file of rejects; `status` becomes 65 if a line was left out.
  mutating func finish(_ status: ExitStatus = .done) throws -> ExitStatus {
    try rejects?.commit()
    rejects = nil
    guard count > 0 else { return status }
    return console.report(Diagnostic(.partialRun, "\(count) left out"))
  }
}

/// The files that a run writes in addition to its output; each must differ from the run's inputs and from the
/// other files.
///
/// A command refuses to run if its standard output is one of them.
package struct SideFiles {
  private var taken: [String]

  /// Without `inputs`, standard input is read; `others` are further files that the run needs.
  package init(inputs: [String], others: [String] = []) {
    taken = (inputs.isEmpty ? ["-"] : inputs) + others
  }

  package mutating func add(_ output: FilePath?) throws(UsageError) {
    guard let path = output?.path else { return }
    if path == "-" { throw .conflict("standard output is for data: '-' cannot be used here") }
    if let other = taken.first(where: { FileMode.isSameFile($0, path) }) {
      throw .conflict("'\(path)' would overwrite '\(other)', which the same run needs")
    }
    taken.append(path)
  }
}

extension Diagnostic {
  /// The same diagnostic with an excerpt of the line around a JSON error.
  func excerpting(_ line: Span<UInt8>) -> Diagnostic {
    var diagnostic = self
    do throws(JSONError) {
      try JSONScanner.validate(line)
    } catch  where error.code.errorCode == code && message.hasSuffix(error.message(in: "line")) {
      diagnostic.message += ", near '\(error.excerpt(of: line))'"
    } catch {}
    return diagnostic
  }
}
