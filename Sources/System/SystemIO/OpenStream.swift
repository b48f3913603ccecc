/// Streams that a process has been given open, and that have a name among files.
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

  /// Whether a path leads to standard input: by its name, or to the pipe or socket that it is.
  package static func isStandardInput(_ path: String) -> Bool {
    if path == "-" || number(path) == STDIN_FILENO { return true }
    var (file, input) = (stat(), stat())
    guard unsafe stat(path, &file) == 0, unsafe fstat(STDIN_FILENO, &input) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(file.st_mode & S_IFMT) && file.st_dev == input.st_dev
      && file.st_ino == input.st_ino
  }
}
