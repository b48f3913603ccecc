// Who, besides the owner, can read or replace a file.
extension FileMode {
  /// Why others can read a secret in this file, and the remedy; nil if only the owner can.
  ///
  /// If `path` is a link, this checks its target and the target's folder. Open streams are not checked:
  /// access to them was decided when they were opened.
  package static func looseness(ofSecret path: String) throws(SystemError) -> (
    problem: String, remedy: String
  )? {
    if OpenStream.number(path) != nil { return nil }
    let path = resolved(path)
    var file = stat()
    guard unsafe stat(path, &file) == 0 else { throw SystemError(.open, path, code: errno) }
    if file.st_mode & S_IFMT == S_IFDIR { throw SystemError(.open, path, code: EISDIR) }
    // Accept a device: it does not store data, and we must not change its mode.
    if file.st_mode & S_IFMT == S_IFCHR { return nil }
    let owners: [uid_t] = [geteuid(), 0]
    if !owners.contains(file.st_uid) { return ("the file belongs to another user", "chown it to yourself") }
    if file.st_mode & 0o077 != 0 {
      return ("others have access to the file", "chmod 600 \(ShellWord.path(path))")
    }
    return try looseness(ofFolderOf: path)
  }

  /// Why others could replace a secret that is not written yet, and the remedy; nil if they could not.
  ///
  /// Only its folder matters, because the file will be 0600.
  ///
  /// Files other than regular ones already exist, so their mode is not checked.
  package static func looseness(ofNewSecret path: String) throws(SystemError) -> (
    problem: String, remedy: String
  )? {
    let target = resolved(path)
    // Do not report a missing folder here: the writer reports it.
    if OpenStream.number(path) != nil || !isFile(path) || !exists(folder(of: target)) { return nil }
    return try looseness(ofFolderOf: target)
  }

  /// Why others can read standard output that is written to a file, and the remedy; nil if only the owner
  /// can.
  package static var loosenessOfStandardOutput: (problem: String, remedy: String)? {
    var file = stat()
    guard unsafe fstat(STDOUT_FILENO, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { return nil }
    let owners: [uid_t] = [geteuid(), 0]
    if !owners.contains(file.st_uid) {
      return ("the file belongs to another user", "write to a new file, with umask 077")
    }
    if file.st_mode & 0o077 == 0 { return nil }
    return (
      "others can read the file",
      "remove the file, and run the command with umask 077, so that only you can read the new file"
    )
  }

  /// Whether everyone may write to a regular file.
  package static func isForAll(_ path: String) -> Bool {
    information(path).map { $0.st_mode & S_IFMT == S_IFREG && $0.st_mode & 0o002 != 0 } ?? false
  }

  /// The folder of a file, if everyone may replace the file; nil otherwise.
  ///
  /// In a folder with the sticky bit, such as /tmp, only the owner of a file may replace it.
  package static func openFolder(of path: String) -> String? {
    let folder = folder(of: target(of: path))
    guard let mode = mode(of: folder), mode & 0o002 != 0, mode & S_ISVTX == 0 else { return nil }
    return folder
  }

  private static func looseness(ofFolderOf path: String) throws(SystemError) -> (
    problem: String, remedy: String
  )? {
    let owners: [uid_t] = [geteuid(), 0]
    var parent = stat()
    guard unsafe stat(folder(of: path), &parent) == 0 else { throw SystemError(.open, path, code: errno) }
    guard owners.contains(parent.st_uid) else {
      return ("the file's folder belongs to another user", "move it into a folder of your own, of mode 0700")
    }
    // A user who can only read the folder sees the file's name, but cannot read or replace the file.
    if parent.st_mode & 0o022 == 0 { return nil }
    let isShared = parent.st_mode & S_ISVTX != 0 || parent.st_uid != geteuid() || isOfSystem(folder(of: path))
    return (
      "others can write to the file's folder",
      isShared
        ? "move it into a folder of your own, of mode 0700" : "chmod go-w \(ShellWord.path(folder(of: path)))"
    )
  }

  /// Whether a folder belongs to the system; we do not suggest to change its mode.
  private static func isOfSystem(_ folder: String) -> Bool {
    let parts = absolute(folder).split(separator: "/")
    let roots: [Substring] = ["bin", "boot", "dev", "etc", "lib", "proc", "run", "sbin", "sys", "usr"]
    return parts.count < 2 || parts.first.map(roots.contains) ?? true
  }
}
