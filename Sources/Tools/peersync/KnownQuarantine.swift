import CommandLine
import JSONLines
import Sessions
import Store

/// The number of changes in quarantine that was reported last.
struct KnownQuarantine {
  private let store: OpenStore
  private let path: String
  private var count: Int

  init(_ store: OpenStore, at path: String) throws {
    (self.store, self.path) = (store, path)
    count = try store.current().quarantineCount()
  }

  /// Reports changes that have been put in quarantine since the last call.
  ///
  /// The other side is not informed of changes that cannot be applied here.
  mutating func tell(on console: Console) throws {
    let now = try store.current().quarantineCount()
    defer { count = now }
    guard now > count, let diagnostic = Diagnostic(quarantined: now, store: path) else { return }
    console.note(diagnostic.text)
  }
}
