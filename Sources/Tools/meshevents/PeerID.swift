import CommandLine

/// The id of a peer, which is never empty.
struct PeerID: OptionValue, Equatable {
  var text: String
  static var valueName: String { "ID" }
  static var expectation: String { "an id: it is not empty" }

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }
}
