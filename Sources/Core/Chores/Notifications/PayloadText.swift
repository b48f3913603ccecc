extension String {
  /// The text without line breaks and other control characters: a space stands for each.
  ///
  /// Titles come from other devices and end up where a line break begins something new: in headers, environment
  /// variables, terminals.
  package var onOneLine: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return String(UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
  }

  /// The text, if it takes up to `limit` bytes in a JSON string; otherwise as many whole characters as leave room for an
  /// ellipsis.
  ///
  /// A character can be longer than that, for any number of scalars can follow each other in one; it is cut between them.
  func cut(toPayloadBytes limit: Int) -> String {
    var size = 0
    for scalar in unicodeScalars {
      size += scalar.payloadSize
      if size > limit { return prefix(ofPayloadBytes: limit - Self.ellipsis.utf8.count) + Self.ellipsis }
    }
    return self
  }

  private static let ellipsis = "…"

  private func prefix(ofPayloadBytes limit: Int) -> String {
    var left = limit
    let characters = prefix { character in
      left -= character.unicodeScalars.reduce(0) { $0 + $1.payloadSize }
      return left >= 0
    }
    guard characters.isEmpty else { return String(characters) }
    left = limit
    return String(
      unicodeScalars.prefix { scalar in
        left -= scalar.payloadSize
        return left >= 0
      })
  }
}

extension Unicode.Scalar {
  /// C0, DEL and C1, and the two separators that some programs take for line breaks.
  var isControl: Bool {
    switch value {
    case ..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
    default: false
    }
  }

  /// How many bytes it takes in a JSON string.
  fileprivate var payloadSize: Int {
    switch value {
    case ..<0x20: 6
    case 0x22, 0x5C: 2
    case ..<0x80: 1
    case ..<0x800: 2
    case ..<0x1_0000: 3
    default: 4
    }
  }
}
