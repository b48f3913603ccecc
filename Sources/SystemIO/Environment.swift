/// The process environment, read only.
package enum Environment {
  /// The variable's value; nil where it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    let value = unsafe String(cString: text)
    return value.isEmpty ? nil : value
  }

  /// The whole environment as `NAME=value`, without those whose name begins with `prefix`, and with `additions`.
  package static func replacing(_ prefix: String, with additions: [(name: String, value: String)]) -> [String]
  {
    var entries: [String] = []
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      let text = unsafe String(cString: entry)
      if !text.hasPrefix(prefix) { entries.append(text) }
      unsafe next += 1
    }
    return entries + additions.map { "\($0.name)=\($0.value)" }
  }
}
