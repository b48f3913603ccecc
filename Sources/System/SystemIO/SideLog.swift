package import JSONLines

/// A file to which a run appends a log; the run continues if the file can no longer be written.
///
/// Only its owner can read the file. Other files are not replaced: an existing file must be of the same kind.
package final class SideLog {
  /// The kind of a log, and how to recognize a file of that kind.
  package struct Kind: Sendable {
    package let name: String
    /// Whether only one run at a time writes to the file, and empties it first; otherwise all runs append.
    let isOfOneRun: Bool
    /// Whether a file that begins with these lines is of this kind; the last line may be cut.
    let includes: @Sendable ([Substring]) -> Bool

    package init(_ name: String, isOfOneRun: Bool, includes: @escaping @Sendable ([Substring]) -> Bool) {
      (self.name, self.isOfOneRun, self.includes) = (name, isOfOneRun, includes)
    }
  }

  package let kind: Kind
  private let file: Descriptor
  /// The error that stopped the log; nil while it can be written.
  package private(set) var failure: SystemError?

  /// Opens a file of that kind, an empty or missing file, a device, or a pipe that has a reader.
  ///
  /// Any other file is refused as `cannotCreate`, and a file that another run writes to as `storeBusy`; both
  /// stay unchanged.
  package init(_ path: String, _ kind: Kind) throws(Diagnostic) {
    self.kind = kind
    let isOurs: Bool
    do throws(SystemError) {
      file = try Descriptor.logging(to: path)
      if kind.isOfOneRun { try file.lock() }
      isOurs = if file.size == 0 { true } else { try Self.isOf(kind, path) }
      if isOurs { try file.takeOver(emptying: kind.isOfOneRun) }
    } catch {
      var diagnostic = Diagnostic(error)
      if error.code == ENXIO { diagnostic.hint = "start the reader of the pipe first" }
      throw diagnostic
    }
    guard isOurs else {
      throw Diagnostic(
        .cannotCreate, "not written: the content of the file is not a \(kind.name)", file: path,
        hint: "give another name")
    }
  }

  private static func isOf(_ kind: Kind, _ path: String) throws(SystemError) -> Bool {
    let head = try ByteInput.beginning(of: path, limit: 4_096)
    return kind.includes(String(decoding: head, as: UTF8.self).split(separator: "\n"))
  }

  package func write(_ bytes: Span<UInt8>) {
    guard failure == nil, !bytes.isEmpty else { return }
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      failure = error
    }
  }
}

extension Descriptor {
  /// Opens a file, a device or an open stream for appending; a new file gets mode 0600.
  ///
  /// A pipe without a reader is an error, because this function does not wait for a reader.
  fileprivate static func logging(to path: String) throws(SystemError) -> Descriptor {
    try OpenStream.requireInherited(path, for: .create)
    let raw = systemOpen(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
    // Make the descriptor blocking, so that a slow reader gets all lines.
    _ = fcntl(raw, F_SETFL, fcntl(raw, F_GETFL) & ~O_NONBLOCK)
    return Descriptor(owning: raw, name: path)
  }

  /// Locks a regular file against other runs while it is open, if the system supports locks.
  fileprivate borrowing func lock() throws(SystemError) {
    guard kind == .regular, flock(raw, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    throw SystemError(.lock, name, code: errno)
  }

  /// Sets the mode of a regular file to 0600.
  fileprivate borrowing func takeOver(emptying: Bool) throws(SystemError) {
    guard kind == .regular else { return }
    guard fchmod(raw, 0o600) == 0, !emptying || ftruncate(raw, 0) == 0 else {
      throw SystemError(.create, name, code: errno)
    }
  }
}
