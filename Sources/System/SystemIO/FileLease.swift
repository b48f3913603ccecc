/// Blocks writers of a file for a short time: a process that opens the file for writing waits, and we are
/// notified.
///
/// It uses a lease of Linux (fcntl(2), F_SETLEASE). Without leases, such as on a network drive, writers are
/// not blocked.
package struct FileLease: ~Copyable {
  /// The file, open for reading.
  package let file: Descriptor
  private let isHeld: Bool

  /// Takes a lease on an open file; nil if another process has it open for writing.
  package init?(_ file: consuming Descriptor) {
    self.file = file
    #if os(Linux)
      // When a process opens the file, the kernel sends us SIGIO, which would end our process by default.
      signal(SIGIO, SIG_IGN)
      isHeld = fcntl(self.file.raw, Self.set, CInt(F_RDLCK)) == 0
      if !isHeld, errno == EAGAIN { return nil }
    #else
      isHeld = false
    #endif
  }

  /// Whether other processes have not yet tried to open the file for writing.
  package var isQuiet: Bool {
    #if os(Linux)
      return !isHeld || fcntl(file.raw, Self.get) == CInt(F_RDLCK)
    #else
      return true
    #endif
  }

  /// The stamp of the open file, even if another file has replaced it at its path.
  package var stamp: FileStamp? { FileStamp(of: file) }

  // F_SETLEASE and F_GETLEASE, which the C library hides behind _GNU_SOURCE. Closing the file ends the lease.
  private static var set: CInt { 1_024 }
  private static var get: CInt { 1_025 }
}

extension FileMode {
  /// Exchanges the names of two files in one step; nil if the system or the file system does not support
  /// that.
  package static func exchange(_ path: String, _ other: String) throws(SystemError) -> Bool? {
    #if os(Linux)
      typealias Rename =
        @convention(c) (
          CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt
        ) -> CInt
      guard let symbol = unsafe dlsym(nil, "renameat2") else { return nil }
      let rename = unsafe unsafeBitCast(symbol, to: Rename.self)
      // RENAME_EXCHANGE
      if unsafe rename(AT_FDCWD, path, AT_FDCWD, other, 2) == 0 { return true }
      if [EINVAL, ENOSYS, ENOTSUP].contains(errno) { return nil }
      throw SystemError(.create, path, code: errno)
    #else
      return nil
    #endif
  }
}
