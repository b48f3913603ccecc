/// Reports when a file is written to, by this process or another.
///
/// The initializers fail if the system cannot watch, so callers must also poll regularly.
package final class FileWatch {
  /// A descriptor that becomes readable when the file is written to.
  package let raw: CInt

  /// Watches a file; nil if it does not exist, or cannot be watched.
  ///
  /// The events are numbers here, because their macros have another type on each platform.
  package convenience init?(_ path: String) {
    // IN_MODIFY
    self.init(path, events: 0x2)
  }

  /// Watches all files in a folder, including those that are added, removed or replaced.
  package convenience init?(folder path: String) {
    // IN_MODIFY, IN_MOVED_TO, IN_CREATE, IN_DELETE
    self.init(path, events: 0x2 | 0x80 | 0x100 | 0x200)
  }

  private init?(_ path: String, events: UInt32) {
    #if os(Linux)
      raw = inotify_init1(CInt(O_NONBLOCK | O_CLOEXEC))
      guard raw >= 0 else { return nil }
      guard unsafe inotify_add_watch(raw, path, events) >= 0 else { return nil }
    #else
      return nil
    #endif
  }

  deinit { _ = systemClose(raw) }

  /// Whether the file has been written to since the last call.
  package func takeChange() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var hasChanged = false
    while unsafe systemRead(raw, &bytes, bytes.count) > 0 { hasChanged = true }
    return hasChanged
  }
}

/// A stamp that shows whether a path still leads to the same file, and whether the file was written to.
package struct FileStamp: Equatable, Sendable {
  /// Device and inode: equal as long as the file is not replaced.
  package struct Identity: Equatable, Sendable {
    fileprivate let device: UInt64
    fileprivate let number: UInt64
  }

  package let identity: Identity
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// Size and time of the last change, which stay the same if the file system is mounted again.
  package var text: String { "\(size) \(seconds).\(nanoseconds)" }

  /// The time of the last change since 1970, in whole seconds.
  package var changed: Duration { .seconds(seconds) }

  /// The stamp of the file at a path; nil if it does not exist.
  package init?(of path: String) {
    var file = stat()
    guard unsafe stat(path, &file) == 0 else { return nil }
    self.init(file)
  }

  /// Creates the stamp of an open file.
  init?(of source: borrowing Descriptor) {
    var file = stat()
    guard unsafe fstat(source.raw, &file) == 0 else { return nil }
    self.init(file)
  }

  private init(_ file: stat) {
    identity = Identity(device: UInt64(truncatingIfNeeded: file.st_dev), number: UInt64(file.st_ino))
    size = Int64(file.st_size)
    #if canImport(Darwin)
      let changed = file.st_mtimespec
    #else
      let changed = file.st_mtim
    #endif
    (seconds, nanoseconds) = (changed.tv_sec, changed.tv_nsec)
  }
}
