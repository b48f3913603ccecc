import JSONLines
import CommandLine
import SystemIO

/// What one run at a time has, for as long as the object lives; the end of the process lets it go too.
package final class RunLock {
  private let lock: FileLock

  /// Throws `alreadyRunning` where another run has it.
  package init(of store: String) throws {
    do throws(SystemError) {
      try PrivateFolder.make(FileMode.folder(of: store))
      lock = try FileLock("\(store).run.lock", patience: .zero)
    } catch {
      guard error.isHeld else { throw error }
      throw Diagnostic(
        .alreadyRunning, "another run is under way", file: store, hint: "--quiet says nothing of it")
    }
  }
}
