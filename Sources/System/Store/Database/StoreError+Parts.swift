extension StoreError {
  /// A stored change that another one may have its clock from.
  package struct Source: Equatable, Sendable {
    /// The key as readable text.
    let name: String
    /// Whether a peer has the change.
    let isSent: Bool
  }

  /// A part of SQLite that an app adds to its own connections, such as a collation.
  package struct AppPart: Equatable, Sendable {
    package let kind: String
    package let name: String
  }

  /// The part that this connection lacks, and that a table of another program needs; nil for other errors.
  package var lackedPart: AppPart? {
    let reason: String
    switch self {
    case .corrupt(let message), .other(1, let message): reason = message
    default: return nil
    }
    for (beginning, kind) in Self.partFaults where reason.hasPrefix(beginning) {
      return AppPart(kind: kind, name: String(reason.dropFirst(beginning.count)))
    }
    return nil
  }

  /// The beginnings of SQLite's messages about a missing part, each with the kind of the part.
  private static let partFaults = [
    ("no such collation sequence: ", "collation"), ("no such function: ", "function"),
    ("no such module: ", "module"), ("no such tokenizer: ", "tokenizer"),
    ("unknown tokenizer: ", "tokenizer"),
  ]
}
