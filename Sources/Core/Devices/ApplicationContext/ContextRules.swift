import JSONLines

/// Which values go to the watch, and how much a context holds.
public struct ContextRules: Hashable, Sendable {
  /// The largest value that goes by itself, in bytes.
  public var maxAutoSyncSize = 65_536
  /// The largest context, keys and values together, in bytes: the system drops larger ones without a word.
  public var maxContextSize = 262_144
  /// Keys that the app sends whatever their policy and size are; where they may be is not touched by it.
  public var overrides: Set<String> = []

  /// Names that have a meaning of their own in messages between phone and watch.
  public static let reservedKeys: Set<String> = ["ack", "request_sync"]

  /// The usual limits, and no exceptions.
  public init() {}

  /// Why a value goes to the watch, or stays.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    case manual, automaticSmall, override
    case reservedKey, noValue, phoneOnly, watchOnly, never, tooLarge

    /// Whether the value goes to the watch.
    public var isEligible: Bool { self == .manual || self == .automaticSmall || self == .override }
  }

  /// Why a value that should go by itself does not; nil for all others.
  package func excess(of value: RegisteredValue) -> String? {
    guard decide(value) == .tooLarge, let size = value.data?.count else { return nil }
    return "'\(value.key.shown)' does not go to the watch: it has \(size) bytes, and automaticSmall takes "
      + "\(maxAutoSyncSize) at most"
  }

  /// Says why a value goes or stays.
  public func decide(_ value: RegisteredValue) -> Reason {
    if Self.reservedKeys.contains(value.key) { return .reservedKey }
    guard let data = value.data else { return .noValue }
    switch value.availability {
    case .phoneOnly: return .phoneOnly
    case .watchOnly: return .watchOnly
    case .all, .phoneWithWatchSync: break
    }
    if overrides.contains(value.key) { return .override }
    switch value.policy {
    case .never: return .never
    case .manual: return .manual
    case .automaticSmall: return data.count <= maxAutoSyncSize ? .automaticSmall : .tooLarge
    }
  }

  /// All eligible values together, since a context replaces the one before.
  public func context(of values: some Sequence<RegisteredValue>) throws(ContextError) -> ContextMap {
    var map = ContextMap()
    for value in values {
      switch decide(value) {
      case .reservedKey: throw .reservedKey(value.key)
      case let reason: if reason.isEligible { map[value.key] = value.data }
      }
    }
    guard map.size <= maxContextSize else {
      throw .contextTooLarge(size: map.size, limit: maxContextSize, largest: map.largest(3))
    }
    return map
  }
}
