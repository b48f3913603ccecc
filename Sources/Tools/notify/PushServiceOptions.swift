import CommandLine

/// An id or name that goes into a header or a token: letters, digits, dots and hyphens.
struct ServiceName: OptionValue {
  var text: String
  static var valueName: String { "NAME" }
  static var expectation: String { "1 to 200 letters, digits, dots, underscores and hyphens" }

  init?(argument: String) {
    let isName = argument.utf8.allSatisfy {
      $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 26 || [0x2D, 0x2E, 0x5F].contains($0)
    }
    guard isName, (1...200).contains(argument.utf8.count) else { return nil }
    text = argument
  }
}

/// The address of a push service.
struct Endpoint: OptionValue {
  var text: String
  static var valueName: String { "URL" }
  static var expectation: String { "an address such as https://api.push.apple.com" }
  static let production = Endpoint(text: "https://api.push.apple.com")

  private init(text: String) { self.text = text }

  init?(argument: String) {
    let rest = argument.dropFirst("https://".count)
    guard argument.hasPrefix("https://"), !rest.isEmpty,
      rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && ![0x2F, 0x3F, 0x23, 0x40].contains($0) })
    else { return nil }
    text = argument
  }
}
