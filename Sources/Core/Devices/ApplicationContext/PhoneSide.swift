/// The phone: it has the values and sends those that the watch should have.
///
/// `ContextTable` lists its actions for each event.
public struct PhoneSide: Hashable, Sendable {
  /// The rules for data sent to the watch.
  public let rules: ContextRules
  /// The registered values by the UTF-8 bytes of their keys.
  private var registered: [[UInt8]: RegisteredValue] = [:]
  private var isActive = false
  /// Messages that arrived before the session could be used, in their order.
  private var waiting: [Waiting] = []
  /// The context last sent in this launch.
  private var sent: ContextMap?
  /// Whether a context must be sent, even if it equals the last one sent.
  private var isOwed = false
  /// The manual values with which the context was reported as too large; nil if it fits.
  private var refused: [[UInt8]: [UInt8]]?

  private struct Waiting: Hashable {
    var id: String
    var isRequest: Bool
  }

  /// A phone at its launch, with its stored values.
  public init(rules: ContextRules, values: [RegisteredValue]) throws(ContextError) {
    self.rules = rules
    for value in values { try set(value) }
  }

  /// The registered values, in the order of the UTF-8 bytes of their keys.
  public var values: [RegisteredValue] {
    registered.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  /// The values that the watch should have.
  public func eligible() throws(ContextError) -> ContextMap { try rules.context(of: registered.values) }

  /// Handles an event; contexts wait for ``settle()``, so changes that arrive together are sent as one.
  public mutating func handle(_ event: ContextEvent) throws(ContextError) -> [ContextAction] {
    guard let row = ContextTable.row(.phone, isActive ? .active : .starting, event.name) else { return [] }
    switch event {
    case .launch:
      isActive = false
      waiting = []
      sent = nil
      isOwed = false
      refused = nil
    case .activationDidComplete: isActive = true
    case .didReceiveMessage(let id): waiting.append(Waiting(id: id, isRequest: true))
    case .didReceiveOtherMessage(let id): waiting.append(Waiting(id: id, isRequest: false))
    case .valueDidChange(let value): try set(value)
    default: break
    }
    isOwed = isOwed || row.does.contains(.sendContext)
    return row.does.contains(.answer) ? try answer() : []
  }

  /// The context that is due now, if any.
  ///
  /// - Throws: an error if the context is too large; it stays due, and is retried with the next event. If it
  /// fits with the manual values that the watch already has, the next call returns it with these values. So
  /// the error is thrown once.
  public mutating func settle() throws(ContextError) -> ContextAction? {
    guard isActive else { return nil }
    let context = isOwed || refused != nil ? try whole() : try rules.context(of: changed)
    guard isOwed || context != sent else { return nil }
    (sent, isOwed) = (context, false)
    return .updateApplicationContext(context)
  }

  /// All eligible values, or the part that fits if the error was already thrown for these manual values.
  private mutating func whole() throws(ContextError) -> ContextMap {
    do throws(ContextError) {
      let context = try eligible()
      refused = nil
      return context
    } catch {
      // An empty context removes the values that the watch has.
      guard let rest = try? rules.context(of: changed), !rest.isEmpty || sent?.isEmpty == false else {
        throw error
      }
      let manual = registered.filter { isByHand($0.value) }.compactMapValues(\.data)
      guard refused == manual else {
        refused = manual
        throw error
      }
      return rest
    }
  }

  private func isByHand(_ value: RegisteredValue) -> Bool {
    value.policy == .manual && !rules.isOverridden(value.key)
  }

  /// The values for an automatic context; its manual values are those that the watch already has.
  private var changed: [RegisteredValue] {
    registered.values.map { value in
      var value = value
      if isByHand(value) { value.data = sent?[value.key] }
      return value
    }
  }

  /// Replies to every message, because the watch waits for replies; ``settle()`` reports a context that is
  /// too large.
  private mutating func answer() throws(ContextError) -> [ContextAction] {
    let messages = waiting
    waiting = []
    guard !messages.isEmpty else { return [] }
    let reply: ContextReply
    do throws(ContextError) {
      reply = ContextReply(try eligible())
    } catch {
      guard case .contextTooLarge = error else { throw error }
      reply = .ack
    }
    return messages.map { .reply(id: $0.id, $0.isRequest ? reply : .ack) }
  }

  private mutating func set(_ value: RegisteredValue) throws(ContextError) {
    guard !ContextRules.reservedKeys.contains(value.key) else { throw .reservedKey(value.key) }
    registered[Array(value.key.utf8)] = value
  }
}
