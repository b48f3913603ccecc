import CommandLine
import Devices
import JSONLines
import SyncCore
import SystemIO

extension WatchcontextTool {
  static func runEligible(_ settings: ValueSettings, on console: Console) throws -> ExitStatus {
    try collecting(settings, on: console) { badLines, output in
      var keys: Set<[UInt8]> = []
      try forEachValue(of: settings.files, &badLines, &output) { value, output in
        guard keys.insert(Array(value.key.utf8)).inserted else { throw ContextError.duplicateKey(value.key) }
        let reason = settings.rules.decide(value)
        let line: JSONValue = [
          "key": .string(value.key), "eligible": .bool(reason.isEligible), "reason": .string(reason.rawValue),
          "size": value.data.map { .integer($0.count) } ?? .null,
        ]
        output.append(line: line)
      }
    }
  }

  static func runContext(_ settings: ValueSettings, on console: Console) throws -> ExitStatus {
    try writeMap(settings, on: console) { $0.json }
  }

  static func runSnapshot(_ settings: ValueSettings, on console: Console) throws -> ExitStatus {
    try writeMap(settings, on: console, else: ContextReply.ack.json) { ContextReply($0).json }
  }

  private static func writeMap(
    _ settings: ValueSettings, on console: Console, else fallback: JSONValue? = nil,
    _ json: (ContextMap) -> JSONValue
  ) throws -> ExitStatus {
    try collecting(settings, on: console) { badLines, output in
      var values: [RegisteredValue] = []
      var keys: Set<[UInt8]> = []
      try forEachValue(of: settings.files, &badLines, &output) { value, _ in
        if ContextRules.reservedKeys.contains(value.key) { throw ContextError.reservedKey(value.key) }
        guard keys.insert(Array(value.key.utf8)).inserted else { throw ContextError.duplicateKey(value.key) }
        values.append(value)
        if let excess = settings.rules.excess(of: value) { console.note(excess) }
      }
      do throws(ContextError) {
        output.buffer.append(line: json(try settings.rules.context(of: values)))
      } catch {
        // The requesting side waits for an answer.
        if let fallback { output.buffer.append(line: fallback) }
        try output.flush()
        throw Diagnostic(error)
      }
    }
  }

  private static func collecting(
    _ settings: ValueSettings, on console: Console, _ body: (inout BadLines, inout ByteOutput) throws -> Void
  ) throws -> ExitStatus {
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      var output = ByteOutput.standardOutput
      try body(&badLines, &output)
      try output.flush()
      return .done
    }
  }

  /// Reads registered keys; an error of `take` counts as the line's error.
  static func forEachValue(
    of files: [String], _ badLines: inout BadLines, _ output: inout ByteOutput,
    _ take: (RegisteredValue, inout [UInt8]) throws -> Void
  ) throws {
    try InputLines.forEach(ofAll: files, flushing: &output) { file, line, number, output in
      do {
        try take(try RegisteredValue(parsing: line), &output.buffer)
      } catch let error as ContextError {
        try output.flush()
        try badLines.leaveOut(line, because: Diagnostic(error, in: file, line: number))
      }
      try output.flushIfFull()
    }
  }
}

extension Diagnostic {
  init(_ error: ContextError, in file: String? = nil, line: Int? = nil) {
    self.init(error.code, error.message, file: file, line: line)
    if case .contextTooLarge = error {
      hint = "set the policy of a large key to never, or send it in another way"
    }
  }
}
