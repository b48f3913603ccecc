/// A file that appears whole or not at all: written beside its place, synced, and renamed.
///
/// What is no regular file (a pipe, `/dev/stderr`) is written to directly.
package struct AtomicFile: ~Copyable {
  private let path: String
  private let temporary: String?
  private var descriptor: Descriptor
  private var output: [UInt8] = []

  /// Creates with `mode` less the umask; a link is followed, so that it goes on pointing to the file.
  package init(creating path: String, mode: mode_t = 0o666) throws(SystemError) {
    let target = Self.resolved(path)
    self.path = target
    if FileMode.isSpecial(target) {
      let raw = unsafe open(target, O_WRONLY | O_CLOEXEC)
      guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
      temporary = nil
      descriptor = Descriptor(owning: raw, name: path)
      return
    }
    let name = "\(target).\(getpid()).part"
    let raw = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
    temporary = name
    descriptor = Descriptor(owning: raw, name: path)
  }

  package mutating func write(_ bytes: Span<UInt8>) throws(SystemError) {
    unsafe bytes.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    if output.count >= 64 << 10 { try flush() }
  }

  /// Makes the file visible under its name, durably.
  package mutating func commit() throws(SystemError) {
    try flush()
    guard let temporary else { return try descriptor.close() }
    guard fsync(descriptor.raw) == 0 else { throw SystemError(.write, path, code: errno) }
    try descriptor.close()
    guard unsafe rename(temporary, path) == 0 else { throw SystemError(.create, path, code: errno) }
    syncFolder()
  }

  /// Once committed the temporary name is gone, and the unlink finds nothing.
  deinit {
    if let temporary { _ = unsafe unlink(temporary) }
  }

  private mutating func flush() throws(SystemError) {
    try descriptor.write(output.span)
    output.removeAll(keepingCapacity: true)
  }

  /// Some file systems cannot sync a folder; the rename itself has succeeded by then.
  private func syncFolder() {
    let folder = FileMode.folder(of: path)
    let raw = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { return }
    _ = fsync(raw)
    _ = systemClose(raw)
  }

  private static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
