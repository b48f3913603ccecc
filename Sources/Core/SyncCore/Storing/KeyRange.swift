import JSONLines

/// The canonical keys of one entity, or all.
package struct KeyRange: Sendable {
  /// The beginning of each; empty for all.
  package let opening: [UInt8]
  /// The first key after them.
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
