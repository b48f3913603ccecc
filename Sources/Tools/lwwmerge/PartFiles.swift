import JSONLines
import SystemIO

/// A new folder with one file per part, which appears under its name when all of them are complete.
final class PartFiles {
  private final class PartFile {
    let path: String
    private var descriptor: Descriptor
    var buffer: [UInt8] = []

    init(_ path: String) throws(SystemError) {
      self.path = path
      descriptor = try .creating(path)
    }

    func finish() throws(SystemError) {
      try flush()
      try descriptor.sync()
      try descriptor.close()
    }

    func flush() throws(SystemError) {
      let bytes = buffer
      try descriptor.write(bytes.span)
      buffer = []
    }
  }

  private let folder: String
  private let temporary: String
  private var files: [PartFile] = []
  private var isComplete = false

  /// The bytes of a file that are collected in memory before they are written.
  private let bufferSize: Int

  /// Uses up to a quarter of `memory` for buffers, and at least a page for each file.
  init(_ count: Int, _ name: String, memory: Int) throws {
    bufferSize = min(64 << 10, max(4 << 10, memory / 4 / count))
    var path = FileMode.absolute(name)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    folder = path
    let isFile = FileMode.exists(folder) && FileMode.isFile(folder)
    if try isFile || FileMode.entries(of: folder).contains(where: { $0 != "." && $0 != ".." }) {
      throw Diagnostic(
        .cannotCreate, isFile ? "not a folder" : "the folder is not empty", file: name,
        hint: "name another folder, or remove this one")
    }
    if FileMode.exists(folder), FileMode.absolute(".") == folder {
      throw Diagnostic(
        .cannotCreate, "the current folder would be replaced", file: name, hint: "name another folder")
    }
    temporary = "\(folder).\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).temporary"
    // An existing folder may be private, so others must not be able to read the new files in the meantime.
    try PrivateFolder.make(temporary, mode: FileMode.exists(folder) ? 0o700 : 0o777)
    let width = max(3, "\(count - 1)".utf8.count)
    for part in 0..<count {
      let digits = "\(part)"
      let zeros = String(repeating: "0", count: width - digits.utf8.count)
      files.append(try PartFile("\(temporary)/part-\(zeros)\(digits).jsonl"))
    }
  }

  func append(_ bytes: [UInt8], to part: Int) throws(SystemError) {
    files[part].buffer += bytes
    if files[part].buffer.count >= bufferSize { try files[part].flush() }
  }

  /// Makes the folder visible under its name, durably.
  func commit() throws(SystemError) {
    for file in files { try file.finish() }
    FileMode.sync(folder: temporary)
    if FileMode.exists(folder) { FileMode.giveOwnerAndMode(of: folder, to: temporary) }
    try FileMode.rename(temporary, to: folder)
    isComplete = true
    FileMode.sync(folder: FileMode.folder(of: folder))
  }

  deinit {
    guard !isComplete else { return }
    for file in files { FileMode.remove(file.path) }
    PrivateFolder.remove(temporary)
  }
}
