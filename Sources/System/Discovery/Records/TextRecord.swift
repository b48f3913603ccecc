/// The pairs of a TXT record (RFC 6763 §6).
package struct TextRecord: Hashable, Sendable {
  package struct Pair: Hashable, Sendable {
    package var key: String
    /// The value; nil for a key without `=`, which differs from an empty value.
    package var value: [UInt8]?

    package init(_ key: String, _ value: [UInt8]?) {
      self.key = key
      self.value = value
    }
  }

  package private(set) var pairs: [Pair] = []
  /// The keys in lower case, as a set because a hostile record can have thousands.
  private var keys: Set<String> = []

  package init() {}

  /// Reads the strings of a record; strings that are not a pair, and repeated keys, are skipped (§6.4).
  package init(reading strings: [UInt8]) {
    var rest = strings[...]
    while let length = rest.popFirst() {
      let string = rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
      if let pair = Self.pair(string) { add(pair) }
    }
  }

  /// Adds a pair `key=value` or a key alone; false if it is invalid, too long, or a duplicate.
  package mutating func add(_ text: String) -> Bool {
    guard text.utf8.count <= 255, let pair = Self.pair(Array(text.utf8)[...]) else { return false }
    return add(pair)
  }

  private static func pair(_ string: ArraySlice<UInt8>) -> Pair? {
    let parts = string.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let key = parts.first, isKey(key) else { return nil }
    return Pair(String(decoding: key, as: UTF8.self), parts.count > 1 ? Array(parts[1]) : nil)
  }

  @discardableResult
  private mutating func add(_ pair: Pair) -> Bool {
    guard keys.insert(pair.key.lowercased()).inserted else { return false }
    pairs.append(pair)
    return true
  }

  /// The pair of a key, compared without regard to case.
  package subscript(_ key: String) -> Pair? {
    let key = key.lowercased()
    return pairs.first { $0.key.lowercased() == key }
  }

  /// The value of a key as text; nil if it is missing, or not UTF-8.
  package func text(_ key: String) -> String? {
    self[key]?.value.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The strings of the record; without pairs, a single empty string, because a record needs one (§6.1).
  package var strings: [UInt8] {
    let strings = pairs.flatMap { pair -> [UInt8] in
      let string = Array(pair.key.utf8) + (pair.value.map { [UInt8(ascii: "=")] + $0 } ?? [])
      return [UInt8(string.count)] + string
    }
    return strings.isEmpty ? [0] : strings
  }

  /// Whether a key is printable ASCII without `=`, and at least one character (§6.4).
  private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
    !key.isEmpty && key.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
  }
}
