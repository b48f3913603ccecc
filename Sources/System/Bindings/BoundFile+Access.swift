import JSONLines
import Store
import SystemIO

/// Access to the file while other processes may write to it.
extension BoundFile {
  /// Waits until all other processes have closed the file for writing.
  func lease() throws -> FileLease {
    let deadline = SystemClock.monotonic() + wait
    while true {
      guard let file = try Descriptor.readingFile(path) else {
        throw BindingError(
          .notReadable, "not a regular file",
          hint: FileMode.isFolder(path)
            ? "a folder cannot be bound: bind a file that has a record for each of its files" : nil)
      }
      if let lease = FileLease(file) { return lease }
      try pause(until: deadline)
    }
  }

  func pause(until deadline: Duration) throws {
    guard SystemClock.monotonic() < deadline else {
      throw BindingError(
        .storeBusy, "another process keeps writing to the file", hint: "try again, or wait longer with --wait"
      )
    }
    var polls = PollSet()
    polls.addInterruption()
    polls.wait(until: SystemClock.monotonic() + .milliseconds(10))
    if Interruption.pending != nil { throw SystemError.interrupted }
  }

  func contents(of file: borrowing Descriptor) throws -> [UInt8] {
    guard file.kind == .regular else { throw BindingError(.notReadable, "not a regular file") }
    let size = file.size
    // Continue to read after a signal, so that the last changes are still written.
    let bytes = try ByteInput.bytes(of: file, limit: size + 1)
    // During a lease other processes cannot write; without a lease, a changed size reveals a writer.
    guard bytes.count == size else {
      throw BindingError(.storeBusy, "the file changed while it was read", hint: "try again")
    }
    return bytes
  }

  /// Replaces the text.
  ///
  /// The result is false if another process has written in the meantime; the text of that process is then
  /// restored.
  func replace(with new: [UInt8], _ lease: borrowing FileLease, in store: ChangeStore) throws -> Bool {
    let stamp = lease.stamp
    let mode = FileMode.permissions(of: path)
    // The superuser may write to a read-only file, but its owner does not want that.
    let isReadOnly = mode & 0o222 == 0
    guard !isReadOnly, FileMode.isWritable(path) else {
      let (problem, remedy) =
        isReadOnly
        ? ("the file is read-only", "chmod u+w \(ShellWord.path(path))")
        : FileMode.isOnReadOnlySystem(path)
          ? ("the file is on a read-only file system", "mount it writable")
          : ("this user may not write to the file", "allow this user to write to the file")
      throw BindingError(
        .cannotCreate, "\(problem), so changes are not written to it",
        hint: "\(remedy), or to end the binding: \(binding.removeCommand(store: store.path))")
    }
    let other = AtomicFile.temporaryName(path)
    defer { FileMode.remove(other) }
    let file = try AtomicFile(creating: other, mode: 0o600)
    try file.write(new.span)
    try file.commit()
    FileMode.giveOwnerAndMode(of: path, to: other)
    let own = FileStamp(of: other)
    guard lease.isQuiet, FileStamp(of: path) == stamp else { return false }
    guard try FileMode.exchange(other, path) == true else {
      try FileMode.rename(other, to: path)
      seen = own
      return true
    }
    // The replaced file, now at `other`, must be the file that was read, and must not be open in another
    // process.
    if lease.isQuiet, FileStamp(of: other) == stamp {
      seen = own
      return true
    }
    _ = try FileMode.exchange(other, path)
    return false
  }
}
