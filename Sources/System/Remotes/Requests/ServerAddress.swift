import SystemIO

/// The address of a server, as a person types it.
package enum ServerAddress {
  /// A URL, quoted for a command.
  package static func word(_ url: String) -> String {
    ShellWord.isPlain(url.filter { $0 != ":" }) ? url : ShellWord.posix(url)
  }

  /// The URL without the slashes at its end; nil if the word is not a URL.
  ///
  /// Without TLS the key would be sent unencrypted, so `http://` is valid only for this machine.
  package static func url(_ word: String) -> String? {
    guard let scheme = ["https://", "http://"].first(where: { word.hasPrefix($0) }) else { return nil }
    var rest = word.dropFirst(scheme.count)
    while rest.hasSuffix("/") { rest.removeLast() }
    let place = rest.prefix { $0 != "/" }
    let isPlain = rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !rest.contains { "?#@\\".contains($0) }
    guard !place.isEmpty, isPlain, scheme == "https://" || isLoopback(place) else { return nil }
    return scheme + rest
  }

  private static func isLoopback(_ place: Substring) -> Bool {
    for host in ["127.0.0.1", "localhost", "[::1]"] where place == host || place.hasPrefix(host + ":") {
      return true
    }
    return false
  }
}
