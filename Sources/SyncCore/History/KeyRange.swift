import JSONLines

/// The canonical keys of one entity, or all.
package struct KeyRange: Sendable {
  /// What they begin with; empty for all.
  package let opening: [UInt8]
  /// What they are before.
  package let end: [UInt8]

  /// Nil is all entities.
  package init(of entity: String?) {
    opening = entity.map(Prunes.opening) ?? []
    // A key is a text in brackets.
    end = opening.isEmpty ? [UInt8(ascii: "]")] : Prunes.end(of: opening)
  }

  package func contains(_ key: Span<UInt8>) -> Bool {
    key.count > opening.count && ByteSearch.isEqual(key, 0..<opening.count, opening.span, 0..<opening.count)
  }
}
