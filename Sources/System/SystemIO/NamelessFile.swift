/// A file without a name: it is gone with the process, however that ends, unless it is given one.
enum NamelessFile {
  /// Opens one to read and write; nil where the system, or the file system of the folder, has none that could be named.
  static func open(in folder: String, _ mode: mode_t) -> CInt? {
    #if os(Linux)
      // O_TMPFILE, a macro that the importer cannot read, is this flag and O_DIRECTORY.
      let raw = systemOpen(folder, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, mode)
      if raw >= 0, unsafe access(place(of: raw), F_OK) == 0 { return raw }
      if raw >= 0 { _ = systemClose(raw) }
    #endif
    return nil
  }

  /// Gives it a name that nothing has yet; false, with errno set, where that fails.
  static func name(_ raw: CInt, _ path: String) -> Bool {
    unsafe linkat(AT_FDCWD, place(of: raw), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
  }

  private static func place(of raw: CInt) -> String { "/proc/self/fd/\(raw)" }
}
