import JSONLines

/// What the rules need to know of one line; the line itself is carried byte for byte.
package struct ChangeLine: Sendable {
  package enum Kind: Sendable {
    /// It has an `identity`.
    case change
    /// A plain record, which stands for a change.
    case record
    /// `newTokenData` and nothing that could be a key.
    case checkpoint
  }

  package var kind: Kind
  package var isTombstone = false
  /// Nil comes before everything.
  package var clock: Instant?
  /// Where the raw version stands in the line; nil is lower than any.
  package var version: Range<Int>?
  package var facts = RuleFacts.lww
}

/// What the entity's merge rule has read from a line, besides clock, tombstone and version.
package enum RuleFacts: Equatable, Sendable {
  case lww
  case terminal(TerminalFacts)
  case appendOnly
}

extension ChangeLine {
  /// Whether two lines differ in more than their spelling.
  package static func differInContent(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    ByteSearch.compare(a, b) != 0 && !JSONEquality.isEqual(a, a.onlyValue, b, b.onlyValue)
  }
}
