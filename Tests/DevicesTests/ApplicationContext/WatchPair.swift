import Devices
import SyncCore

/// A phone, a watch and the system between them, as far as they affect their values.
///
/// The system keeps one context on its way and the newest that has arrived, and queues user infos. It loses messages and
/// replies with the connection or with the app that waits for them.
struct WatchPair: Hashable {
  enum Move: String, CaseIterable {
    case launchPhone, activatePhone, launchWatch, activateWatch, reach, part, changeWatchState
    case changeValue, changeEligibility
    case deliverContext, deliverUserInfo, deliverMessage, deliverReply
  }

  enum App: Hashable { case off, starting, active }

  struct Request: Hashable {
    var id: String
    /// The launch of the watch that has sent it.
    var launch: Int
  }

  struct Reply: Hashable {
    var request: Request
    var content: ContextReply
  }

  /// The phone's storage, which launches do not touch.
  private(set) var values = [
    RegisteredValue(key: "a", availability: .all, policy: .automaticSmall, data: [0]),
    RegisteredValue(key: "b", availability: .phoneOnly, policy: .manual, data: [0]),
  ]
  private var phone: PhoneSide?
  private var phoneApp = App.off
  private var watch: WatchSide?
  private var watchApp = App.off
  private var launches = 0
  private var isReachable = false
  private var context: ContextMap?
  private var received: ContextMap?
  private var userInfos = 0
  private var requests: [Request] = []
  private var replies: [Reply] = []
  /// What has been delivered to the watch's app, put together from the differences.
  private(set) var held: ContextMap?

  /// A naive watch: it takes whatever comes last, even a reply.
  private let takesEveryReply: Bool

  init(takesEveryReply: Bool = false) { self.takesEveryReply = takesEveryReply }

  /// The values that the watch should have: a manual value as it was when the phone last had to send all of
  /// them.
  var due: ContextMap {
    var values = values
    values[1].data = manual
    // The values here are small, and no key is reserved.
    return try! ContextRules().context(of: values)
  }

  private var manual: [UInt8]?

  func allows(_ move: Move) -> Bool {
    switch move {
    case .launchPhone, .launchWatch, .changeWatchState, .changeValue, .changeEligibility: true
    case .activatePhone: phoneApp == .starting
    case .activateWatch: watchApp == .starting
    case .reach: !isReachable
    case .part: isReachable
    case .deliverContext: context != nil
    case .deliverUserInfo: userInfos > 0 && phoneApp != .off
    case .deliverMessage: !requests.isEmpty && phoneApp != .off
    case .deliverReply: !replies.isEmpty
    }
  }

  /// Moves that continue until both run, are reachable and nothing is under way.
  func mustGoOn(by move: Move) -> Bool {
    switch move {
    case .launchPhone: phoneApp == .off
    case .launchWatch: watchApp == .off
    case .part, .changeWatchState, .changeValue, .changeEligibility: false
    default: allows(move)
    }
  }

  mutating func make(_ move: Move) {
    switch move {
    case .launchPhone:
      phone = try! PhoneSide(rules: ContextRules(), values: values)
      phoneApp = .starting
      tellPhone(.launch)
    case .activatePhone:
      phoneApp = .active
      tellPhone(.activationDidComplete(isReachable: isReachable, received: nil))
    case .launchWatch: launchWatch()
    case .activateWatch:
      watchApp = .active
      tellWatch(.activationDidComplete(isReachable: isReachable, received: received))
    case .reach: reach(true)
    case .part: reach(false)
    case .changeWatchState: tellPhone(.sessionWatchStateDidChange)
    case .changeValue: change { $0[0].data = [($0[0].data?.first ?? 0) + 1] }
    case .changeEligibility:
      change { $0[1].availability = $0[1].availability == .all ? .phoneOnly : .all }
    case .deliverContext: deliverContext()
    case .deliverUserInfo:
      userInfos -= 1
      tellPhone(.didReceiveUserInfo)
      tellWatch(.didFinishUserInfoTransfer)
    case .deliverMessage:
      let request = requests.removeFirst()
      tellPhone(.didReceiveMessage(id: request.id), of: request)
    case .deliverReply: deliverReply()
    }
  }

  private mutating func launchWatch() {
    launches += 1
    watch = WatchSide()
    watchApp = .starting
    held = ContextMap()
    replies = []
    tellWatch(.launch)
  }

  private mutating func reach(_ isReachable: Bool) {
    self.isReachable = isReachable
    if !isReachable { (requests, replies) = ([], []) }
    if phoneApp != .off { tellPhone(.sessionReachabilityDidChange(isReachable)) }
    if watchApp != .off { tellWatch(.sessionReachabilityDidChange(isReachable)) }
  }

  /// A phone that is not running has stored the value all the same, as another part of the app does.
  private mutating func change(_ change: (inout [RegisteredValue]) -> Void) {
    let old = values
    change(&values)
    if values[1].availability != .all { manual = nil }
    for (old, new) in zip(old, values) where old != new { tellPhone(.valueDidChange(new)) }
  }

  private mutating func deliverContext() {
    received = context
    context = nil
    if watchApp != .off, let received { tellWatch(.didReceiveApplicationContext(received)) }
  }

  private mutating func deliverReply() {
    let reply = replies.removeFirst()
    guard reply.request.launch == launches else { return }
    if takesEveryReply, case .snapshot(let map) = reply.content {
      tellWatch(.didReceiveApplicationContext(map))
    } else {
      tellWatch(.didReceiveReply(id: reply.request.id, reply.content))
    }
  }

  // MARK: The two sides

  private var answering: Request?

  private mutating func tellPhone(_ event: ContextEvent, of request: Request? = nil) {
    guard phone != nil else { return }
    if phoneApp == .active, event.name != .valueDidChange { manual = sentByHand }
    if let request { answering = request }
    for action in try! phone!.handle(event) { obey(action) }
    if let action = try! phone!.settle() { obey(action) }
  }

  /// The manual value, where it may go.
  private var sentByHand: [UInt8]? { values[1].availability == .all ? values[1].data : nil }

  private mutating func tellWatch(_ event: ContextEvent) {
    guard watch != nil else { return }
    for action in watch!.handle(event) { obey(action) }
  }

  private mutating func obey(_ action: ContextAction) {
    switch action {
    case .updateApplicationContext(let map): context = map
    case .reply(_, let reply):
      if isReachable, let answering { replies.append(Reply(request: answering, content: reply)) }
      answering = nil
    case .sendMessage(let id):
      if isReachable {
        requests.append(Request(id: id, launch: launches))
      } else {
        tellWatch(.messageDidFail(id: id))
      }
    case .transferUserInfo: userInfos += 1
    case .deliver(let changes):
      for key in changes.values.keys { held?[key] = changes.values[key] }
      for key in changes.removed { held?[key] = nil }
    }
  }
}
