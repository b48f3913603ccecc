package import CommandLine
package import JSONLines
import SystemIO

/// Settings of a command that prints text on a terminal, otherwise JSON lines.
package struct ListingSettings: Sendable {
  package var isJSON = false
  package init() {}

  package var isForPeople: Bool { Descriptor.standardOutput.isTerminal && !isJSON }

  /// Prints a JSON line, or the sentence on a terminal; `sentence` is nil if it was already printed there.
  package func write(_ value: JSONValue, saying sentence: String?) throws {
    guard isForPeople else { return try Descriptor.standardOutput.write(line: value) }
    if let sentence { try Descriptor.standardOutput.write("\(sentence)\n") }
  }
}

/// A command with the settings of a listing.
package protocol ListingConfigurable: Sendable {
  var listing: ListingSettings { get set }
}

extension ListingSettings: ListingConfigurable {
  package var listing: ListingSettings {
    get { self }
    set { self = newValue }
  }
}

extension Option where Settings: ListingConfigurable {
  package static var json: [Option] {
    [.flag("json", "Print JSON lines on a terminal too.") { $0.listing.isJSON = true }]
  }
}
