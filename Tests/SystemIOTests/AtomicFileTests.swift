import Foundation
@testable import SystemIO
import TestSupport
import Testing

@Suite struct AtomicFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Whether the folders of these tests can have files without a name.
  private static let hasNamelessFiles: Bool = {
    let raw = NamelessFile.open(in: FileManager.default.temporaryDirectory.path, 0o600)
    return raw.map { close($0) == 0 } ?? false
  }()

  private func contents(_ name: String) -> String? {
    FileManager.default.contents(atPath: folder.path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path))
  }

  private func mode(_ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
    return attributes[.posixPermissions] as? Int
  }

  /// Such a scalar joins the slash before it to one character.
  @Test func aFileNameMayBeginWithAScalarThatJoins() {
    let path = "/a/b/\u{301}x"
    #expect(FileMode.folder(of: path) == "/a/b" && FileMode.name(of: path) == "\u{301}x")
  }

  @Test func aMissingFileHasOneAbsolutePath() throws {
    try folder.makeFolder("disk")
    try FileManager.default.createSymbolicLink(atPath: folder.path("data"), withDestinationPath: "disk")
    let place = FileMode.absolute(folder.path("disk"))
    for name in ["disk/t", "data/t", "data/./t", "data//t", "data/../disk/t", "none/../disk/t", "data/t/"] {
      #expect(FileMode.absolute("\(folder.url.path)/\(name)") == "\(place)/t", "\(name)")
    }
    #expect(FileMode.hasLink(folder.path("data/t")) && !FileMode.hasLink("t/../t"))
  }

  @Test func theOldFileStandsUntilTheNewOneIsWhole() throws {
    try folder.write("old", to: "file")
    let file = try AtomicFile(creating: folder.path("file"))
    let large = [UInt8](repeating: 65, count: 200_000)
    try file.write(large.span)
    #expect(contents("file") == "old")
    #expect(try names().count <= 2)
    try file.commit()
    #expect(contents("file")?.count == 200_000)
    #expect(try names() == ["file"])
  }

  @Test(arguments: [false, true]) func aFileThatIsThereMayStay(isNamed: Bool) throws {
    let path = folder.path("file")
    for text in ["old", "new"] {
      let file = try AtomicFile(creating: path, isNamed: isNamed)
      try file.write(Array(text.utf8).span)
      try file.commit(replacing: false)
    }
    #expect(contents("file") == "old")
    #expect(try names() == ["file"])
  }

  @Test func whatIsNotCommittedLeavesNothing() throws {
    try folder.write("old", to: "file")
    do {
      let file = try AtomicFile(creating: folder.path("file"))
      try file.write([UInt8](repeating: 65, count: 100_000).span)
    }
    #expect(contents("file") == "old")
    #expect(try names() == ["file"])
  }

  /// Tools without a lock on their output cannot look for files that others have left there.
  @Test(.enabled(if: AtomicFileTests.hasNamelessFiles)) func ofAKilledWriterNothingIsLeft() async throws {
    try folder.write("old", to: "file")
    let path = folder.path("file")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let files = [try AtomicFile(creating: path), try AtomicFile(creating: path + "2")]
      for file in files { try file.write([UInt8](repeating: 65, count: 200_000).span) }
      raise(SIGKILL)
    }
    #expect(contents("file") == "old")
    #expect(try names() == ["file"])
  }

  /// A library that opens the file by its name needs one.
  @Test func aNameFromTheBeginning() throws {
    let file = try AtomicFile(creating: folder.path("file"), isNamed: true)
    let temporary = try #require(file.temporary)
    try Data("new".utf8).write(to: URL(filePath: temporary))
    try file.commit()
    #expect(contents("file") == "new")
    #expect(try names() == ["file"])
  }

  @Test func twoWritersDoNotMeet() throws {
    let first = try AtomicFile(creating: folder.path("file"))
    let second = try AtomicFile(creating: folder.path("file"))
    try first.write([49].span)
    try second.write([50].span)
    try second.commit()
    try first.commit()
    #expect(contents("file") == "1")
    #expect(try names() == ["file"])
  }

  @Test func aLinkGoesOnPointingToTheFile() throws {
    try folder.makeFolder("far")
    try folder.write("old", to: "far/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("far/file"))
    let file = try AtomicFile(creating: folder.path("link"))
    try file.write([50].span)
    try file.commit()
    #expect(contents("far/file") == "2")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link"))
        == folder.path("far/file"))
  }

  @Test func theModeOfANewFileIsAsAskedLessTheUmask() async {
    let path = folder.path("")
    await #expect(processExitsWith: .success) { [path = path as String] in
      umask(0o027)
      for (name, mode, expected) in [("a", 0o666, 0o640), ("b", 0o600, 0o600)] as [(String, mode_t, mode_t)] {
        let file = try AtomicFile(creating: path + name, mode: mode)
        try file.commit()
        #expect(FileMode.mode(of: path + name).map { $0 & 0o777 } == expected)
      }
    }
  }

  @Test(arguments: [(0o600, 0o666, 0o600), (0o664, 0o666, 0o664), (0o644, 0o600, 0o600)])
  func aReplacedFileGivesItsPermissions(old: Int, asked: Int, new: Int) throws {
    try folder.write("old", to: "file", mode: old)
    let file = try AtomicFile(creating: folder.path("file"), mode: mode_t(asked))
    try file.commit()
    #expect(try mode("file") == new)
  }

  @Test func aPipeIsWrittenTo() throws {
    let path = folder.path("pipe")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let file = try AtomicFile(creating: path)
    try file.write([49, 50].span)
    try file.commit()
    var bytes = [UInt8](repeating: 0, count: 8)
    let count = unsafe read(reader, &bytes, 8)
    #expect(bytes.prefix(max(0, count)) == [49, 50])
    #expect(try names() == ["pipe"])
  }

  @Test("The log that standard error is redirected to is neither replaced nor cut off")
  func standardErrorIsWrittenTo() async throws {
    let path = folder.path("log")
    await #expect(processExitsWith: .success) { [path = path as String] in
      dup2(unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600), STDERR_FILENO)
      try Descriptor.standardError.write("before\n")
      for name in ["/dev/stderr", "/dev/fd/2"] {
        let file = try AtomicFile(creating: name)
        try file.write(Array("line\n".utf8).span)
        try file.commit()
      }
      try Descriptor.standardError.write("after\n")
      exit(0)
    }
    #expect(contents("log") == "before\nline\nline\nafter\n")
  }

  @Test func whatCannotBeCreatedIsToldAtOnce() throws {
    try folder.makeFolder("folder")
    #expect(throws: SystemError(.create, folder.path("folder"), code: EISDIR)) {
      _ = try AtomicFile(creating: folder.path("folder"))
    }
    #expect(throws: SystemError(.create, folder.path("none/file"), code: ENOENT)) {
      _ = try AtomicFile(creating: folder.path("none/file"))
    }
  }

  @Test func aFullDiskIsToldWithTheFilesName() {
    #expect(throws: SystemError(.write, "/dev/full", code: ENOSPC)) {
      let file = try AtomicFile(creating: "/dev/full")
      try file.write([1].span)
      try file.commit()
    }
  }

  @Test func temporaryNamesHaveTheSameLength() {
    for _ in 1...1_000 { #expect(AtomicFile.temporaryName("f").count == "f.0123456789abc.part".count) }
  }

  /// Otherwise output could be written into the store or the input of the same run.
  @Test func aDescriptorThatIsNotInheritedHasNoName() throws {
    let raw = unsafe open(folder.path("own"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(raw) }
    let name = "/dev/fd/\(raw)"
    #expect(throws: SystemError(.create, name, code: EBADF)) { _ = try AtomicFile(creating: name) }
    #expect(throws: SystemError(.open, name, code: EBADF)) { _ = try Descriptor.reading(name) }
    #expect(throws: SystemError(.create, name, code: EBADF)) { _ = try Descriptor.appending(to: name) }
    #expect(contents("own") == "")
    _ = fcntl(raw, F_SETFD, 0)
    let file = try AtomicFile(creating: name)
    try file.write([49].span)
    try file.commit()
    #expect(contents("own") == "1")
  }

  @Test func aLinkThatCannotBeFollowedIsNotReplaced() throws {
    try folder.write("x", to: "file")
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("file/target"))
    #expect(throws: SystemError(.create, link, code: ENOTDIR)) { _ = try AtomicFile(creating: link) }
    #expect(throws: SystemError(.create, link, code: ENOTDIR)) { try FileLock(on: link).release() }
    #expect(try names() == ["file", "link"])
  }

  #if os(Linux)
    /// The name of the folder is not UTF-8; other names lead to it.
    @Test func aFolderWhoseNameIsNotTextIsReached() throws {
      let far = folder.path("far").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xFF)]
      let file = far + "/file".utf8.map { CChar(bitPattern: $0) }
      #expect(unsafe mkdir(far + [0], 0o700) == 0)
      #expect(unsafe symlink(far + [0], folder.path("link")) == 0)
      #expect(unsafe symlink(file + [0], folder.path("direct")) == 0)
      defer {
        _ = unsafe unlink(file + [0])
        _ = unsafe rmdir(far + [0])
      }
      try folder.write("old", to: "link/file")
      let new = try AtomicFile(creating: folder.path("link/file"))
      try new.write([49].span)
      try new.commit()
      #expect(contents("direct") == "1")
      let direct = folder.path("direct")
      #expect(throws: SystemError(.create, direct, code: EILSEQ)) { _ = try AtomicFile(creating: direct) }
    }
  #endif

  @Test func aFolderThatCannotBeListedIsNotEmpty() throws {
    let file = try folder.write("x", to: "file")
    #expect(try FileMode.entries(of: folder.path("none")) == [])
    #expect(try Set(FileMode.entries(of: folder.url.path)) == [".", "..", "file"])
    #expect(throws: SystemError(.open, file, code: ENOTDIR)) { _ = try FileMode.entries(of: file) }
  }

  @Test func leftoversOfTheFileGoAndNothingElse() throws {
    let (mark, last) = ("0000000001a2b", "zzzzzzzzzzzzz")
    let kept = [
      "file", "file.lock", "file.part", "file.1.part", "file.1a2b.part", "file.\(mark)0.part",
      "other.\(mark).part", "file.\(mark).part.txt", "file.00000000-1a2b.part",
    ]
    for name in kept + ["file.\(mark).part", "file.\(mark).part-wal", "file.\(last).part"] {
      try folder.write("x", to: name)
    }
    AtomicFile.removeLeftovers(of: folder.path("file"))
    #expect(try names() == Set(kept))
  }

  @Test func leftoversThatMayBeInUseStay() throws {
    let (old, new) = ("file.0000000001a2b.part", "file.0000000001a2c.part")
    for name in [old, new] { try folder.write("x", to: name) }
    let time = Date(timeIntervalSinceNow: -100)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: folder.path(old))
    AtomicFile.removeLeftovers(of: folder.path("file"), olderThan: .seconds(200))
    #expect(try names() == [old, new])
    AtomicFile.removeLeftovers(of: folder.path("file"), olderThan: .seconds(50))
    #expect(try names() == [new])
  }

  /// In a folder of another user a link could lead to one of our files.
  @Test func aLinkInThePlaceOfALockIsNotFollowed() throws {
    let target = try folder.write("keep", to: "target")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: target)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("dangling"), withDestinationPath: folder.path("nowhere"))
    for name in ["link", "dangling"] {
      #expect(throws: SystemError(.create, folder.path(name), code: ELOOP)) {
        try FileLock(folder.path(name)).release()
      }
    }
    #expect(contents("target") == "keep" && contents("nowhere") == nil)
  }

  @Test func aLockThatIsHeldIsNotWaitedForLongerThanAsked() throws {
    let lock = try FileLock(folder.path("lock"))
    do throws(SystemError) {
      _ = try FileLock(folder.path("lock"), patience: .milliseconds(30))
      Issue.record("two locks")
    } catch {
      #expect(error.isHeld)
    }
    #if os(Linux)
      #expect(FileLock.holder(of: folder.path("lock"))?.process == Int(getpid()))
      #expect(FileLock.holder(of: try folder.write("", to: "free")) == nil)
    #endif
    lock.release()
    // A child of another test may have the file open until it runs its program.
    try FileLock(folder.path("lock")).release()
  }
}
