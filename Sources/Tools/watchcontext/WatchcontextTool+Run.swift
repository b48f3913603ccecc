import CommandLine
import Devices
import JSONLines
import SyncCore
import SystemIO

extension WatchcontextTool {
  static func runRun(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try check(settings)
    return try BadLines.collecting(
      settings, inputs: settings.files, outputs: (settings.deliver, nil), on: console
    ) { badLines in
      var side = try Side.make(settings, console, &badLines)
      if settings.isLink {
        try side.follow(settings.local?.path, &badLines)
      } else {
        try side.read(settings.files, &badLines)
      }
      return .done
    }
  }

  private static func check(_ settings: Settings) throws(UsageError) {
    guard let role = settings.role else { throw .conflict("'run' needs --role") }
    if role == .watch, settings.keys != nil { throw .conflict("a watch has no '--keys'") }
    if role == .phone, settings.handlers != nil { throw .conflict("a phone has no '--handlers'") }
    if settings.isLink, !settings.files.isEmpty {
      throw .conflict("with '--link' standard input is the other side: '--local' takes events")
    }
    if settings.isLink, role == .watch, settings.deliver == nil {
      throw .conflict("with '--link' standard output is the other side: a watch needs '--deliver'")
    }
    if !settings.isLink, settings.local != nil { throw .conflict("'--local' needs '--link'") }
  }
}

/// One side at work.
private struct Side: ~Copyable {
  private enum Machine {
    case phone(PhoneSide)
    case watch(WatchSide)
  }

  private var machine: Machine
  private let handlers: ContextHandlers?
  private let delivery: Delivery?
  private let console: Console
  private var output = ByteOutput.standardOutput

  private init(
    _ machine: Machine, _ handlers: ContextHandlers?, _ delivery: Delivery?, _ console: Console
  ) {
    self.machine = machine
    self.handlers = handlers
    self.delivery = delivery
    self.console = console
  }

  static func make(
    _ settings: WatchcontextTool.Settings, _ console: Console, _ badLines: inout BadLines
  ) throws -> Side {
    let handlers = try settings.handlers.map { try Self.handlers($0.path) }
    let delivery = try settings.deliver.map { try Delivery($0.path) }
    let machine =
      settings.role == .phone
      ? Machine.phone(try phone(settings, console, &badLines)) : .watch(WatchSide())
    return Side(machine, handlers, delivery, console)
  }

  private static func phone(
    _ settings: WatchcontextTool.Settings, _ console: Console, _ badLines: inout BadLines
  ) throws -> PhoneSide {
    var phone = try PhoneSide(rules: settings.rules, values: [])
    guard let file = settings.keys else { return phone }
    var nothing = ByteOutput.standardOutput
    try WatchcontextTool.forEachValue(of: [file.path], &badLines, &nothing) { value, _ in
      _ = try phone.take(.valueDidChange(value))
      if let excess = settings.rules.excess(of: value) { console.note(excess) }
    }
    return phone
  }

  private static func handlers(_ path: String) throws -> ContextHandlers {
    let text = try ByteInput.contents(of: path)
    do throws(ContextError) {
      return try ContextHandlers(parsing: text.span)
    } catch {
      throw Diagnostic(error, in: path)
    }
  }

  /// Reads a log; each line is dealt with by itself, so that the output does not depend on how it arrives.
  mutating func read(_ files: [String], _ badLines: inout BadLines) throws {
    var lines = ByteOutput.standardOutput
    try InputLines.forEach(ofAll: files, flushing: &lines) { file, line, number, lines in
      // A line is left out once, though it may fail in two ways.
      let isTaken = try take(line, file, number, &badLines)
      // A reply has been given even where the context behind it cannot be sent.
      lines.take(&output)
      if isTaken { try settle(after: line, file, number, &badLines) }
      lines.take(&output)
      try lines.flushIfFull()
    }
  }

  /// Speaks to the other side until it ends.
  mutating func follow(_ local: String?, _ badLines: inout BadLines) throws {
    var sources = try LineSources(.standardInput, beside: local)
    try take(.launch)
    try take(.activationDidComplete(isReachable: true, received: nil))
    try settle(after: [UInt8]().span, "-", nil, &badLines)
    try output.flush()
    var numbers = [0, 0]
    while !sources.isAtEnd {
      try take(together: try sources.next(), local, &numbers, &badLines)
    }
  }

  /// Takes lines that are there at once, and sends what is due after them.
  ///
  /// What came before a line that ends the run has happened: the other side is told of it all the same.
  private mutating func take(
    together arrivals: [LineSources.Arrival], _ local: String?, _ numbers: inout [Int],
    _ badLines: inout BadLines
  ) throws {
    var failure: (any Error)?
    do {
      for arrival in arrivals {
        let source = arrival.isMain ? 0 : 1
        numbers[source] += 1
        guard !arrival.line.span.isBlankLine else { continue }
        _ = try take(arrival.line.span, arrival.isMain ? "-" : local ?? "-", numbers[source], &badLines)
      }
    } catch {
      failure = error
    }
    do { try settle(after: [UInt8]().span, "-", nil, &badLines) } catch { failure = failure ?? error }
    try output.flush()
    if let failure { throw failure }
  }

  /// False where the line is left out.
  private mutating func take(
    _ line: Span<UInt8>, _ file: String, _ number: Int, _ badLines: inout BadLines
  ) throws -> Bool {
    do {
      try take(try ContextEvent(parsing: line)) { error in
        badLines.report(Diagnostic(error, in: file, line: number))
        try badLines.keep(line)
      }
      return true
    } catch let error as ContextError {
      try badLines.leaveOut(line, because: Diagnostic(error, in: file, line: number))
      return false
    }
  }

  private mutating func take(_ event: ContextEvent, _ report: (ContextError) throws -> Void = { _ in }) throws
  {
    switch machine {
    case .phone(var phone):
      defer { machine = .phone(phone) }
      for action in try phone.take(event) { output.buffer.append(line: action.json(nil)) }
      if case .valueDidChange(let value) = event, let excess = phone.rules.excess(of: value) {
        console.note(excess)
      }
    case .watch(var watch):
      let actions = watch.take(event)
      machine = .watch(watch)
      for action in actions { try write(action, report) }
    }
  }

  private mutating func write(_ action: ContextAction, _ report: (ContextError) throws -> Void) throws {
    guard case .deliver(let changes) = action else {
      output.buffer.append(line: action.json(nil))
      return
    }
    let line = action.json(handlers)
    if let delivery {
      try delivery.file.write(line.text + "\n")
    } else {
      output.buffer.append(line: line)
    }
    for error in handlers?.decode(changes.values).errors ?? [] { try report(error) }
  }

  /// Sends the context that is due; one that is too large is reported, and the run goes on to answer requests.
  private mutating func settle(
    after line: Span<UInt8>, _ file: String, _ number: Int?, _ badLines: inout BadLines
  ) throws {
    guard case .phone(var phone) = machine else { return }
    defer { machine = .phone(phone) }
    do throws(ContextError) {
      if let action = try phone.settle() { output.buffer.append(line: action.json(nil)) }
    } catch {
      try badLines.passOver(line, because: Diagnostic(error, in: file, line: number))
    }
  }
}

extension ByteOutput {
  fileprivate mutating func take(_ other: inout ByteOutput) {
    buffer += other.buffer
    other.buffer.removeAll(keepingCapacity: true)
  }
}

/// The file of `--deliver`.
///
/// A class, as an optional of a struct that cannot be copied is destroyed through metadata made at run-time.
private final class Delivery {
  let file: Descriptor

  init(_ path: String) throws(SystemError) { file = try Descriptor.appending(to: path) }
}
