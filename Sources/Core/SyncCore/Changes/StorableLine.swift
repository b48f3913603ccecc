package import JSONLines

/// The limits of a store for lines that are otherwise valid.
///
/// A store must be able to send all its records.
package enum StorableLine {
  package enum Excess: Equatable, Sendable {
    /// The line is longer than this many bytes.
    case length(Int)
    /// The line is nested deeper than this many levels.
    case depth(Int)
  }

  /// The longest line, in bytes.
  package static let longest = 8 << 20

  /// The deepest nesting: a message adds an object and an array around a line.
  package static let deepest = JSONDepth.limit - 2

  /// Bytes reserved in a plain record, which gains a level and a copy of its key when it becomes a change
  /// line.
  private static let reserve = 64 << 10

  /// The limit that a validated line exceeds; nil if it can be stored, even after a clock is added.
  package static func excess(_ line: Span<UInt8>, _ kind: ChangeLine.Kind) -> Excess? {
    kind == .record ? excess(line, longest - reserve, deepest - 1) : excess(line, longest, deepest)
  }

  /// The first of these limits that a validated line exceeds, in bytes and in levels.
  static func excess(_ line: Span<UInt8>, _ longest: Int, _ deepest: Int) -> Excess? {
    if line.count > longest { return .length(longest) }
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

  /// The error in words: lower-case, no final period.
  package var message: String { "\(measure), more than a store accepts" }

  /// The limit in words.
  var measure: String {
    switch self {
    case .length(let limit): "longer than \(limit) bytes"
    case .depth(let limit): "nested deeper than \(limit) levels"
    }
  }
}
