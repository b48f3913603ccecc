/// Says when a file is written to, by this process or another.
///
/// There is none where the system cannot tell: whoever wants to know has to look now and then as well.
package final class FileWatch {
  /// Readable once the file has been written to.
  package let raw: CInt

  /// Nil where the file does not exist, or there is no way to be told.
  package init?(_ path: String) {
    #if os(Linux)
      raw = inotify_init1(CInt(O_NONBLOCK | O_CLOEXEC))
      guard raw >= 0 else { return nil }
      // IN_MODIFY; the macro is imported as another type on every platform.
      guard unsafe inotify_add_watch(raw, path, 0x2) >= 0 else { return nil }
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
