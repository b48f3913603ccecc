/// A key that an app has registered for sync, with its value.
public struct RegisteredValue: Hashable, Sendable {
  /// On which devices the value is there.
  public enum Availability: String, Hashable, Sendable, CaseIterable {
    case all, phoneOnly, watchOnly, phoneWithWatchSync
  }

  /// Whether the value goes to the watch by itself.
  public enum Policy: String, Hashable, Sendable, CaseIterable {
    case never, manual, automaticSmall
  }

  /// The key, which is no word of ``ContextRules/reservedKeys``.
  public var key: String
  /// On which devices the value is there.
  public var availability: Availability
  /// Whether the value goes to the watch by itself.
  public var policy: Policy
  /// The value as it is stored; nil where there is none.
  public var data: [UInt8]?

  /// A key with all that is known of it.
  public init(key: String, availability: Availability, policy: Policy, data: [UInt8]?) {
    self.key = key
    self.availability = availability
    self.policy = policy
    self.data = data
  }
}
