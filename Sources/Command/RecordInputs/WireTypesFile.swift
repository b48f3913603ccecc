package import CommandLine
import JSONLines
package import SyncCore
package import SystemIO

/// The file to which unpack adds types.
package struct WireTypesFile {
  private let path: String
  private let isPrivate: Bool
  /// The console for reporting a full file; nil for a run without a console.
  private let console: Console?
  private var saved: [UInt8]
  private var isFull = false

  /// The maximum size of the file in bytes, for reading and for writing.
  private static let limit = 64 << 20

  package var types: WireTypes

  /// The file of types that the peers of a store sent; like the store, it is private to its owner.
  package init(besideStore store: String, _ console: Console? = nil) throws {
    let path = Places.types(besideStore: store)
    if FileMode.isForAll(path) {
      throw Diagnostic(
        .looseSecretFile, "anyone can write to the file", file: path,
        hint: "chmod 600 \(ShellWord.path(path))")
    }
    try self.init(path, isPrivate: true, console)
  }

  /// Returns a copy of a store's file of types for a copy of that store; nil if there is nothing to write.
  ///
  /// The caller commits the copy, which then replaces an earlier one. With `keepingOld` an earlier copy stays
  /// if the store does not have types. Another file with that name is an error.
  package static func copy(
    besideStore store: String, to copy: String, keepingOld: Bool = false
  ) throws -> AtomicFile? {
    let (source, target) = (try Self(Places.types(besideStore: store)), Places.types(besideStore: copy))
    if source.saved.isEmpty, keepingOld || !FileMode.exists(target) { return nil }
    // Do not open the store itself: closing a second descriptor would release its locks.
    guard FileMode.isFile(target), !FileMode.isSameFile(store, target), (try? Self(target)) != nil else {
      throw Diagnostic(
        .cannotCreate, "not replaced: it does not have the types of a store", file: target,
        hint: "move the file, or give another name")
    }
    let file = try AtomicFile(creating: target, mode: 0o600)
    try file.write(source.saved.span)
    return file
  }

  /// A missing file counts as a file without types.
  package init(_ path: String, isPrivate: Bool = false, _ console: Console? = nil) throws {
    (self.path, self.isPrivate, self.console) = (path, isPrivate, console)
    saved = try Self.contents(of: path)
    types = try Self.types(in: saved, of: path)
  }

  /// Reads the file again after a wait, because other processes may have added types.
  package mutating func reload() throws { self = try Self(path, isPrivate: isPrivate, console) }

  private static func contents(of path: String) throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
      return try ByteInput.contents(of: path, limit: limit)
    } catch {
      guard error.isMissing else { throw error }
      return []
    }
  }

  private static func types(in bytes: [UInt8], of path: String) throws -> WireTypes {
    bytes.isEmpty ? WireTypes() : try WireTypes(bytes, file: path)
  }

  /// Adds the new types to the file, and keeps types that other processes have added meanwhile.
  ///
  /// A larger file could not be read, so a full file keeps its types and does not get new ones.
  package mutating func save() throws {
    let present = try Self.contents(of: path)
    if present != saved, !present.isEmpty {
      try types.addMissing(of: WireTypes(present, file: path), since: Self.types(in: saved, of: path))
      saved = present
    }
    let bytes = try fitting()
    guard bytes != saved else { return }
    let file = try AtomicFile(creating: path, mode: isPrivate ? 0o600 : 0o666)
    try file.write(bytes.span)
    try file.commit()
    saved = bytes
  }

  /// The text of the file; reports once that it is full.
  private mutating func fitting() throws -> [UInt8] {
    var bytes: [UInt8] = []
    types.append(to: &bytes)
    guard bytes.count > Self.limit else {
      isFull = false
      return bytes
    }
    let old = try Self.types(in: saved, of: path)
    bytes.removeAll(keepingCapacity: true)
    types.fitting(Self.limit, keeping: old).append(to: &bytes)
    if !isFull {
      console?.warn(
        "\(path) is full: new types are not added",
        hint: "remove the exceptions of records that no longer exist")
    }
    isFull = true
    return bytes
  }

  /// The types in the file, extended by the types that a peer sends.
  package var memory: WireTypes.Memory {
    var (file, last) = (self, types)
    let keep = { (learned: WireTypes) in
      // A session does not know the types that other processes have added to the file.
      var all = learned
      all.addMissing(of: file.types, since: last)
      (file.types, last) = (all, learned)
      try file.save()
    }
    var stamp: FileStamp?
    let reread = { [path] () throws -> WireTypes? in
      let present = FileStamp(of: path)
      guard present != stamp else { return nil }
      stamp = present
      return try Self.types(in: Self.contents(of: path), of: path)
    }
    return (types, keep, reread)
  }
}

extension WireTypes {
  package init(file: String) throws { try self.init(ByteInput.contents(of: file), file: file) }

  package init(_ bytes: [UInt8], file: String) throws {
    do throws(WireFailure) {
      try self.init(parsing: bytes.span)
    } catch {
      throw Diagnostic(error, in: file, text: bytes.span)
    }
  }
}

extension Diagnostic {
  /// A failure in a line, or in an entry that begins on that line.
  package init(_ failure: WireFailure, in file: String, line: Int? = nil) {
    self.init(failure, file: file, line: line)
  }

  /// A failure in a file that is one JSON text; if it is not JSON, the line of the error is reported.
  package init(_ failure: WireFailure, in file: String, text: Span<UInt8>) {
    guard case .member(let cause) = failure.error, case .json(let error) = cause.fault else {
      self.init(failure, in: file)
      hint = nil
      return
    }
    var lines = WireLines()
    let (line, failure) = lines.failure(error, in: text)
    self.init(failure, in: file, line: line)
  }
}
