import JSONLines
import CommandLine
import Store

extension Diagnostic {
  init(_ error: StoreError, outbox path: String) {
    self.init(
      error,
      of: StoreWords(
        one: "an outbox", noun: "outbox", tool: "notify", makers: "outbox add and devices add make one"),
      file: path)
  }
}
