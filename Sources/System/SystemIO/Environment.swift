/// The process environment, read only.
package enum Environment {
  /// The variable's value; nil where it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    let value = unsafe String(cString: text)
    return value.isEmpty ? nil : value
  }

  /// False of a variable that is set and not UTF-8: what ``value(_:)`` makes of it would be another file's name.
  package static func isText(_ name: String) -> Bool {
    guard let text = unsafe getenv(name) else { return true }
    return unsafe String(validatingCString: text) != nil
  }

  /// The words of the command line; nil where one is not UTF-8 and would be another file's name.
  package static var words: [String]? {
    var words: [String] = []
    for index in 0..<Int(CommandLine.argc) {
      guard let word = unsafe CommandLine.unsafeArgv[index].flatMap({ unsafe String(validatingCString: $0) })
      else { return nil }
      words.append(word)
    }
    return words
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
