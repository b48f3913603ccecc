import JSONLines

/// The raw names of one object, whatever they are, so that one that stands twice is found.
struct WireNames {
  private var names: [Range<Int>] = []

  mutating func clear() { names.removeAll(keepingCapacity: true) }

  mutating func append(_ name: Range<Int>) { names.append(name) }

  /// A name that stands twice; takes the time of sorting, for a hostile object too.
  mutating func firstRepeated(in text: Span<UInt8>) -> Range<Int>? {
    names.sort { a, b in JSONString.compare(text, a, text, b) < 0 }
    for (a, b) in zip(names, names.dropFirst()) where JSONString.isEqual(text, a, text, b) { return b }
    return nil
  }
}
