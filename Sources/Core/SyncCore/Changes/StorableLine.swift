package import JSONLines

/// What is too much for a store in a line that is good otherwise.
///
/// What a store keeps it must be able to send.
package enum StorableLine {
  package enum Excess: Equatable, Sendable {
    /// Longer than so many bytes.
    case length(Int)
    /// Nested deeper than so many levels.
    case depth(Int)
  }

  /// The longest line, in bytes.
  package static let longest = 8 << 20

  /// The deepest nesting: a message puts an object and an array around a line.
  package static let deepest = JSONDepth.limit - 2

  /// Left free in a plain record, which gets a level and its key once more where it becomes a change line.
  private static let reserve = 64 << 10

  /// Nil for a validated line that can be stored, and stamped with a clock before.
  package static func excess(_ line: Span<UInt8>, _ kind: ChangeLine.Kind) -> Excess? {
    let isPlain = kind == .record
    let longest = isPlain ? longest - reserve : longest
    if line.count > longest { return .length(longest) }
    let deepest = isPlain ? deepest - 1 : deepest
    // Each level has two brackets.
    if line.count > 2 * deepest, JSONDepth.deepest(in: line) > deepest { return .depth(deepest) }
    return nil
  }
}

extension StorableLine.Excess {
  package var code: ErrorCode {
    switch self {
    case .length: .lineTooLarge
    case .depth: .nestingTooDeep
    }
  }

  /// Lower-case, no final period.
  package var message: String {
    switch self {
    case .length(let limit): "longer than \(limit) bytes, which is all that a store takes"
    case .depth(let limit): "nested deeper than \(limit) levels, which is all that a store takes"
    }
  }
}
