import CommandLineTool
import StoreFiles

extension Diagnostic {
  init(_ error: StoreError, outbox path: String) {
    let (code, message, hint) = Self.matter(of: error)
    self.init(code, message, file: path, hint: hint)
  }

  private static func matter(of error: StoreError) -> (DiagnosticCode, String, String?) {
    switch error {
    case .missing: (.fileNotFound, "no such outbox", "outbox add and devices add make one")
    case .cannotOpen(let reason): (.cannotCreate, "cannot be opened: \(reason)", nil)
    case .busy:
      (.storeBusy, "another process is writing to the outbox", "try again, or wait longer with --wait")
    case .full: (.storeFull, "no room on the disk; nothing has been changed", "make room, then run it again")
    case .readOnly:
      (.storeReadOnly, "the outbox cannot be written to", "check the permissions of the file and its folder")
    case .corrupt(let reason): (.storeCorrupt, "the outbox is damaged: \(reason)", nil)
    case .notAStore: (.notAStore, "not an outbox", "--store names a file that notify has made")
    case .newerSchema(let found, let known):
      (
        .newerStore, "the outbox is of version \(found), later than \(known)",
        "use the version of notify that has written it, or a later one"
      )
    case .inputOutput(let reason): (.storeFailed, "reading or writing failed: \(reason)", nil)
    case .other(let code, let message): (.storeFailed, "\(message) (\(code))", nil)
    default: (.storeFailed, "\(error)", nil)
    }
  }
}
