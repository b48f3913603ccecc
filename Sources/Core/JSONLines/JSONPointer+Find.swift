extension JSONPointer {
  /// What a pointer leads to.
  package enum Match: Equatable, Sendable {
    /// Nothing.
    case absent

    /// The value at this range, without white space around it.
    case found(Range<Int>)

    /// An object on the way has more than one member of this name, so that two readers might disagree.
    case duplicate(String)
  }

  /// Follows the pointer from the validated value at `raw`.
  ///
  /// In an array a token is an index in decimal digits without leading zeros; `-` is never found.
  package func find(in text: Span<UInt8>, _ raw: Range<Int>) -> Match {
    var match = Match.found(raw)
    for token in tokens {
      guard case .found(let range) = match else { return match }
      match = Self.step(token, in: text, range)
    }
    return match
  }

  private static func step(_ token: String, in text: Span<UInt8>, _ raw: Range<Int>) -> Match {
    switch JSONKind(firstByte: text[raw.lowerBound]) {
    case .object: member(token, in: text, raw)
    case .array: index(token).map { element($0, in: text, raw) } ?? .absent
    default: .absent
    }
  }

  private static func member(_ token: String, in text: Span<UInt8>, _ raw: Range<Int>) -> Match {
    var match = Match.absent
    var cursor = ContainerCursor(opening: raw.lowerBound)
    while cursor.hasNext(in: text) {
      let name = cursor.readName(in: text)
      let value = cursor.passValue(in: text)
      guard JSONString.isEqual(text, name, to: token) else { continue }
      guard match == .absent else { return .duplicate(token) }
      match = .found(value)
    }
    return match
  }

  private static func element(_ index: Int, in text: Span<UInt8>, _ raw: Range<Int>) -> Match {
    var remaining = index
    var cursor = ContainerCursor(opening: raw.lowerBound)
    while cursor.hasNext(in: text) {
      let value = cursor.passValue(in: text)
      if remaining == 0 { return .found(value) }
      remaining -= 1
    }
    return .absent
  }

  private static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    guard token == "0" || token.utf8.first != UInt8(ascii: "0") else { return nil }
    return Int(token)
  }
}
