public import JSONLines

/// The members of a line that is one object.
typealias ContextLine = Members<ContextError>

/// Why values, events or messages of phone and watch cannot be used.
public enum ContextError: Explained, MemberFailure, Equatable, Sendable {
  /// A line, or one of its members, has a wrong form.
  case member(MemberError)
  /// Several members that give the value of one key.
  case severalValues([String])
  case invalidBase64(String, String)
  case duplicateKey(String)
  /// A key with a name that is reserved for messages between phone and watch.
  case reservedKey(String)
  /// A context above the system's limit, and its largest keys.
  case contextTooLarge(size: Int, limit: Int, largest: [ContextMap.Share])
  /// A message that is not a request.
  case unknownMessage
  /// A value that does not have the form of its handler.
  case undecodableValue(String, form: String)
}

extension ContextError {
  /// The stable name of the error, as in `SyncError.code`.
  public var code: ErrorCode {
    switch self {
    case .member(let error): error.code
    case .severalValues: .duplicateMember
    case .unknownMessage: .unknownValue
    case .invalidBase64: .invalidBase64
    case .duplicateKey: .duplicateKey
    case .reservedKey: .reservedKey
    case .contextTooLarge: .contextTooLarge
    case .undecodableValue: .undecodableValue
    }
  }

  /// The error in words: lower-case, no final period.
  public var message: String {
    switch self {
    case .member(let error): error.message
    case .severalValues(let names):
      "more than one value: " + names.map { "'\($0)'" }.joined(separator: " and ")
    case .invalidBase64(let name, let reason): "'\(name.shown)' is not Base64: \(reason)"
    case .duplicateKey(let key): "duplicate key '\(key.shown)'"
    case .reservedKey(let key): "'\(key.shown)' is reserved by the messages between phone and watch"
    case .contextTooLarge(let size, let limit, let largest):
      "a context of \(size) bytes, more than \(limit); most of it is "
        + largest.map { "'\($0.key.shown)' (\($0.size))" }.joined(separator: ", ")
    case .unknownMessage: "not a request: {\"request_sync\":true} is the only one"
    case .undecodableValue(let key, let form): "'\(key.shown)' is not \(form)"
    }
  }
}
