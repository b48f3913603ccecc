import JSONLines
package import SyncCore
import SystemIO

/// A folder that devices share by other means: a USB stick, a network drive, or a program that syncs files.
///
/// Every file has one writer. The sync waits for late or torn files; other files are skipped.
package struct SharedFolder: Sendable {
  package let path: String
  /// The id of the folder; it is stored in the folder, so it does not depend on the mount point.
  package let id: String

  /// The file that marks a folder as shared; without it the folder may be a mount point without its disk.
  static let marker = "peersync-folder.json"
  /// The maximum number of bytes that are read from a file: the longest page, and one long line.
  static let longestFile = 64 << 20

  /// Opens an existing shared folder.
  package init(_ path: String) throws {
    let marker = "\(path)/\(Self.marker)"
    guard FileMode.exists(path) else {
      throw Diagnostic(.fileNotFound, "no such folder", file: path, hint: "check that it is mounted")
    }
    guard FileMode.mayExist(marker) else {
      throw Diagnostic(
        .fileNotFound, "the folder is not shared yet", file: path,
        hint: "mount it, or remove the remote: peersync remote remove \(ServerAddress.word("dir:\(path)"))")
    }
    let text: [UInt8]
    do throws(SystemError) {
      // Anyone who can write to the folder can put a FIFO there, and a read would wait for its writer.
      text = try ByteInput.contents(ofFile: marker, limit: 64 << 10) ?? []
    } catch {
      if error.isDenied { throw Self.denied(error, in: path) }
      throw error
    }
    guard let value = try? JSONValue(parsing: text.span), let id = value["id"]?.stringValue,
      UUIDText(id) != nil
    else {
      throw Diagnostic(
        .damagedRecord, "the file does not have the id of the folder", file: marker,
        hint:
          "remove the file, then write it again with 'peersync remote add dir:PATH'; all records are kept")
    }
    (self.path, self.id) = (path, id.lowercased())
  }

  /// Makes an existing folder a shared one, if it is not shared yet.
  ///
  /// If several devices do so at once, one of them sets the id.
  package static func make(_ path: String) throws -> SharedFolder {
    if FileMode.exists(path), !FileMode.exists("\(path)/\(marker)") {
      var random = SystemRandomNumberGenerator()
      let id = UUIDText(random: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
      let line = JSONValue.object([.init("id", .string(id.description.lowercased()))]).text + "\n"
      let file = try AtomicFile(creating: "\(path)/\(marker)", replacingAny: true)
      try file.write(Array(line.utf8).span)
      try file.commit(replacing: false)
    }
    return try SharedFolder(path)
  }

  /// Throws unless the folder is still there: it may be unmounted during a visit.
  package func requirePresence() throws {
    guard try SharedFolder(path).id == id else {
      throw Diagnostic(.fileNotFound, "another shared folder is mounted there now", file: path)
    }
  }

  /// Writes a file of a device; the file becomes visible when it is complete.
  ///
  /// A link or a pipe of that name is replaced: others can put it there, and a write would wait for a reader, or
  /// change a file outside the folder.
  private func write(_ text: [UInt8], to file: String, of device: String) throws {
    try requirePresence()
    try PrivateFolder.make("\(path)/\(device)", mode: 0o777, parents: false)
    let file = try AtomicFile(creating: "\(path)/\(file)", replacingAny: true)
    try file.write(text.span)
    try requirePresence()
    try file.commit()
  }

  // MARK: Files

  /// The numbers of the existing files of each chain, in order, without devices whose folders cannot be read.
  package func chains() throws -> [ChainName: [Int]] { try contents().chains }

  /// The chains, and the error for each device whose folder cannot be read.
  func contents() throws -> (chains: [ChainName: [Int]], unreadable: [String: Diagnostic]) {
    var chains: [ChainName: [Int]] = [:]
    let (files, unreadable) = try files(endingWith: ".jsonl")
    for (device, entry) in files {
      let stem = entry.dropLast(6)
      guard let dash = stem.lastIndex(of: "-"), let number = Int(stem[stem.index(after: dash)...]),
        FolderPage.numbers.contains(number),
        let chain = ChainName(device: device, file: String(stem[..<dash])),
        chain.file(number) == "\(device)/\(entry)"
      else { continue }
      chains[chain, default: []].append(number)
    }
    return (chains.mapValues { $0.sorted() }, unreadable)
  }

  /// The files of all devices with this ending, and the error for each device whose folder cannot be read.
  ///
  /// A file is the folder of the device, and the name in it.
  private func files(
    endingWith end: String
  ) throws -> (found: [(device: String, name: String)], unreadable: [String: Diagnostic]) {
    var found: [(device: String, name: String)] = []
    var unreadable: [String: Diagnostic] = [:]
    for device in try entries(of: path).get() where UUIDText(device) != nil {
      switch try entries(of: "\(path)/\(device)") {
      case .success(let names):
        for name in names where name.hasSuffix(end) { found.append((device, name)) }
      case .failure(let error): unreadable[device] = error
      }
    }
    return (found, unreadable)
  }

  /// The names in a folder; empty if there is no folder of this name.
  ///
  /// A folder that cannot be read is a failure, because its files would count as lost.
  private func entries(of folder: String) throws -> Result<[String], Diagnostic> {
    do throws(SystemError) {
      return .success(try FileMode.entries(of: folder))
    } catch {
      guard let reason = try problem(error, in: folder) else { return .success([]) }
      return .failure(reason)
    }
  }

  /// The report of an error in the folder of a device; nil if the folder or its file is missing.
  private func problem(_ error: SystemError, in folder: String) throws -> Diagnostic? {
    try requirePresence()
    if error.isMissing { return nil }
    return error.isDenied ? Self.denied(error, in: folder) : Diagnostic(error)
  }

  /// The report of a file that this user may not read.
  private static func denied(_ error: SystemError, in folder: String) -> Diagnostic {
    var diagnostic = Diagnostic(error)
    diagnostic.hint = "its owner can let others read it: chmod -R a+rX \(ShellWord.path(folder))"
    return diagnostic
  }

  /// The file and its digest; nil if it is missing or incomplete, or cannot be read.
  package func read(_ chain: ChainName, _ number: Int) throws -> (page: FolderPage, digest: String)? {
    guard case .success(let text)? = try bytes(of: chain.file(number), limit: Self.longestFile),
      let page = try FolderPage(parsing: text), page.number == number
    else { return nil }
    return (page, try FolderPlaces.digest(text))
  }

  /// Whether a file that `read` rejects is complete, and so was changed.
  ///
  /// A file that cannot be read is a failure, because waiting for it does not help.
  func isDamaged(_ chain: ChainName, _ number: Int) throws -> Result<Bool, Diagnostic> {
    try bytes(of: chain.file(number), limit: Self.longestFile)?.map(FolderPage.hasEnd) ?? .success(false)
  }

  /// The bytes of a file of a device; nil if it is missing, too long, or not a regular file.
  private func bytes(of file: String, limit: Int) throws -> Result<[UInt8], Diagnostic>? {
    let path = "\(path)/\(file)"
    do throws(SystemError) {
      return try ByteInput.contents(ofFile: path, limit: limit).map { .success($0) }
    } catch {
      if error.isInterruption { throw error }
      if error == .tooLarge(path) { return nil }
      guard let reason = try problem(error, in: FileMode.folder(of: path)) else { return nil }
      return .failure(reason)
    }
  }

  /// Writes the next file of a chain; the file becomes visible when it is complete.
  package func write(_ text: [UInt8], as chain: ChainName, _ number: Int) throws {
    try write(text, to: chain.file(number), of: chain.device)
  }

  /// A text that changes when a file appears or disappears.
  package func listing() throws -> String {
    let names = try chains().sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
    return try FolderPlaces.digest(Array(names.joined().utf8))
  }

  /// A text that changes when a file of a chain is replaced.
  package func stamp(_ chain: ChainName, _ numbers: [Int]) throws -> String {
    let files = numbers.map { number in
      "\(number) \(FileStamp(of: "\(path)/\(chain.file(number))")?.text ?? "-")\n"
    }
    return try FolderPlaces.digest(Array(files.joined().utf8))
  }

  package func remove(_ chain: ChainName, _ number: Int) {
    AtomicFile.remove("\(path)/\(chain.file(number))")
  }

  // MARK: Progress of the readers

  /// The time of a writer's last visit, and how far it has read the other chains.
  ///
  /// If its note is incomplete or damaged, the places are nil, and the time is that of the file.
  package typealias Progress = (at: Instant, places: FolderPlaces?)

  /// The progress of the writers of the other chains, and the error for each device whose folder or note
  /// cannot be read.
  func readers(but own: ChainName) throws -> (readers: [Progress], unreadable: [String: Diagnostic]) {
    var readers: [Progress] = []
    var (files, unreadable) = try files(endingWith: ".seen.json")
    for (device, name) in files {
      guard let chain = ChainName(device: device, file: String(name.dropLast(10))),
        chain.seenFile == "\(device)/\(name)", chain != own
      else { continue }
      switch try progress(of: chain) {
      case .success(let reader)?: readers.append(reader)
      case .failure(let error)?: unreadable[device] = error
      case nil: break
      }
    }
    return (readers, unreadable)
  }

  /// The progress of a chain's writer; nil without a note, or if it cannot be read.
  package func seen(by chain: ChainName) throws -> Progress? {
    guard case .success(let seen)? = try progress(of: chain) else { return nil }
    return seen
  }

  /// The progress of a chain's writer, nil without a note.
  private func progress(of chain: ChainName) throws -> Result<Progress, Diagnostic>? {
    let note = try bytes(of: chain.seenFile, limit: 1 << 20)
    if case .failure(let error)? = note { return .failure(error) }
    if case .success(let text)? = note, let value = try? JSONValue(parsing: text.span),
      let at = value["at"]?.stringValue.flatMap({ Instant($0) }),
      let lines = value["read"]?.arrayValue
    {
      let token = lines.compactMap(\.stringValue).map { $0 + "\n" }.joined()
      return .success((at, FolderPlaces(token: Array(token.utf8))))
    }
    guard let file = FileStamp(of: "\(path)/\(chain.seenFile)") else { return nil }
    return .success((Instant.epoch.advanced(by: file.changed), nil))
  }

  package func note(_ places: FolderPlaces, by chain: ChainName, at now: Instant) throws {
    let lines = String(decoding: places.token, as: UTF8.self).split(separator: "\n").dropFirst()
    let value = JSONValue.object([
      .init("at", .string("\(now)")), .init("read", .array(lines.map { .string(String($0)) })),
    ])
    try write(Array((value.text + "\n").utf8), to: chain.seenFile, of: chain.device)
  }
}
