/// The phone: has the values, and sends what the watch should have.
///
/// ``ContextTable`` says what it does on what.
public struct PhoneSide: Hashable, Sendable {
  /// What goes to the watch.
  public let rules: ContextRules
  /// The registered values by their keys.
  public private(set) var values: [String: RegisteredValue] = [:]
  private var isActive = false
  /// Requests that came before the session could be used, in their order.
  private var waiting: [String] = []
  /// The context that was sent last in this launch.
  private var sent: ContextMap?
  /// A context has to go out, also where it is the one that was sent last.
  private var isOwed = false

  /// A phone that is being launched, with the values that it has stored.
  public init(rules: ContextRules, values: [RegisteredValue]) throws(ContextError) {
    self.rules = rules
    for value in values { try set(value) }
  }

  /// What the watch should have.
  public func eligible() throws(ContextError) -> ContextMap { try rules.context(of: values.values) }

  /// Takes an event; contexts wait for ``settle()``, so that changes that come together go out as one.
  public mutating func take(_ event: ContextEvent) throws(ContextError) -> [ContextAction] {
    guard let row = ContextTable.row(.phone, isActive ? .active : .starting, event.name) else { return [] }
    switch event {
    case .launch:
      isActive = false
      waiting = []
      sent = nil
      isOwed = false
    case .activationDidComplete: isActive = true
    case .didReceiveMessage(let id): waiting.append(id)
    case .valueDidChange(let value): try set(value)
    default: break
    }
    isOwed = isOwed || row.does.contains(.sendContext)
    return row.does.contains(.answer) ? try answer() : []
  }

  /// The context that has to go out now, if any.
  public mutating func settle() throws(ContextError) -> ContextAction? {
    guard isActive else { return nil }
    // Owed no longer, even where it cannot be sent: that is said once, and tried again with the next event.
    let isOwed = self.isOwed
    self.isOwed = false
    let context = try eligible()
    guard isOwed || context != sent else { return nil }
    sent = context
    return .updateApplicationContext(context)
  }

  private mutating func answer() throws(ContextError) -> [ContextAction] {
    let ids = waiting
    waiting = []
    guard !ids.isEmpty else { return [] }
    let reply = ContextReply(try eligible())
    return ids.map { .reply(id: $0, reply) }
  }

  private mutating func set(_ value: RegisteredValue) throws(ContextError) {
    guard !ContextRules.reservedKeys.contains(value.key) else { throw .reservedKey(value.key) }
    values[value.key] = value
  }
}
