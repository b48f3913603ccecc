/// The process environment, read only.
package enum Environment {
  /// The variable's value; nil where it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    let value = unsafe String(cString: text)
    return value.isEmpty ? nil : value
  }
}
