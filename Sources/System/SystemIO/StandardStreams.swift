/// The first three descriptors.
package enum StandardStreams {
  /// Gives descriptors 0 to 2 that are closed something that fails when it is used.
  ///
  /// A pipe or a file that is opened later would get the number otherwise, and what is meant for standard output
  /// would be written into it.
  package static func reserve() {
    for raw in STDIN_FILENO...STDERR_FILENO where fcntl(raw, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", raw == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Lets the reader of standard output see its end while we go on; what is written to it later goes nowhere.
  package static func endOutput() {
    let raw = systemOpen("/dev/null", O_WRONLY | O_CLOEXEC)
    guard raw >= 0 else { return }
    _ = dup2(raw, STDOUT_FILENO)
    _ = systemClose(raw)
  }
}
