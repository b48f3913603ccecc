import JSONLines
import SystemIO

/// What a kind of SQLite file is called to people.
package struct StoreWords: Sendable {
  /// With and without its article: `a store`, `store`.
  package var one: String
  package var noun: String
  package var tool: String
  /// Which commands make one, as a hint.
  package var makers: String
  /// What helps where one is damaged.
  package var cure: String?

  package init(one: String, noun: String, tool: String, makers: String, cure: String? = nil) {
    (self.one, self.noun, self.tool) = (one, noun, tool)
    (self.makers, self.cure) = (makers, cure)
  }
}

extension Diagnostic {
  /// What is wrong with a file, whatever is kept in it.
  package init(_ error: StoreError, of words: StoreWords, file path: String) {
    let (code, message, hint) = Self.matter(of: error, words, path)
    self.init(code, message, file: path, hint: hint)
  }

  private static func matter(
    of error: StoreError, _ words: StoreWords, _ path: String
  ) -> (ErrorCode, String, String?) {
    switch error {
    case .missing: (.fileNotFound, "no such \(words.noun)", words.makers)
    case .cannotOpen(let reason): (.cannotCreate, "cannot be opened: \(reason)", nil)
    case .notReadable(let reason): (.notReadable, "cannot be opened: \(reason)", nil)
    case .busy:
      (
        .storeBusy, "another process is writing to the \(words.noun)",
        "try again, or wait longer with --wait"
      )
    case .full:
      (
        .storeFull, "no room on the disk; nothing has been changed",
        "make room, then run the same command again"
      )
    case .readOnly:
      (
        .storeReadOnly, "the \(words.noun) cannot be written to",
        "check the permissions of the file and its folder; from a disk that can only be read, copy it first"
      )
    case .isForAll:
      (
        .looseSecretFile, "everybody may write to the \(words.noun)", "chmod 600 \(ShellWord.path(path))"
      )
    case .replaced:
      (
        .storeBusy, "the file of the \(words.noun) is no longer in its place; nothing has been written to it",
        "run the same again: what is in that place now is used from then on"
      )
    case .corrupt(let reason): (.storeCorrupt, "the \(words.noun) is damaged: \(reason)", words.cure)
    case .notAStore: (.notAStore, "not \(words.one)", "--store names a file that \(words.tool) has made")
    case .newerSchema(let found, let known):
      (
        .newerStore, "the \(words.noun) is of version \(found), later than \(known)",
        "use the version of \(words.tool) that has written it, or a later one"
      )
    case .inputOutput(let reason): (.storeFailed, "reading or writing failed: \(reason)", nil)
    case .other(let code, let message): (.storeFailed, "\(message) (\(code))", nil)
    default: (.storeFailed, "\(error)", nil)
    }
  }
}
