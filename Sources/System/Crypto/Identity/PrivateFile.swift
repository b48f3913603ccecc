internal import SystemIO

/// A file that only its owner may read, and that is always replaced as a whole.
///
/// It must be 0600 in a folder that others cannot write to; looser permissions are refused.
package struct PrivateFile: Sendable {
  package let path: String
  private let folder: String

  package init(_ name: String, in folder: String) {
    self.folder = folder
    path = "\(folder)/\(name)"
  }

  /// All bytes of the file; nil if it does not exist.
  ///
  /// Anything but a regular file is refused.
  package func read() throws(TransportError) -> [UInt8]? {
    let looseness: (problem: String, remedy: String)?
    do throws(SystemError) { looseness = try FileMode.looseness(ofSecret: path) } catch {
      if error.isMissing { return nil }
      throw .system(error)
    }
    if let looseness {
      throw .looseFile(path: path, problem: looseness.problem, remedy: looseness.remedy)
    }
    // Opening a FIFO waits for its writer.
    guard FileMode.isFile(path) else { throw .notRegular(path: path) }
    // A run that ends by a signal must still save its work.
    return try TransportError.wrapping { () throws(SystemError) in
      try ByteInput.contents(of: path, heedingSignals: false)
    }
  }

  /// Writes the file; after a crash at any time, it has either the old or the new bytes.
  package func replace(with bytes: [UInt8]) throws(TransportError) {
    if let looseness = try TransportError.wrapping({ () throws(SystemError) in
      try FileMode.looseness(ofNewSecret: path)
    }) {
      throw .looseFile(path: path, problem: looseness.problem, remedy: looseness.remedy)
    }
    try TransportError.wrapping { () throws(SystemError) in
      let file = try AtomicFile(creating: path, mode: 0o600)
      try file.write(bytes.span)
      try file.commit()
    }
  }

  /// Makes the folder if it is missing, and runs `body` under a lock for the file.
  ///
  /// Waits up to `patience` for another process to release the lock; then throws an error with `isHeld`.
  package func locked<Value>(
    patience: Duration = FileLock.patience, _ body: () throws(TransportError) -> Value
  ) throws(TransportError) -> Value {
    let lock: FileLock
    do throws(SystemError) {
      try PrivateFolder.make(folder)
      lock = try FileLock(on: path, patience: patience)
    } catch {
      throw .system(error)
    }
    // Only the holder of the lock writes the file. Leftovers of a killed process are removed, as they may
    // contain a key.
    AtomicFile.removeLeftovers(of: path)
    let result = Result { () throws(TransportError) in try body() }
    lock.release()
    return try result.get()
  }
}
