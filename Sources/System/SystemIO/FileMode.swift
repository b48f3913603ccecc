/// Functions for a file's kind, owner and permissions.
package enum FileMode {
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

  /// Whether two paths lead to one regular file, even by different names; `-` is standard input.
  package static func isSameFile(_ a: String, _ b: String) -> Bool {
    guard let a = information(a), let b = information(b) else {
      return a != "-" && b != "-" && isSamePlace(resolved(a), resolved(b))
    }
    return a.st_mode & S_IFMT == S_IFREG && a.st_dev == b.st_dev && a.st_ino == b.st_ino
  }

  /// Whether two files that do not exist yet would be the same.
  private static func isSamePlace(_ a: String, _ b: String) -> Bool {
    guard name(of: a) == name(of: b) else { return false }
    guard let a = information(folder(of: a)), let b = information(folder(of: b)) else { return a == b }
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino
  }

  /// The size in bytes of a regular file; 0 for other files.
  package static func size(of path: String) -> Int {
    guard path != "-", let file = information(path), file.st_mode & S_IFMT == S_IFREG else { return 0 }
    return Int(file.st_size)
  }

  /// Whether this process may write to a file, or make files in a folder.
  package static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

  /// Whether a file is on a read-only file system.
  package static func isOnReadOnlySystem(_ path: String) -> Bool {
    unsafe access(path, W_OK) != 0 && errno == EROFS
  }

  package static func exists(_ path: String) -> Bool { mode(of: path) != nil }

  /// The error if the permissions of a file, or of a folder above it, do not let this process read it.
  package static func denial(of path: String) -> SystemError? {
    guard unsafe access(path, R_OK) != 0, errno == EACCES else { return nil }
    return SystemError(.open, path, code: EACCES)
  }

  /// Whether a file exists, or the permissions hide whether it does.
  package static func mayExist(_ path: String) -> Bool { exists(path) || denial(of: path) != nil }

  /// The hint for a file with a ``denial(of:)``; nil for any other file.
  package static func denialHint(_ path: String) -> String? {
    denial(of: path).map { _ in
      "run the command as the owner of the file, or check the permissions of the file and of its folders"
    }
  }

  /// The free bytes of a file's file system for this user; nil if unknown.
  package static func freeSpace(for path: String) -> Int64? {
    var system = statvfs()
    guard unsafe statvfs(path, &system) == 0 else { return nil }
    return Int64(
      clamping: UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize)).partialValue)
  }

  /// Makes an empty file, and missing folders above it, accessible only to their owner; existing ones are
  /// unchanged.
  package static func createPrivate(_ path: String) throws(SystemError) {
    if exists(path) { return }
    try PrivateFolder.make(folder(of: path))
    let raw = systemOpen(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
    _ = systemClose(raw)
  }

  /// Makes an empty file that only its owner can read; false if the name is taken.
  package static func createNew(_ path: String) throws(SystemError) -> Bool {
    try PrivateFolder.make(folder(of: path))
    let raw = systemOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if raw < 0, errno == EEXIST { return false }
    guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
    _ = systemClose(raw)
    return true
  }

  private static func information(_ path: String) -> stat? {
    var file = stat()
    let result = path == "-" ? unsafe fstat(STDIN_FILENO, &file) : unsafe stat(path, &file)
    return result == 0 ? file : nil
  }

  /// Kind and permissions of the file that `path` leads to; nil if it does not exist.
  static func mode(of path: String) -> mode_t? {
    var file = stat()
    return unsafe stat(path, &file) == 0 ? file.st_mode : nil
  }

  /// The permissions of a file; those of a new file if it does not exist.
  package static func permissions(of path: String) -> mode_t { mode(of: path).map { $0 & 0o7777 } ?? 0o666 }

  /// Sets the owner, group and permissions of a file to those of another file, as far as this process may.
  package static func giveOwnerAndMode(of path: String, to other: String) {
    var file = stat()
    guard unsafe stat(path, &file) == 0 else { return }
    // The group can often be set even if the owner cannot.
    if unsafe chown(other, file.st_uid, file.st_gid) != 0 { _ = unsafe chown(other, uid_t.max, file.st_gid) }
    var mode = file.st_mode & 0o7777
    // If the group differs, it gets at most the permissions of others.
    if information(other)?.st_gid != file.st_gid { mode = mode & ~0o2070 | mode & (mode & 0o007) << 3 }
    _ = unsafe chmod(other, mode)
  }

  /// Whether the path is a regular file, or free for a new file.
  package static func isFile(_ path: String) -> Bool {
    path != "-" && mode(of: path).map { $0 & S_IFMT == S_IFREG } ?? true
  }

  /// Whether the path leads to a folder.
  package static func isFolder(_ path: String) -> Bool {
    mode(of: path).map { $0 & S_IFMT == S_IFDIR } ?? false
  }

  /// The path with all links followed, even to a file that does not exist yet; otherwise unchanged.
  package static func resolved(_ path: String) -> String { resolved(path, links: 40) }

  /// The file that is written for a path, with all links followed, and its kind and permissions; nil if it
  /// does not exist yet.
  ///
  /// Throws if the file cannot be reached: otherwise the new file would replace a link to it.
  static func destination(of path: String) throws(SystemError) -> (path: String, mode: mode_t?) {
    let target = resolved(path)
    var file = stat()
    guard unsafe lstat(target, &file) == 0 else {
      if errno == ENOENT { return (target, nil) }
      throw SystemError(.create, path, code: errno)
    }
    if file.st_mode & S_IFMT == S_IFLNK {
      // If its target can be reached, the target's name is not text.
      throw SystemError(.create, path, code: unsafe stat(target, &file) == 0 ? EILSEQ : errno)
    }
    return (target, file.st_mode)
  }

  /// The path from the root on, with all links followed as far as it exists.
  ///
  /// It is relative if the name of the current folder is not text.
  package static func absolute(_ path: String) -> String {
    let path = resolved(path)
    // The current folder remains only if its name is not text.
    if path == "." || path.hasPrefix("/") && exists(path) { return path }
    let (parent, last) = (absolute(folder(of: path)), name(of: path))
    switch last {
    case "", ".": return parent
    case "..": return folder(of: parent)
    default: return parent == "/" ? "/\(last)" : "\(parent)/\(last)"
    }
  }

  /// Whether a symbolic link is part of a path.
  package static func hasLink(_ path: String) -> Bool {
    let parent = folder(of: path)
    return link(path) != nil || parent != path && hasLink(parent)
  }

  /// The path from the root on, to be stored; throws if the name of the current folder is not text.
  package static func lasting(_ path: String) throws(SystemError) -> String {
    let whole = absolute(path)
    guard whole.hasPrefix("/") else { throw SystemError(.open, path, code: EILSEQ) }
    return whole
  }

  /// The target of a symbolic link; any other path unchanged.
  package static func target(of path: String) -> String { link(path) == nil ? path : resolved(path) }

  private static func resolved(_ path: String, links: Int) -> String {
    if let real = unsafe realpath(path, nil) {
      defer { unsafe free(real) }
      // A repaired name would be that of another file.
      return unsafe String(validatingCString: real) ?? path
    }
    guard errno == ENOENT, links > 0, let next = link(path) else { return path }
    return resolved(next.hasPrefix("/") ? next : "\(folder(of: path))/\(next)", links: links - 1)
  }

  /// The target stored in a symbolic link.
  private static func link(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count > 0 && count < bytes.count ? String(validating: bytes[..<count], as: UTF8.self) : nil
  }

  /// Whether the path is a socket itself, and not a link to one.
  package static func isSocket(_ path: String) -> Bool {
    var file = stat()
    return unsafe lstat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFSOCK
  }

  /// Renames a file within its file system.
  package static func rename(_ path: String, to other: String) throws(SystemError) {
    guard systemRename(path, other) == 0 else { throw SystemError(.create, other, code: errno) }
  }

  /// Renames a file to a name that is still free.
  package static func rename(_ path: String, toNew other: String) throws(SystemError) {
    guard NewName.give(path, other) else { throw SystemError(.create, other, code: errno) }
  }

  /// Syncs the names in a folder, if its file system supports that; errors are ignored, because the rename
  /// itself has succeeded.
  package static func sync(folder: String) {
    let raw = systemOpen(folder, O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { return }
    _ = fsync(raw)
    _ = systemClose(raw)
  }

  /// Removes a file if it exists.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// The names in a folder; empty if the folder does not exist.
  package static func entries(of folder: String) throws(SystemError) -> [String] {
    guard let stream = unsafe opendir(folder) else {
      if errno == ENOENT { return [] }
      throw SystemError(.open, folder, code: errno)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    // readdir(3) returns nil at the end and after an error; only an error sets errno.
    errno = 0
    while let entry = unsafe readdir(stream) {
      // The name is an array in the middle of the structure; the name ends with a zero.
      names.append(
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe name.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
        })
      errno = 0
    }
    guard errno == 0 else { throw SystemError(.read, folder, code: errno) }
    return names
  }

  package static func name(of path: String) -> String {
    String(path[(lastSlash(of: path).map { path.utf8.index(after: $0) } ?? path.startIndex)...])
  }

  package static func folder(of path: String) -> String {
    guard let slash = lastSlash(of: path) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last slash, found as a byte: a name may begin with a scalar that forms one character with the slash.
  private static func lastSlash(of path: String) -> String.Index? {
    path.utf8.lastIndex(of: UInt8(ascii: "/"))
  }
}

/// Folders that are accessible only to their owner.
package enum PrivateFolder {
  /// Makes the folder, with the missing folders above it unless `parents` is false; existing folders are
  /// unchanged.
  ///
  /// A `mode` that includes others is reduced by the umask.
  package static func make(_ path: String, mode: mode_t = 0o700, parents: Bool = true) throws(SystemError) {
    if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, parents, path.contains("/") else { throw SystemError(.create, path, code: errno) }
    let parent = FileMode.folder(of: path)
    guard parent != path else { throw SystemError(.create, path, code: ENOENT) }
    try make(parent, mode: mode)
    guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else {
      throw SystemError(.create, path, code: errno)
    }
  }
  /// Removes an empty folder.
  package static func remove(_ path: String) { _ = unsafe rmdir(path) }
}
