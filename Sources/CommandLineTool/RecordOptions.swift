package import JSONLines
package import SyncCore
import SystemIO

/// Settings of a tool that reads plain records.
package protocol RecordShapeConfigurable: Sendable {
  var shape: RecordShape { get set }
}

extension Option where Settings: RecordShapeConfigurable {
  package static var recordShape: [Option] {
    [
      .value(
        "entity-name", named: "NAME", \.shape.entityName,
        "The entity of plain records that do not name theirs; the default is empty."),
      .repeated(
        "key", \.shape.keys,
        "Where a plain record has its key, a JSON Pointer; more than one make a key of several members. The "
          + "default is /id."),
      .value(
        "clock", \.shape.clock,
        "Where a plain record has its clock; the default is /modifiedAt, else /updatedAt, else /timestamp."),
      .value(
        "tombstone", \.shape.tombstone,
        "Where a plain record says that it is deleted, by a clock or by true; the default is /deletedAt."),
      .value("entity", \.shape.entity, "Where a plain record names its entity; the default is /entity."),
    ]
  }
}

extension RecordShape {
  /// Two pointers that end in the same name would make one member of two.
  package func check() throws(UsageError) {
    for (a, b) in zip(keys, keys.dropFirst()) where a.tokens.last == b.tokens.last {
      throw .conflict("'--key \(a.text)' and '--key \(b.text)' end in the same name")
    }
  }
}

extension JSONPointer: OptionValue {
  package static var valueName: String { "POINTER" }
  package static var expectation: String { "a JSON Pointer such as /id or /meta/key" }

  /// The whole record is no member of itself.
  package init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self.init(argument)
  }
}

extension Instant: OptionValue {
  package static var valueName: String { "TIME" }
  package static var expectation: String { "an RFC 3339 time such as 2026-11-20T10:00:00Z" }
  package init?(argument: String) { self.init(argument) }
}

extension Instant {
  /// The wall clock, in milliseconds.
  package static var wallClock: Instant {
    let (seconds, nanoseconds) = SystemClock.wallTime()
    guard let now = Instant(seconds: seconds, nanoseconds: nanoseconds) else {
      preconditionFailure("the system clock is outside the years 0000 to 9999")
    }
    return now.inMilliseconds
  }
}

extension ChangeSet {
  /// Reads a file whole; what is no change goes to `badLines`.
  package mutating func read(_ path: String, _ badLines: inout BadLines) throws {
    let source = ChangeSource(name: path, bytes: try ByteInput.contents(of: path))
    try add(source) { error, line, text in
      let diagnostic = Diagnostic(
        DiagnosticCode(rawValue: error.code) ?? .bug, error.message, file: path, line: line.number)
      try badLines.leaveOut(text, because: diagnostic)
    }
  }
}

extension Console {
  package func note(passedOver checkpoints: Int) {
    if checkpoints > 0 { note("checkpoint lines passed over: \(checkpoints)") }
  }
}
