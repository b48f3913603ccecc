import CommandLine

/// The port of a service that is announced.
struct ServicePort: OptionValue, Equatable {
  var value: UInt16
  static var valueName: String { "PORT" }
  static var expectation: String { "a port from 1 to 65535" }

  init?(argument: String) {
    guard let value = UInt16(argument), value > 0, !argument.hasPrefix("+") else { return nil }
    self.value = value
  }
}
