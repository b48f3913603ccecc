import CommandLine
import Devices
import JSONLines
import SyncCore
import SystemIO

extension WatchcontextTool {
  static func runRun(_ settings: RunSettings, on console: Console) throws -> ExitStatus {
    try settings.check()
    // With --link, standard input is the other side.
    try BadLines.requireOneStandardInput(
      settings.neededFiles + (settings.files.isEmpty ? ["-"] : settings.files))
    return try BadLines.collecting(
      settings, inputs: settings.files, outputs: (settings.deliver, nil), on: console
    ) { badLines in
      var side = try Side(settings, console, &badLines)
      if settings.isLink {
        try side.follow(settings.local?.path, &badLines)
      } else {
        try side.read(settings.files, &badLines)
      }
      return .done
    }
  }
}

/// The phone or the watch during a run.
private struct Side: ~Copyable {
  private var filter: ContextFilter
  private let delivery: Delivery?
  private let console: Console
  private var output = ByteOutput.standardOutput
  /// Why the pending context cannot be sent, as last reported.
  private var reported: ContextError?

  init(
    _ settings: WatchcontextTool.RunSettings, _ console: Console, _ badLines: inout BadLines
  ) throws {
    let handlers = try settings.handlers.map { try Self.handlers($0.path) }
    let delivery = try settings.deliver.map { try Delivery($0.path) }
    var filter =
      settings.role == .phone
      ? try ContextFilter(phoneWith: settings.rules) : ContextFilter(watchWith: handlers)
    if let keys = settings.keys {
      var nothing = ByteOutput.standardOutput
      try WatchcontextTool.forEachValue(of: [keys.path], &badLines, &nothing) { value, _ in
        if let excess = try filter.handle(.valueDidChange(value)).excess { console.note(excess) }
      }
    }
    (self.filter, self.delivery, self.console) = (filter, delivery, console)
  }

  private static func handlers(_ path: String) throws -> ContextHandlers {
    let text = try ByteInput.contents(of: path)
    do throws(ContextError) {
      return try ContextHandlers(parsing: text.span)
    } catch {
      throw Diagnostic(error, in: path)
    }
  }

  /// Reads a log line by line, so the output does not depend on how the lines arrive.
  mutating func read(_ files: [String], _ badLines: inout BadLines) throws {
    var lines = ByteOutput.standardOutput
    try InputLines.forEach(ofAll: files, flushing: &lines) { file, line, number, lines in
      // A line is left out once, even if it fails in two ways.
      let isTaken = try handle(line, file, number, &badLines)
      // The reply is written even if the context after it cannot be sent.
      lines.append(&output)
      if isTaken { try settle(after: line, file, number, &badLines) }
      lines.append(&output)
      try lines.flushIfFull()
    }
  }

  /// Exchanges messages with the other side until it ends.
  mutating func follow(_ local: String?, _ badLines: inout BadLines) throws {
    var sources = try LineSources(.standardInput, beside: local, limit: LineCursor.longestLine)
    try write(filter.handle(.launch))
    try write(filter.handle(.activationDidComplete(isReachable: true, received: nil)))
    try settle(after: [UInt8]().span, "-", nil, &badLines)
    try output.flush()
    var numbers = [0, 0]
    while !sources.isAtEnd {
      try handle(together: try sources.next(), local, &numbers, &badLines)
    }
  }

  /// Handles lines that arrive together, and then sends everything that is due.
  ///
  /// The actions of the events before a line that ends the run are still written.
  private mutating func handle(
    together arrivals: [LineSources.Arrival], _ local: String?, _ numbers: inout [Int],
    _ badLines: inout BadLines
  ) throws {
    var failure: (any Error)?
    do {
      for arrival in arrivals {
        let source = arrival.isMain ? 0 : 1
        numbers[source] += 1
        if arrival.isTooLong {
          throw Diagnostic.longLine(in: arrival.isMain ? "-" : local ?? "-", line: numbers[source])
        }
        guard !arrival.line.span.isBlankLine else { continue }
        _ = try handle(arrival.line.span, arrival.isMain ? "-" : local ?? "-", numbers[source], &badLines)
      }
    } catch {
      failure = error
    }
    do { try settle(after: [UInt8]().span, "-", nil, &badLines) } catch { failure = failure ?? error }
    try output.flush()
    if let failure { throw failure }
  }

  /// Handles a line; false if it is left out.
  private mutating func handle(
    _ line: Span<UInt8>, _ file: String, _ number: Int, _ badLines: inout BadLines
  ) throws -> Bool {
    let step: ContextFilter.Step
    do throws(ContextError) {
      step = try filter.handle(try ContextEvent(parsing: line))
    } catch {
      try badLines.leaveOut(line, because: Diagnostic(error, in: file, line: number))
      return false
    }
    try write(step)
    for error in step.undecodable { badLines.report(Diagnostic(error, in: file, line: number)) }
    // A line with several such values is left out once.
    if !step.undecodable.isEmpty { try badLines.keep(line) }
    return true
  }

  private mutating func write(_ step: ContextFilter.Step) throws {
    for line in step.lines {
      if line.isDelivery, let delivery {
        try delivery.file.write(line.value.text + "\n")
      } else {
        output.buffer.append(line: line.value)
      }
    }
    if let excess = step.excess { console.note(excess) }
  }

  /// Sends a due context; one that is too large is reported, and the run continues to answer requests.
  ///
  /// It is retried after every event, and reported again only if the error has changed.
  private mutating func settle(
    after line: Span<UInt8>, _ file: String, _ number: Int?, _ badLines: inout BadLines
  ) throws {
    do throws(ContextError) {
      if let context = try filter.settle() { output.buffer.append(line: context) }
      reported = nil
    } catch {
      // Sends the part that fits without the new manual values; if that is still too large, the error is the
      // same.
      if let context = try? filter.settle() { output.buffer.append(line: context) }
      guard error != reported else { return }
      reported = error
      try badLines.passOver(line, because: Diagnostic(error, in: file, line: number))
    }
  }
}

extension ByteOutput {
  fileprivate mutating func append(_ other: inout ByteOutput) {
    buffer += other.buffer
    other.buffer.removeAll(keepingCapacity: true)
  }
}

/// The file of `--deliver`.
///
/// It is a class, because an optional of a noncopyable struct is destroyed through metadata made at run-time.
private final class Delivery {
  let file: Descriptor

  init(_ path: String) throws(SystemError) { file = try Descriptor.appending(to: path) }
}
