import JSONLines

/// When a change that comes is the one that the store has already, so that nothing is to be done.
package enum ChangeEquality: Equatable, Sendable {
  /// The same bytes.
  case bytes
  /// Over protocol version 1: the same bytes, or the same delta where both are packed with these types.
  ///
  /// That wire cuts clocks to seconds and has members in any order, so that a change comes back as another line.
  case packed(WireTypes?)

  /// Whether the change came over a wire that cuts its times to whole seconds.
  package var isCut: Bool { if case .packed = self { true } else { false } }

  package func holds(_ line: Span<UInt8>, _ stored: Span<UInt8>, _ shape: RecordShape) -> Bool {
    if ByteSearch.isEqual(line, 0..<line.count, stored, 0..<stored.count) { return true }
    guard case .packed(let types) = self, let one = Self.packed(line, shape, types),
      let other = Self.packed(stored, shape, types)
    else { return false }
    return !ChangeLine.differInContent(one.span, other.span)
  }

  /// Nil for what the wire cannot carry at all.
  private static func packed(
    _ line: Span<UInt8>, _ shape: RecordShape, _ types: WireTypes?
  ) -> [UInt8]? {
    var packer = WirePacker(shape, types: types, isLossy: true)
    guard (try? packer.add(line, number: 1)) != nil else { return nil }
    var delta: [UInt8] = []
    packer.appendDelta(to: &delta)
    return delta
  }
}
