import JSONLines

/// A temporary file that has no name any more: it is gone with the process, however that ends.
package struct SpillFile: Sendable {
  private let file: File
  /// How many bytes have been written.
  package private(set) var size = 0

  /// Below `$TMPDIR`, else `/tmp`.
  package init() throws(SystemError) {
    let folder = Environment.value("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    if let raw = NamelessFile.open(in: folder, 0o600) {
      file = File(Descriptor(owning: raw, name: "\(folder) (temporary file)"))
      return
    }
    let path = "\(folder)/peersync.\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).spill"
    let raw = systemOpen(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
    unsafe unlink(path)
    file = File(Descriptor(owning: raw, name: "\(folder) (temporary file)"))
  }

  package mutating func append(_ bytes: Span<UInt8>) throws(SystemError) {
    try file.descriptor.write(bytes)
    size += bytes.count
  }

  /// Fills `buffer` with what comes after the first `offset` bytes.
  package func read(at offset: Int, into buffer: inout TextBuffer) throws(SystemError) {
    var offset = offset
    while !buffer.isFull {
      let count = try buffer.fill(from: file.descriptor, at: offset)
      if count == 0 { return }
      offset += count
    }
  }

  private final class File: Sendable {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }
}
