import JSONLines

/// Read-only access to the environment of the process.
package enum Environment {
  /// The variable's value; nil if it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    let value = unsafe String(cString: text)
    return value.isEmpty ? nil : value
  }

  /// Whether a variable is unset or UTF-8; otherwise the result of ``value(_:)`` could be the name of another
  /// file.
  package static func isText(_ name: String) -> Bool {
    guard let text = unsafe getenv(name) else { return true }
    return unsafe String(validatingCString: text) != nil
  }

  /// The words of the command line; nil if a word is not UTF-8, as it would name another file.
  package static var words: [String]? {
    var words: [String] = []
    for index in 0..<Int(CommandLine.argc) {
      guard let word = unsafe CommandLine.unsafeArgv[index].flatMap({ unsafe String(validatingCString: $0) })
      else { return nil }
      words.append(word)
    }
    return words
  }

  /// The words of the command line with replacement characters, only for reporting that a word is not UTF-8.
  package static var repairedWords: [String] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe String(cString: $0) }
    }
  }

  /// The environment as C strings `NAME=value`, without names that begin with `prefix`, plus `additions`.
  ///
  /// A value need not be UTF-8, so the other entries are copied byte for byte.
  package static func replacing(
    _ prefix: String, with additions: [(name: String, value: String)]
  ) -> [[CChar]] {
    var entries: [[CChar]] = []
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      if unsafe strncmp(entry, prefix, prefix.utf8.count) != 0 {
        entries.append(unsafe Array(UnsafeMutableBufferPointer(start: entry, count: Int(strlen(entry)) + 1)))
      }
      unsafe next += 1
    }
    return entries + additions.map { Array("\($0.name)=\($0.value)".utf8CString) }
  }
}

/// The folders for data that outlives a run: `peersync` in the folders of the XDG Base Directory
/// Specification.
///
/// `PEERSYNC_HOME` replaces all of them. The functions return names without creating folders.
package enum Places {
  /// The folder for the device's identity and the user's decisions, such as trusted peers.
  package static func configuration() throws(SystemError) -> String {
    try folder("XDG_CONFIG_HOME", below: ".config")
  }

  /// The folder for data that later runs need, such as pairing sessions.
  package static func state() throws(SystemError) -> String {
    try folder("XDG_STATE_HOME", below: ".local/state")
  }

  /// A file in the state folder; a command that needs it is refused if that folder is unknown.
  package static func state(_ name: String) -> String { "\((try? state()) ?? ".")/\(name)" }

  /// The default store.
  package static var store: String { state("store.db") }

  /// The file with the types of a store's values; all links to the store share it.
  package static func types(besideStore store: String) -> String { FileMode.target(of: store) + ".types" }

  /// An error in the variables that would cause this device's files to be searched for in a wrong folder.
  package static var fault: String? {
    let names =
      Environment.value("PEERSYNC_HOME") == nil
      ? ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"] : ["PEERSYNC_HOME"]
    if let name = names.first(where: { !Environment.isText($0) }) { return "\(name) is not UTF-8" }
    guard names.contains("HOME"), let home = Environment.value("HOME"), !home.isAbsolutePath else {
      return nil
    }
    return "HOME is not an absolute path"
  }

  private static func folder(_ variable: String, below standard: String) throws(SystemError) -> String {
    if let home = Environment.value("PEERSYNC_HOME") { return home }
    // The specification requires that relative paths are ignored.
    if let base = Environment.value(variable), base.isAbsolutePath { return "\(base)/peersync" }
    guard let home = Environment.value("HOME") else { throw .homeless }
    return "\(home)/\(standard)/peersync"
  }
}

/// The name of this machine.
package enum HostName {
  /// The first label, such as `laptop` of `laptop.example.org`; `device` if the system does not have a name.
  package static var short: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "device" }
    return label(of: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
  }

  /// The first label, cut to the 63 bytes that a label may have (RFC 1035 §2.3.4), because Linux allows 64.
  static func label(of name: [UInt8]) -> String {
    let label = String(decoding: name.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)[...].cut(toBytes: 63)
    return label.isEmpty ? "device" : label
  }
}

extension Substring {
  /// The beginning of this text, in whole characters, of at most this many bytes.
  package func cut(toBytes limit: Int) -> String {
    var kept = self
    while kept.utf8.count > limit { kept = kept.dropLast() }
    return String(kept)
  }
}

/// Texts as single words of a shell's own syntax.
///
/// A shell reads bytes, so a quote counts even if it forms one character with a mark after it.
package enum ShellWord {
  /// For sh, bash and zsh: single quotes protect all characters, and a quote is put between two quoted parts.
  package static func posix(_ text: String) -> String {
    if isPlain(text) { return text }
    return "'" + text.parts(at: "'").joined(separator: #"'\''"#) + "'"
  }

  /// A path as a word that cannot be an option, even if it begins with a hyphen.
  package static func path(_ path: String) -> String {
    posix(path.utf8.first == UInt8(ascii: "-") ? "./\(path)" : path)
  }

  /// Whether a text is a word without quotes in all shells.
  package static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
  }
}
