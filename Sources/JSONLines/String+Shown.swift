extension String {
  /// As a person may see it: nothing in it steers a terminal or turns the text around.
  package var escapingControls: String {
    guard unicodeScalars.contains(where: Self.steers) else { return self }
    return unicodeScalars.map { Self.steers($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }
      .joined()
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
