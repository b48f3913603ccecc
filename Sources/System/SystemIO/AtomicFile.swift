import JSONLines

/// A file that appears only when complete: written without a name or beside its final path, synced, and
/// renamed.
///
/// If the file system allows files without a name, a killed process does not leave files behind.
///
/// Files that are not regular are written to directly, and so are open streams: `-` and `/dev/stdout` mean
/// standard output, and `/dev/stderr` and an inherited `/dev/fd/3` mean those descriptors.
///
/// It is a class, because an optional of a noncopyable struct is destroyed through metadata made at run-time.
package final class AtomicFile {
  private let path: String
  /// The temporary path of the file; nil if the file is written to directly, or does not have a name yet.
  package private(set) var temporary: String?
  private var isNameless = false
  private var descriptor: Descriptor
  private var output: [UInt8] = []
  /// Whether control sequences are kept on a terminal.
  private let isDrawing: Bool

  /// Creates the file with `mode` less the umask, or with the permissions in `mode` that the replaced file
  /// has.
  ///
  /// A link is followed and not replaced. With `isNamed` a regular file has the name `temporary` from the
  /// beginning, for a library that opens it by name. With `replacingAny` a link, a pipe, a socket or a device is
  /// replaced, because others can write to the folder.
  package init(
    creating path: String, mode: mode_t = 0o666, isNamed: Bool = false, isDrawing: Bool = false,
    replacingAny: Bool = false
  ) throws(SystemError) {
    let (target, raw, kind) = try Self.open(path, mode, isNamed, replacingAny)
    self.isDrawing = isDrawing
    self.path = target
    descriptor = Descriptor(owning: raw, name: path)
    switch kind {
    case .stream: break
    case .nameless: isNameless = true
    case .named(let temporary): self.temporary = temporary
    }
  }

  private enum Kind {
    case stream, nameless
    case named(String)
  }

  /// Removes leftovers of killed writers of the file; other writers must not be active.
  ///
  /// With `age` other writers may be active, and files that were changed more recently stay.
  package static func removeLeftovers(of path: String, olderThan age: Duration? = nil) {
    let target = FileMode.resolved(path)
    let folder = FileMode.folder(of: target)
    // If the folder cannot be listed, the leftovers stay.
    let start = "\(FileMode.name(of: target))."
    for entry in (try? FileMode.entries(of: folder)) ?? [] where entry.utf8.starts(with: start.utf8) {
      // A database library makes further files beside the temporary file.
      let end = ["", "-wal", "-shm", "-journal"].map { suffix + $0 }.first { entry.endsInBytes(of: $0) }
      guard let end else { continue }
      let mark = entry.utf8.dropFirst(start.utf8.count).dropLast(end.utf8.count)
      // Earlier versions did not pad the mark.
      let isOurs =
        (11...markLength).contains(mark.count)
        && mark.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
      let place = "\(folder)/\(entry)"
      if isOurs, age.map({ isOlder(place, than: $0) }) ?? true { remove(place) }
    }
  }

  private static func isOlder(_ path: String, than age: Duration) -> Bool {
    guard let stamp = FileStamp(of: path) else { return false }
    return Duration.seconds(SystemClock.wallTime().seconds) - stamp.changed > age
  }

  /// Removes a file, if it exists.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  private static let suffix = ".part"
  /// The number of digits of the largest mark.
  private static let markLength = 13

  private static func open(
    _ path: String, _ mode: mode_t, _ isNamed: Bool, _ replacingAny: Bool
  ) throws(SystemError) -> (target: String, raw: CInt, kind: Kind) {
    if let number = path == "-" ? STDOUT_FILENO : OpenStream.number(path) {
      try OpenStream.requireInherited(path, for: .create)
      let raw = fcntl(number, F_DUPFD_CLOEXEC, 0)
      guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
      return (path, raw, .stream)
    }
    let (target, old) = try replacingAny ? FileMode.place(path) : FileMode.destination(of: path)
    if old.map({ $0 & S_IFMT == S_IFDIR }) == true { throw SystemError(.create, path, code: EISDIR) }
    var kind = Kind.stream
    let raw: CInt
    if let old, old & S_IFMT != S_IFREG {
      raw = systemOpen(target, O_WRONLY | O_CLOEXEC)
    } else if !isNamed, let nameless = NamelessFile.open(in: FileMode.folder(of: target), mode) {
      raw = nameless
      kind = .nameless
    } else {
      let name = temporaryName(target)
      raw = systemOpen(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      kind = .named(name)
    }
    guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
    if case .stream = kind {} else if let old { _ = fchmod(raw, old & mode) }
    return (target, raw, kind)
  }

  /// A random temporary name, without the process id: in a container every run has the same process id, so
  /// leftovers of a killed run would have the same name.
  ///
  /// All marks have the same length, so that `NAME.1.part` stays a name for the user's own files.
  package static func temporaryName(_ target: String) -> String {
    let mark = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return "\(target).\(String(repeating: "0", count: markLength - mark.utf8.count))\(mark)\(suffix)"
  }

  package func write(_ bytes: Span<UInt8>) throws(SystemError) {
    unsafe bytes.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    if output.count >= 64 << 10 { try flush() }
  }

  /// Makes the file visible under its name, durably; without `replacing`, an existing file of that name is
  /// kept.
  package func commit(replacing: Bool = true) throws(SystemError) {
    try flush()
    guard isNameless || temporary != nil else { return try descriptor.close() }
    try descriptor.sync()
    if isNameless {
      if !replacing, NamelessFile.name(descriptor.raw, path) || errno == EEXIST {
        try descriptor.close()
        return syncFolder()
      }
      try giveName()
    }
    try descriptor.close()
    guard let temporary else { return syncFolder() }
    let isThere = replacing ? systemRename(temporary, path) == 0 : NewName.give(temporary, path)
    guard isThere || !replacing && errno == EEXIST else { throw SystemError(.create, path, code: errno) }
    syncFolder()
  }

  /// Gives the file its final name if that is free, otherwise a temporary name to be renamed later.
  private func giveName() throws(SystemError) {
    if NamelessFile.name(descriptor.raw, path) { return }
    let name = Self.temporaryName(path)
    guard NamelessFile.name(descriptor.raw, name) else { throw SystemError(.create, path, code: errno) }
    temporary = name
  }

  /// After a commit the temporary name no longer exists, so the unlink is harmless.
  deinit {
    if let temporary { _ = unsafe unlink(temporary) }
  }

  private func flush() throws(SystemError) {
    do {
      // A span of a property of a class cannot be passed on. This copy is released before the array changes
      // again.
      let written = output
      if isDrawing { try descriptor.write(drawing: written.span) } else { try descriptor.write(written.span) }
    }
    output.removeAll(keepingCapacity: true)
  }

  private func syncFolder() { FileMode.sync(folder: FileMode.folder(of: path)) }
}

/// Gives a file a name that is still free.
enum NewName {
  /// Renames a file to a free name; false, with errno set, if the name is taken.
  ///
  /// On a file system without links, such as FAT, a file that is created between check and rename is
  /// replaced.
  static func give(_ path: String, _ name: String) -> Bool {
    if unsafe link(path, name) == 0 { return unsafe unlink(path) == 0 }
    guard [EPERM, EINVAL, ENOSYS, ENOTSUP].contains(errno) else { return false }
    if FileMode.exists(name) {
      errno = EEXIST
      return false
    }
    return systemRename(path, name) == 0
  }
}

/// A file without a name, which disappears when the process ends unless it gets a name.
enum NamelessFile {
  /// Opens a file for reading and writing; nil if the system or the folder's file system does not support
  /// this.
  static func open(in folder: String, _ mode: mode_t) -> CInt? {
    #if os(Linux)
      // O_TMPFILE, a macro that the importer cannot read, is this flag and O_DIRECTORY.
      let raw = systemOpen(folder, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, mode)
      if raw >= 0, unsafe access(place(of: raw), F_OK) == 0 { return raw }
      if raw >= 0 { _ = systemClose(raw) }
    #endif
    return nil
  }

  /// Gives the file a name that is still free; false, with errno set, if that fails.
  static func name(_ raw: CInt, _ path: String) -> Bool {
    unsafe linkat(AT_FDCWD, place(of: raw), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
  }

  private static func place(of raw: CInt) -> String { "/proc/self/fd/\(raw)" }
}
