package import JSONLines

/// The phone or the watch as a filter: events in, lines out.
package struct ContextFilter {
  /// A line for the other side, or for the app on this side.
  package struct Line: Equatable {
    package var value: JSONValue
    package var isDelivery: Bool
  }

  /// The result of an event.
  package struct Step: Equatable {
    /// The lines, in order.
    package var lines: [Line] = []
    /// Delivered values that their handlers cannot decode.
    package var undecodable: [ContextError] = []
    /// Why the event's value is not sent to the watch automatically although it should be; otherwise nil.
    package var excess: String?
  }

  /// The phone; nil on a watch.
  private var phone: PhoneSide?
  private var watch = WatchSide()
  private let handlers: ContextHandlers?

  /// A phone at its launch, without stored values.
  package init(phoneWith rules: ContextRules) throws(ContextError) {
    phone = try PhoneSide(rules: rules, values: [])
    handlers = nil
  }

  /// A watch at its launch; without `handlers` it delivers values undecoded.
  package init(watchWith handlers: ContextHandlers?) { self.handlers = handlers }

  /// Contexts wait for ``settle()``, so changes that arrive together are sent as one.
  package mutating func handle(_ event: ContextEvent) throws(ContextError) -> Step {
    let actions: [ContextAction]
    var step = Step()
    if let answers = try phone?.handle(event) { actions = answers } else { actions = watch.handle(event) }
    for action in actions {
      var isDelivery = false
      if case .deliver(let changes) = action {
        isDelivery = true
        step.undecodable = handlers?.decode(changes.values).errors ?? []
      }
      step.lines.append(Line(value: action.json(handlers), isDelivery: isDelivery))
    }
    if case .valueDidChange(let value) = event { step.excess = phone?.rules.excess(of: value) }
    return step
  }

  /// The context that is due now, if any.
  ///
  /// - Throws: an error if the context is too large; it stays due, and is retried with the next event. The
  /// next call returns the part that fits with the manual values that the watch already has.
  package mutating func settle() throws(ContextError) -> JSONValue? { try phone?.settle()?.json(nil) }
}
