import JSONLines

/// Which values are sent to the watch, and the maximum size of a context.
public struct ContextRules: Hashable, Sendable {
  /// The largest value that is sent automatically, in bytes.
  public var maxAutoSyncSize = 65_536
  /// The largest context, keys and values together, in bytes: the system silently drops larger ones.
  public var maxContextSize = 262_144
  /// Keys that the app sends whatever their policy and size; their availability still applies.
  public var overrides: [String] = []

  /// Names with a special meaning in messages between phone and watch.
  public static let reservedKeys: Set<String> = ["ack", "request_sync"]

  /// The default limits, without overrides.
  public init() {}

  /// Why a value is sent to the watch or not.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    case manual, automaticSmall, override
    case reservedKey, noValue, phoneOnly, watchOnly, never, tooLarge

    /// Whether the value is sent to the watch.
    public var isEligible: Bool { self == .manual || self == .automaticSmall || self == .override }
  }

  /// Why a value is not sent automatically although it should be; nil for all others.
  package func excess(of value: RegisteredValue) -> String? {
    guard decide(value) == .tooLarge, let size = value.data?.count else { return nil }
    return
      "'\(value.key.shown)' is not sent to the watch: it has \(size) bytes, and automaticSmall allows at "
      + "most \(maxAutoSyncSize)"
  }

  /// Reports why a value is sent or not.
  public func decide(_ value: RegisteredValue) -> Reason {
    if Self.reservedKeys.contains(value.key) { return .reservedKey }
    guard let data = value.data else { return .noValue }
    switch value.availability {
    case .phoneOnly: return .phoneOnly
    case .watchOnly: return .watchOnly
    case .all, .phoneWithWatchSync: break
    }
    if isOverridden(value.key) { return .override }
    switch value.policy {
    case .never: return .never
    case .manual: return .manual
    case .automaticSmall: return data.count <= maxAutoSyncSize ? .automaticSmall : .tooLarge
    }
  }

  /// Whether the app sends this key, byte for byte, whatever its policy and size.
  func isOverridden(_ key: String) -> Bool { overrides.contains { $0.utf8.elementsEqual(key.utf8) } }

  /// All eligible values together, since a context replaces the previous one.
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

/// A key that an app has registered for sync, with its value.
public struct RegisteredValue: Hashable, Sendable {
  /// The devices on which the value is available.
  public enum Availability: String, Hashable, Sendable, CaseIterable {
    case all, phoneOnly, watchOnly, phoneWithWatchSync
  }

  /// Whether the value is sent to the watch automatically.
  public enum Policy: String, Hashable, Sendable, CaseIterable {
    case never, manual, automaticSmall
  }

  /// The key, which is not a word of ``ContextRules/reservedKeys``.
  public var key: String
  /// The devices on which the value is available.
  public var availability: Availability
  /// Whether the value is sent to the watch automatically.
  public var policy: Policy
  /// The stored value; nil if it does not exist.
  public var data: [UInt8]?

  /// A key with all its properties.
  public init(key: String, availability: Availability, policy: Policy, data: [UInt8]?) {
    self.key = key
    self.availability = availability
    self.policy = policy
    self.data = data
  }
}

extension RegisteredValue {
  /// Reads a line: the key, its availability, its policy, and its value as `data` (Base64), `text` or `json`.
  package init(parsing line: Span<UInt8>) throws(ContextError) {
    try self.init(try ContextLine(parsing: line, refusing: .repeated))
  }

  init(_ line: ContextLine) throws(ContextError) {
    self.init(
      key: try line.string("key"), availability: try line.word("availability"),
      policy: try line.word("policy"),
      data: try Self.value(line))
  }

  private static let forms = ["data", "text", "json"]

  /// Returns nil if the value is absent or null; throws if the line has two values.
  private static func value(_ line: ContextLine) throws(ContextError) -> [UInt8]? {
    var given: [String] = []
    for form in forms { if try line[form] != nil { given.append(form) } }
    guard given.count < 2 else { throw .severalValues(given) }
    if let data = try line["data"] { return try ContextText.bytes(data, named: "data") }
    if let text = try line.optionalString("text") { return Array(text.utf8) }
    return try line["json"].map { Array($0.text.utf8) }
  }
}
