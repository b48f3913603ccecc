package import JSONLines

/// An event of one side, as the system reports it to its app.
public enum ContextEvent: Hashable, Sendable {
  /// The app has started, and its memory is empty.
  case launch
  /// The session can be used; `received` is the newest context that the system has stored for a watch.
  case activationDidComplete(isReachable: Bool, received: ContextMap?)
  case sessionWatchStateDidChange
  case sessionReachabilityDidChange(Bool)
  /// A request of the watch that waits for its reply.
  case didReceiveMessage(id: String)
  /// Another message that waits for its reply.
  case didReceiveOtherMessage(id: String)
  case didReceiveReply(id: String, ContextReply)
  /// A message from this side will not be answered.
  case messageDidFail(id: String)
  /// A request of the watch that had to wait in the system's queue.
  case didReceiveUserInfo
  /// A request from this side has left the system's queue.
  case didFinishUserInfoTransfer
  case didReceiveApplicationContext(ContextMap)
  /// A registered value has changed, or was removed.
  case valueDidChange(RegisteredValue)
}

/// The reply of the phone.
public enum ContextReply: Hashable, Sendable {
  case snapshot(ContextMap)
  /// The message has arrived, but the reply is empty, because the values do not exist or cannot be sent.
  case ack

  /// The reply that carries these values.
  public init(_ map: ContextMap) { self = map.isEmpty ? .ack : .snapshot(map) }

  var values: ContextMap? {
    if case .snapshot(let map) = self { map } else { nil }
  }
}

/// A request of one side to the system, or to its app.
public enum ContextAction: Hashable, Sendable {
  /// Replaces the context that has not been delivered yet.
  case updateApplicationContext(ContextMap)
  case reply(id: String, ContextReply)
  /// Sends a request of the watch, which needs an answer.
  case sendMessage(id: String)
  /// Puts a request of the watch into the system's queue.
  case transferUserInfo
  /// The changes to pass to the app.
  case deliver(ContextChanges)
}

/// New and changed values, and removed keys.
public struct ContextChanges: Hashable, Sendable {
  /// The new and changed values.
  public var values: ContextMap
  /// The removed keys, in order.
  public var removed: [String]

  /// The changes that turn `old` into `new`; nil if they are equal.
  init?(from old: ContextMap, to new: ContextMap) {
    values = ContextMap()
    for key in new.keys where old[key] != new[key] { values[key] = new[key] }
    removed = old.keys.filter { new[$0] == nil }
    if values.isEmpty, removed.isEmpty { return nil }
  }
}

extension ContextEvent {
  /// Reads an event line, or a line with an action of the other side.
  package init(parsing line: Span<UInt8>) throws(ContextError) {
    let line = try ContextLine(parsing: line, refusing: .repeated)
    self = try line["action"] == nil ? try Self.event(line) : try Self.action(line)
  }

  private static func event(_ line: ContextLine) throws(ContextError) -> ContextEvent {
    let name = try line.string("event")
    switch name {
    case "launch": return .launch
    case "activationDidComplete":
      let received = try line["receivedApplicationContext"]
      return .activationDidComplete(
        isReachable: try line["isReachable"] == nil ? false : try line.flag("isReachable"),
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

  /// A request of one side is an event of the other.
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
  /// Whether a message has that member with the value true; throws if the member appears twice.
  fileprivate func contextFlag(_ name: String) throws(ContextError) -> Bool {
    try ContextLine(objectValue ?? [])[name]?.boolValue == true
  }
}

extension ContextReply {
  /// The reply in the form of its dictionary.
  package var json: JSONValue {
    switch self {
    case .snapshot(let map): map.json
    case .ack: ["ack": true]
    }
  }
}

extension ContextAction {
  /// The action in the form of `watchcontext run`; `handlers` decode the delivered values.
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
