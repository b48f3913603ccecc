/// A TCP or UDP port.
package struct PortNumber: OptionValue, Equatable {
  package var value: UInt16
  package static var valueName: String { "PORT" }
  package static var expectation: String { "a port from 1 to 65535" }

  package init?(argument: String) {
    guard let number = UnsignedDigits(argument[...]), let value = UInt16(exactly: number.value), value > 0
    else {
      return nil
    }
    self.value = value
  }
}
