/// Functions for a file's kind, owner and permissions.
package enum FileMode {
  /// Whether two paths lead to one regular file, even by different names; `-` is standard input.
  package static func isSameFile(_ a: String, _ b: String) -> Bool {
    guard let a = information(a), let b = information(b) else {
      return a != "-" && b != "-" && isSamePlace(resolved(a), resolved(b))
    }
    return a.st_mode & S_IFMT == S_IFREG && a.st_dev == b.st_dev && a.st_ino == b.st_ino
  }

  /// Whether two files that do not exist yet would be the same.
  private static func isSamePlace(_ a: String, _ b: String) -> Bool {
    // File systems distinguish the Unicode forms of a name.
    guard name(of: a).utf8.elementsEqual(name(of: b).utf8) else { return false }
    guard let a = information(folder(of: a)), let b = information(folder(of: b)) else {
      return a.utf8.elementsEqual(b.utf8)
    }
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

  /// Whether a file does not exist, or is a regular file without content.
  package static func isMissingOrEmpty(_ path: String) -> Bool {
    mayExist(path) ? exists(path) && isFile(path) && size(of: path) == 0 : true
  }

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

  /// Whether two existing files are on one file system.
  package static func areOnOneDisk(_ a: String, _ b: String) -> Bool {
    guard let a = information(a), let b = information(b) else { return false }
    return a.st_dev == b.st_dev
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

  static func information(_ path: String) -> stat? {
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

  /// The path itself, and the kind and permissions of the regular file or folder there; nil for anything else.
  static func place(_ path: String) -> (path: String, mode: mode_t?) {
    var file = stat()
    guard unsafe lstat(path, &file) == 0, [S_IFREG, S_IFDIR].contains(file.st_mode & S_IFMT) else {
      return (path, nil)
    }
    return (path, file.st_mode)
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
}

/// Folders that are accessible only to their owner.
package enum PrivateFolder {
  /// Makes the folder, with the missing folders above it unless `parents` is false; existing folders are
  /// unchanged.
  ///
  /// A `mode` that includes others is reduced by the umask.
  package static func make(_ path: String, mode: mode_t = 0o700, parents: Bool = true) throws(SystemError) {
    if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, parents, path.utf8.contains(UInt8(ascii: "/")) else {
      throw SystemError(.create, path, code: errno)
    }
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
