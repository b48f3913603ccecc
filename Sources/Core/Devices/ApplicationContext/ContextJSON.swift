import JSONLines
public import SyncCore

/// The JSON of events and actions, in both directions; docs/formats/application-context.md describes it.
extension ContextEvent {
  /// Reads an event line of `watchcontext`, or an action line of the other side, which is an event here.
  ///
  /// - Throws: `unknownValue`, `missingMember`, `wrongType`, `invalidBase64`, or the code of invalid JSON.
  public init(line: [UInt8]) throws(SyncError) {
    self = try SyncError.of(ContextError.self) { () throws(ContextError) in
      try ContextEvent(parsing: line.span)
    }
  }
}

extension ContextAction {
  /// The action as a JSON object, values in Base64; the other side reads it as an event.
  public var line: [UInt8] { Array(json(nil).text.utf8) }
}

extension RegisteredValue {
  /// Reads a line such as `{"key":"goal","availability":"all","policy":"automaticSmall","text":"5 km"}`.
  ///
  /// - Throws: `missingMember`, `unknownValue`, `invalidBase64`, or the code of invalid JSON.
  public init(line: [UInt8]) throws(SyncError) {
    self = try SyncError.of(ContextError.self) { () throws(ContextError) in
      try RegisteredValue(parsing: line.span)
    }
  }
}
