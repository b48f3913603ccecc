package import JSONLines

/// The phone or the watch as a filter: events in, lines out.
package struct ContextFilter {
  /// A line for the other side, or for the app of this one.
  package struct Line: Equatable {
    package var value: JSONValue
    package var isDelivery: Bool
  }

  /// The result of an event.
  package struct Step: Equatable {
    /// In their order.
    package var lines: [Line] = []
    /// Delivered values that are not what their handlers expect.
    package var undecodable: [ContextError] = []
    /// Why the value of the event is not sent to the watch automatically, if it should be.
    package var excess: String?
  }

  /// Nil of a watch.
  private var phone: PhoneSide?
  private var watch = WatchSide()
  private let handlers: ContextHandlers?

  /// A phone that is being launched; it has stored no values.
  package init(phoneWith rules: ContextRules) throws(ContextError) {
    phone = try PhoneSide(rules: rules, values: [])
    handlers = nil
  }

  /// A watch that is being launched; without `handlers` it delivers values as they came.
  package init(watchWith handlers: ContextHandlers?) { self.handlers = handlers }

  /// Contexts wait for ``settle()``, so that changes that come together go out as one.
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

  /// The context that has to go out now, if any.
  ///
  /// - Throws: an error if the context is too large; it stays due, and is retried with the next event. What fits
  ///   of it without manual values comes with the next call.
  package mutating func settle() throws(ContextError) -> JSONValue? { try phone?.settle()?.json(nil) }
}
