/// Folders that only their owner can look into.
package enum PrivateFolder {
  /// Makes the folder with mode 0700, and those above it that are missing; one that exists stays as it is.
  package static func make(_ path: String) throws(SystemError) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path.contains("/") else { throw SystemError(.create, path, code: errno) }
    let parent = FileMode.folder(of: path)
    guard parent != path else { throw SystemError(.create, path, code: ENOENT) }
    try make(parent)
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw SystemError(.create, path, code: errno)
    }
  }
}
