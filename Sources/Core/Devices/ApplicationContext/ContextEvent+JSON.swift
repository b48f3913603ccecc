package import JSONLines

extension ContextEvent {
  /// Reads an event line, or a line with an action of the other side.
  package init(parsing line: Span<UInt8>) throws(ContextError) {
    let line = try ContextLine(parsing: line)
    self = line["action"] == nil ? try Self.event(line) : try Self.action(line)
  }

  private static func event(_ line: ContextLine) throws(ContextError) -> ContextEvent {
    let name = try line.string("event")
    switch name {
    case "launch": return .launch
    case "activationDidComplete":
      let received = line["receivedApplicationContext"]
      return .activationDidComplete(
        isReachable: line["isReachable"] == nil ? false : try line.flag("isReachable"),
        received: try received.map { (value: JSONValue) throws(ContextError) in
          try ContextMap(value, named: "receivedApplicationContext")
        })
    case "sessionWatchStateDidChange": return .sessionWatchStateDidChange
    case "sessionReachabilityDidChange": return .sessionReachabilityDidChange(try line.flag("isReachable"))
    case "didReceiveMessage": return try message(line)
    case "didReceiveReply":
      return .didReceiveReply(id: try line.string("id"), try reply(line))
    case "messageDidFail": return .messageDidFail(id: try line.string("id"))
    case "didReceiveUserInfo":
      try requireRequest(line, "userInfo")
      return .didReceiveUserInfo
    case "didFinishUserInfoTransfer": return .didFinishUserInfoTransfer
    case "didReceiveApplicationContext":
      return .didReceiveApplicationContext(try ContextMap(try line.require("context"), named: "context"))
    case "valueDidChange": return .valueDidChange(try RegisteredValue(line))
    default: throw .unknownValue("event", name)
    }
  }

  /// What one side asks the system for is what the other is told.
  private static func action(_ line: ContextLine) throws(ContextError) -> ContextEvent {
    let name = try line.string("action")
    switch name {
    case "updateApplicationContext":
      return .didReceiveApplicationContext(try ContextMap(try line.require("context"), named: "context"))
    case "reply": return .didReceiveReply(id: try line.string("id"), try reply(line))
    case "sendMessage": return try message(line)
    case "transferUserInfo":
      try requireRequest(line, "userInfo")
      return .didReceiveUserInfo
    default: throw .unknownValue("action", name)
    }
  }

  private static func message(_ line: ContextLine) throws(ContextError) -> ContextEvent {
    let id = try line.string("id")
    let isRequest = try line.require("message").contextFlag("request_sync")
    return isRequest ? .didReceiveMessage(id: id) : .didReceiveOtherMessage(id: id)
  }

  private static func requireRequest(_ line: ContextLine, _ name: String) throws(ContextError) {
    guard try line.require(name).contextFlag("request_sync") else { throw .unknownMessage }
  }

  private static func reply(_ line: ContextLine) throws(ContextError) -> ContextReply {
    let message = try line.require("message")
    if try message.contextFlag("ack") { return .ack }
    return ContextReply(try ContextMap(message, named: "message"))
  }
}

extension JSONValue {
  /// Whether a message has that member, and it is true; throws if it appears twice.
  fileprivate func contextFlag(_ name: String) throws(ContextError) -> Bool {
    guard (objectValue ?? []).count(named: name) < 2 else { throw .duplicateMember(name) }
    return self[name]?.boolValue == true
  }
}

extension ContextReply {
  /// As it stands in the reply's dictionary.
  package var json: JSONValue {
    switch self {
    case .snapshot(let map): map.json
    case .ack: ["ack": true]
    }
  }
}

extension ContextAction {
  /// As `watchcontext run` writes it; with `handlers` the values that are delivered are decoded.
  package func json(_ handlers: ContextHandlers?) -> JSONValue {
    let request: JSONValue = ["request_sync": true]
    switch self {
    case .updateApplicationContext(let map):
      return ["action": "updateApplicationContext", "context": map.json]
    case .reply(let id, let reply): return ["action": "reply", "id": .string(id), "message": reply.json]
    case .sendMessage(let id): return ["action": "sendMessage", "id": .string(id), "message": request]
    case .transferUserInfo: return ["action": "transferUserInfo", "userInfo": request]
    case .deliver(let changes):
      let removed = JSONMember("removed", .array(changes.removed.map { .string($0) }))
      let members = handlers?.decode(changes.values).members ?? [JSONMember("values", changes.values.json)]
      return .object([JSONMember("action", "deliver")] + members + [removed])
    }
  }
}
