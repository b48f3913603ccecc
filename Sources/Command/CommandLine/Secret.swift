package import JSONLines
import SystemIO

/// The source of a secret: a file, standard input or the environment, never the command line itself.
package struct SecretSource: OptionValue, Equatable {
  package enum Place: Sendable, Equatable {
    case file(String)
    case standardInput
    case environment(String)
  }

  package var place: Place
  package static var valueName: String { "FILE|-|env:NAME" }
  package static var completion: OptionHelp.Completion { .file }
  package static var expectation: String { "a file, - or env:NAME" }

  package var namedFile: String? {
    switch place {
    case .file(let path): path
    case .standardInput: "-"
    case .environment: nil
    }
  }

  package init?(argument: String) {
    if argument.isEmpty || argument == "env:" { return nil }
    // All names of standard input, such as /dev/fd/0, so that a tool that needs it for other data can reject them.
    if OpenStream.isStandardInput(argument) {
      place = .standardInput
    } else if argument.hasPrefix("env:") {
      place = .environment(String(argument.dropFirst(4)))
    } else {
      place = .file(argument)
    }
  }

  /// Reads the secret and removes one trailing line break.
  ///
  /// A file must belong to this user, have mode 0600 or stricter, and be in a folder that others cannot write
  /// to. A stream that is already open, such as `/dev/fd/3`, is not checked.
  package func read() throws -> Secret {
    switch place {
    case .standardInput: return Secret(try ByteInput.contents(of: "-"))
    case .environment(let name):
      guard let value = Environment.value(name) else {
        throw Diagnostic(.fileNotFound, "environment variable '\(name)' is not set")
      }
      return Secret(Array(value.utf8))
    case .file(let path):
      if let looseness = try FileMode.looseness(ofSecret: path) {
        throw Diagnostic(.looseSecretFile, looseness.problem, file: path, hint: looseness.remedy)
      }
      return Secret(try ByteInput.contents(of: path))
    }
  }
}

extension SecretSource {
  /// Throws if standard output is a file that others can read.
  package static func checkStandardOutput() throws(Diagnostic) {
    guard let looseness = FileMode.loosenessOfStandardOutput else { return }
    throw Diagnostic(.looseSecretFile, looseness.problem, file: "standard output", hint: looseness.remedy)
  }
}

/// Bytes that must not be printed.
package struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    var bytes = bytes
    if bytes.last == 10 {
      bytes.removeLast()
      if bytes.last == 13 { bytes.removeLast() }
    }
    self.bytes = bytes
  }

  package var description: String { "(secret)" }
  package var debugDescription: String { "(secret)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
