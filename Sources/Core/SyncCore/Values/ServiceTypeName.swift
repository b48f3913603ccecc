/// The names of DNS-SD service types such as `_appsync._tcp` (RFC 6763 §7).
package enum ServiceTypeName {
  /// The type of the peers of both protocol versions.
  package static let peers = "_appsync._tcp"

  /// The type without an optional final dot and domain `local`; nil if the text is not a type.
  package static func plain(_ text: String) -> String? {
    var labels = text.split(separator: ".", omittingEmptySubsequences: false)
    if labels.last == "" { labels.removeLast() }
    if labels.count == 3, labels[2].lowercased() == "local" { labels.removeLast() }
    return isValid(labels) ? labels.joined(separator: ".") : nil
  }

  /// Whether the labels are a name and a transport; case does not matter.
  private static func isValid(_ labels: [Substring]) -> Bool {
    labels.count == 2 && labels[0].first == "_" && isName(labels[0].dropFirst().utf8)
      && ["_tcp", "_udp"].contains(labels[1].lowercased())
  }

  /// Whether a name has 1 to 15 letters, digits and hyphens, at least one of them a letter (RFC 6335 §5.1).
  ///
  /// Hyphens must not be first, last or adjacent.
  private static func isName(_ name: Substring.UTF8View) -> Bool {
    let hyphen = UInt8(ascii: "-")
    let isLetter = { (byte: UInt8) in (byte | 32) &- 97 < 26 }
    return (1...15).contains(name.count) && name.contains(where: isLetter)
      && name.allSatisfy { isLetter($0) || $0 &- 48 < 10 || $0 == hyphen }
      && name.first != hyphen && name.last != hyphen
      && !zip(name, name.dropFirst()).contains { $0 == (hyphen, hyphen) }
  }
}
