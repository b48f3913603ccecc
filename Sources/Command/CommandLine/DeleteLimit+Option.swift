package import SyncCore

extension DeleteLimit: OptionValue {
  package static var valueName: String { "LIMIT" }
  package static var expectation: String { "a number of records, a share such as 20%, or off" }

  package init?(argument: String) {
    if argument == "off" {
      self = .off
    } else if argument.hasSuffix("%") {
      guard let share = UnsignedDigits(argument.dropLast()), share.value <= 100 else { return nil }
      self = .percent(share.value)
    } else {
      guard let count = UnsignedDigits(argument[...]) else { return nil }
      self = .count(count.value)
    }
  }
}
