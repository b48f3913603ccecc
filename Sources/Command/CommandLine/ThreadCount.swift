import SystemIO

/// How many threads work; more would only wait for each other.
package struct ThreadCount: OptionValue, Equatable {
  package var value: Int
  package static var valueName: String { "N" }
  package static var expectation: String { "a whole number from 1 to \(Worker.most)" }

  package static var standard: ThreadCount { ThreadCount(value: min(Worker.processors, Worker.most)) }

  private init(value: Int) { self.value = value }

  package init?(argument: String) {
    guard let count = PositiveCount(argument: argument), count.value <= Worker.most else { return nil }
    value = count.value
  }
}
