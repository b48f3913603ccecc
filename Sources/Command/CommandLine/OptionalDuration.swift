/// A duration, or `off`.
package struct OptionalDuration: OptionValue, Equatable {
  package var duration: Duration?
  package static var valueName: String { "DURATION" }
  package static var expectation: String { "\(Duration.expectation), or off" }

  package init(_ duration: Duration?) { self.duration = duration }

  package init?(argument: String) {
    if argument == "off" {
      self.init(nil)
      return
    }
    guard let duration = Duration(argument: argument) else { return nil }
    self.init(duration)
  }
}
