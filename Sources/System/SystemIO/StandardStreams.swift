/// The first three descriptors.
package enum StandardStreams {
  /// Opens closed descriptors among 0 to 2 so that using them fails.
  ///
  /// Otherwise a pipe or a file that is opened later would get that number, and standard output would be
  /// written into it.
  package static func reserve() {
    for raw in STDIN_FILENO...STDERR_FILENO where fcntl(raw, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", raw == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Ends standard output for its reader while we continue; later output is dropped.
  package static func endOutput() {
    let raw = systemOpen("/dev/null", O_WRONLY | O_CLOEXEC)
    guard raw >= 0 else { return }
    _ = dup2(raw, STDOUT_FILENO)
    _ = systemClose(raw)
  }
}

/// Streams that a process has inherited, and that have file names.
package enum OpenStream {
  /// The descriptor behind a name such as `/dev/stdin` or `/dev/fd/3`; nil for the name of a file.
  package static func number(_ path: String) -> CInt? {
    switch path {
    case "/dev/stdin": return STDIN_FILENO
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
      return folder.flatMap { CInt(path.dropFirst($0.utf8.count)) }
    }
  }

  /// Throws for the name of a descriptor that this process has not inherited; 0 to 2 are always allowed.
  ///
  /// Our own descriptors are not passed on to programs, and so differ from inherited ones. A closed one fails
  /// too, because it could become one of ours at any time.
  static func requireInherited(_ path: String, for action: SystemError.Action) throws(SystemError) {
    guard let number = number(path), number > STDERR_FILENO else { return }
    // For a closed descriptor the flags are -1, with all bits set.
    guard fcntl(number, F_GETFD) & FD_CLOEXEC == 0 else { throw SystemError(action, path, code: EBADF) }
  }

  /// Whether a path leads to standard input: by its name, or because it is the same pipe or socket.
  package static func isStandardInput(_ path: String) -> Bool {
    if path == "-" || number(path) == STDIN_FILENO { return true }
    var (file, input) = (stat(), stat())
    guard unsafe stat(path, &file) == 0, unsafe fstat(STDIN_FILENO, &input) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(file.st_mode & S_IFMT) && file.st_dev == input.st_dev
      && file.st_ino == input.st_ino
  }

  /// Whether output is appended to the file of standard output, as with `>>`.
  package static var addsToOutput: Bool { fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND != 0 }

  /// Whether a path leads to the regular file to which standard output is written; `-` is standard input.
  package static func isStandardOutput(_ path: String) -> Bool {
    var (file, output) = (stat(), stat())
    guard unsafe fstat(STDOUT_FILENO, &output) == 0, output.st_mode & S_IFMT == S_IFREG else { return false }
    let result = path == "-" ? unsafe fstat(STDIN_FILENO, &file) : unsafe stat(path, &file)
    return result == 0 && file.st_dev == output.st_dev && file.st_ino == output.st_ino
  }
}

/// The size of a terminal.
package struct TerminalSize: Equatable, Sendable {
  package var columns: Int
  package var rows: Int

  /// Whether the terminal supports escape sequences, such as for colours; false without `TERM`.
  package static var canDraw: Bool { Environment.value("TERM").map { $0 != "dumb" } ?? false }

  /// Whether escape sequences are unwanted, even if the terminal supports them.
  package static var isPlain: Bool { Environment.value("NO_COLOR") != nil }

  /// The size of the terminal on standard output; nil if it is not a terminal, or if its size is unknown.
  package static var ofStandardOutput: TerminalSize? { size(of: STDOUT_FILENO) }

  /// The size of the terminal on standard error; nil if it is not a terminal, or if its size is unknown.
  package static var ofStandardError: TerminalSize? { size(of: STDERR_FILENO) }

  private static func size(of stream: Int32) -> TerminalSize? {
    var size = winsize()
    guard unsafe ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
