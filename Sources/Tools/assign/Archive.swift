import CommandLine
import JSONLines
import SyncCore
import SystemIO

/// The file that keeps what has been put away.
struct Archive {
  let path: String

  /// Merges lines into what is there; when this returns, all of it is on the disk.
  ///
  /// One process at a time does so, as two that read what is there would each write it with their own lines only.
  func add(_ lines: [UInt8], _ shape: RecordShape) throws {
    guard FileMode.isFile(path) else { return try write(merged(lines, into: [], shape)) }
    let lock = try self.lock()
    let result = Result {
      AtomicFile.removeLeftovers(of: path)
      let old = FileMode.size(of: path) > 0 ? try ByteInput.contents(of: path, limit: 256 << 20) : []
      try write(merged(lines, into: old, shape))
    }
    lock.release()
    try result.get()
  }

  private func lock() throws(SystemError) -> FileLock {
    do {
      return try FileLock("\(FileMode.resolved(path)).lock")
    } catch {
      throw SystemError(error.action, path, code: error.code)
    }
  }

  private func merged(_ lines: [UInt8], into old: [UInt8], _ shape: RecordShape) throws -> [UInt8] {
    do throws(ChangeRulesError) {
      return try ChangeRules(shape).merge([old, lines])
    } catch {
      guard case .line(_, let number, let code, let message) = error else { throw error }
      throw Diagnostic(code, message, file: path, line: number)
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    let file = try AtomicFile(creating: path)
    try file.write(bytes.span)
    try file.commit()
  }
}
