/// The watch: it requests values and has those of the newest context.
///
/// `ContextTable` lists its actions for each event.
public struct WatchSide: Hashable, Sendable {
  /// The values in the app's memory.
  public private(set) var values = ContextMap()
  private var state = State.starting
  /// The request that awaits an answer.
  private var asked: String?
  /// The newest context that arrived before the session could be used.
  private var early: ContextMap?
  private var requests = 0
  /// Whether a request that was queued in this launch waits in the system's queue.
  private var isQueued = false

  enum State: Hashable, Sendable {
    case starting, idle, asking
    /// A context has arrived since the request was sent, so the reply may be older than the context.
    case overtaken
  }

  /// A watch at its launch.
  public init() {}

  /// Handles an event; returns the actions, in order.
  public mutating func handle(_ event: ContextEvent) -> [ContextAction] {
    if !isExpected(event) { return [] }
    guard let row = ContextTable.row(.watch, state.side, event.name) else { return [] }
    state = row.next.map { State($0) } ?? state
    var actions: [ContextAction] = []
    if row.does.contains(.forget) { (values, asked, early, isQueued) = (ContextMap(), nil, nil, false) }
    if event.name == .didFinishUserInfoTransfer || news(of: event) != nil { isQueued = false }
    if row.does.contains(.keep), case .didReceiveApplicationContext(let map) = event { early = map }
    if row.does.contains(.deliver), let map = news(of: event) { actions += deliver(map) }
    if row.does.contains(.request) { actions += request(event) }
    if row.does.contains(.queueRequest) { actions += queueRequest() }
    if state != .asking, state != .overtaken { asked = nil }
    return actions
  }

  /// Whether an event about a message is about the awaited one.
  private func isExpected(_ event: ContextEvent) -> Bool {
    switch event {
    case .didReceiveReply(let id, _), .messageDidFail(let id): id == asked
    default: true
    }
  }

  private func news(of event: ContextEvent) -> ContextMap? {
    switch event {
    case .activationDidComplete(_, let received): early ?? received
    case .didReceiveApplicationContext(let map): map
    case .didReceiveReply(_, let reply): reply.values
    default: nil
    }
  }

  private mutating func deliver(_ map: ContextMap) -> [ContextAction] {
    early = nil
    guard let changes = ContextChanges(from: values, to: map) else { return [] }
    values = map
    return [.deliver(changes)]
  }

  /// Sends a request in a way that is available now.
  private mutating func request(_ event: ContextEvent) -> [ContextAction] {
    guard event.isReachable else {
      state = .idle
      return queueRequest()
    }
    requests += 1
    asked = String(requests)
    return [.sendMessage(id: String(requests))]
  }

  /// One queued request is enough, because its answer has everything.
  private mutating func queueRequest() -> [ContextAction] {
    guard !isQueued else { return [] }
    isQueued = true
    return [.transferUserInfo]
  }
}

extension ContextEvent {
  fileprivate var isReachable: Bool {
    switch self {
    case .activationDidComplete(let isReachable, _), .sessionReachabilityDidChange(let isReachable):
      isReachable
    default: false
    }
  }
}

extension WatchSide.State {
  var side: ContextTable.State {
    switch self {
    case .starting: .starting
    case .idle: .active
    case .asking: .asking
    case .overtaken: .overtaken
    }
  }

  init(_ state: ContextTable.State) {
    self =
      switch state {
      case .starting: .starting
      case .active: .idle
      case .asking: .asking
      case .overtaken: .overtaken
      }
  }
}
