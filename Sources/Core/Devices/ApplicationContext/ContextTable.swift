/// The state machine of phone and watch; docs/formats/application-context.md shows the same rows.
package enum ContextTable {
  package enum Role: String, Sendable, CaseIterable { case phone, watch }

  package enum State: String, Sendable {
    /// The app was launched, and the session cannot be used yet.
    case starting
    case active
    /// A watch whose request has not been answered.
    case asking
    /// A watch whose request has not been answered, and that has received a context since then.
    case overtaken
  }

  package enum Deed: String, Sendable {
    case forget, keep, deliver, request, queueRequest
    case answer, sendContext
  }

  package struct Row: Sendable {
    package var role: Role
    package var states: [State]
    package var event: ContextEvent.Name
    package var does: [Deed]
    /// The next state; nil if the state stays the same.
    package var next: State?
  }

  /// The row for an event; an event without a row does not have an effect.
  package static func row(_ role: Role, _ state: State, _ event: ContextEvent.Name) -> Row? {
    rows.first { $0.role == role && $0.event == event && $0.states.contains(state) }
  }

  package static let rows = phone + watch

  private static let phone: [Row] = {
    func row(_ states: [State], _ event: ContextEvent.Name, _ does: [Deed], _ next: State? = nil) -> Row {
      Row(role: .phone, states: states, event: event, does: does, next: next)
    }
    return [
      row([.starting, .active], .launch, [.forget], .starting),
      row([.starting], .activationDidComplete, [.answer, .sendContext], .active),
      row([.active], .activationDidComplete, [.sendContext]),
      row([.starting], .didReceiveMessage, [.keep]),
      row([.active], .didReceiveMessage, [.answer, .sendContext]),
      row([.starting], .didReceiveOtherMessage, [.keep]),
      row([.active], .didReceiveOtherMessage, [.answer]),
      row([.active], .didReceiveUserInfo, [.sendContext]),
      row([.active], .sessionWatchStateDidChange, [.sendContext]),
      row([.active], .sessionReachabilityDidChange, [.sendContext]),
      row([.starting, .active], .valueDidChange, [.keep]),
    ]
  }()

  private static let watch: [Row] = {
    let active: [State] = [.active, .asking, .overtaken]
    func row(_ states: [State], _ event: ContextEvent.Name, _ does: [Deed], _ next: State? = nil) -> Row {
      Row(role: .watch, states: states, event: event, does: does, next: next)
    }
    return [
      row([.starting] + active, .launch, [.forget], .starting),
      row([.starting], .activationDidComplete, [.deliver, .request], .asking),
      row([.starting], .didReceiveApplicationContext, [.keep]),
      row([.active, .overtaken], .didReceiveApplicationContext, [.deliver]),
      row([.asking], .didReceiveApplicationContext, [.deliver], .overtaken),
      row([.asking], .didReceiveReply, [.deliver], .active),
      row([.overtaken], .didReceiveReply, [], .active),
      row([.asking], .messageDidFail, [.queueRequest], .active),
      row([.overtaken], .messageDidFail, [], .active),
      row(active, .sessionReachabilityDidChange, [.request], .asking),
      row([.starting] + active, .didFinishUserInfoTransfer, []),
    ]
  }()
}

extension ContextEvent {
  /// An event without its content.
  package enum Name: String, Sendable, CaseIterable {
    case launch, activationDidComplete, sessionWatchStateDidChange, sessionReachabilityDidChange
    case didReceiveMessage, didReceiveOtherMessage, didReceiveReply, messageDidFail
    case didReceiveUserInfo, didFinishUserInfoTransfer, didReceiveApplicationContext
    case valueDidChange
  }

  package var name: Name {
    switch self {
    case .launch: .launch
    case .activationDidComplete: .activationDidComplete
    case .sessionWatchStateDidChange: .sessionWatchStateDidChange
    case .sessionReachabilityDidChange: .sessionReachabilityDidChange
    case .didReceiveMessage: .didReceiveMessage
    case .didReceiveOtherMessage: .didReceiveOtherMessage
    case .didReceiveReply: .didReceiveReply
    case .messageDidFail: .messageDidFail
    case .didReceiveUserInfo: .didReceiveUserInfo
    case .didFinishUserInfoTransfer: .didFinishUserInfoTransfer
    case .didReceiveApplicationContext: .didReceiveApplicationContext
    case .valueDidChange: .valueDidChange
    }
  }
}
