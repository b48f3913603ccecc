/// What happens to one side, as the system tells its app.
public enum ContextEvent: Hashable, Sendable {
  /// The app begins anew and has forgotten what it had in memory.
  case launch
  /// The session can be used; `received` is the newest context that the system has kept for a watch.
  case activationDidComplete(isReachable: Bool, received: ContextMap?)
  case sessionWatchStateDidChange
  case sessionReachabilityDidChange(Bool)
  /// A request of the watch that waits for its reply.
  case didReceiveMessage(id: String)
  /// Another message that waits for its reply.
  case didReceiveOtherMessage(id: String)
  case didReceiveReply(id: String, ContextReply)
  /// A message of ours will not be answered.
  case messageDidFail(id: String)
  /// A request of the watch that had to wait in the system's queue.
  case didReceiveUserInfo
  /// A request of ours has left the system's queue.
  case didFinishUserInfoTransfer
  case didReceiveApplicationContext(ContextMap)
  /// A registered value is another one now, or there is none any more.
  case valueDidChange(RegisteredValue)
}

/// What the phone answers.
public enum ContextReply: Hashable, Sendable {
  case snapshot(ContextMap)
  /// The message has arrived, and that is all: there is nothing to send, or what there is cannot be sent.
  case ack

  /// The reply that carries these values.
  public init(_ map: ContextMap) { self = map.isEmpty ? .ack : .snapshot(map) }

  var values: ContextMap? {
    if case .snapshot(let map) = self { map } else { nil }
  }
}

/// What one side asks the system, or hands to its app.
public enum ContextAction: Hashable, Sendable {
  /// Replaces the context that is on its way.
  case updateApplicationContext(ContextMap)
  case reply(id: String, ContextReply)
  /// The request of the watch, to be answered.
  case sendMessage(id: String)
  /// The request of the watch, into the system's queue.
  case transferUserInfo
  /// What is different in the app from now on.
  case deliver(ContextChanges)
}

/// Values that are new or different, and keys that are gone.
public struct ContextChanges: Hashable, Sendable {
  /// What is new or different.
  public var values: ContextMap
  /// The keys that are gone, in order.
  public var removed: [String]

  /// What makes `new` of `old`; nil where there is no difference.
  init?(from old: ContextMap, to new: ContextMap) {
    values = ContextMap()
    for key in new.keys where old[key] != new[key] { values[key] = new[key] }
    removed = old.keys.filter { new[$0] == nil }
    if values.isEmpty, removed.isEmpty { return nil }
  }
}
