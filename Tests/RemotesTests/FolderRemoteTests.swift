import Foundation
import JSONLines
@testable import Remotes
import Store
import SyncCore
import TestSupport
import Testing

/// Devices that sync only through a folder.
@Suite struct FolderRemoteTests {
  private let folder: TemporaryFolder
  private let one: TestDevice
  private let two: TestDevice

  init() throws {
    folder = try TemporaryFolder()
    one = try TestDevice(1)
    two = try TestDevice(2)
  }

  @Test func changesGoFromOneDeviceToTheOtherAndBack() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    #expect(try one.sync(folder) == .init(end: .done(setAside: 0), received: 0, sent: 1))
    try two.put(TestDevice.line(2, "bread", at: 1))
    #expect(try two.sync(folder) == .init(end: .done(setAside: 0), received: 1, sent: 1))
    #expect(try one.sync(folder) == .init(end: .done(setAside: 0), received: 1, sent: 0))
    #expect(try one.contents == ["1 milk", "2 bread"])
    #expect(try two.contents == ["1 milk", "2 bread"])
  }

  @Test func aFolderThatSeveralMakeAtOnceHasOneID() async throws {
    for _ in 1...20 {
      let folder = try TemporaryFolder()
      let path = folder.url.path
      let ids = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 1...4 { group.addTask { try SharedFolder.make(path).id } }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(ids.count == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["peersync-folder.json"])
    }
  }

  /// Others can put them there; a write must not wait for a reader, or change a file outside the folder.
  @Test(arguments: [false, true]) func pipesAndLinksInPlaceOfItsFilesAreReplaced(isLink: Bool) throws {
    func replace(_ name: String) throws {
      let path = folder.path(name)
      try? FileManager.default.removeItem(atPath: path)
      if isLink {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: one.home.path("own"))
      } else {
        #expect(unsafe mkfifo(path, 0o600) == 0)
      }
    }
    try one.home.write("mine", to: "own")
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try two.put(TestDevice.line(2, "bread", at: 1))
    try two.sync(folder)
    try one.sync(folder)
    let notes = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).filter {
      $0.hasSuffix(".seen.json")
    }
    #expect(notes.count == 2)
    for note in notes { try replace(note) }
    try two.put(TestDevice.line(3, "tea", at: 1))
    for device in [two, one, two] { try device.sync(folder) }
    #expect(try one.contents == ["1 milk", "2 bread", "3 tea"])
    for note in notes {
      let kind = try FileManager.default.attributesOfItem(atPath: folder.path(note))[.type]
      #expect(kind as? FileAttributeType == .typeRegular)
    }
    #expect(try String(contentsOfFile: one.home.path("own"), encoding: .utf8) == "mine")
    // A page of another device stays: the sync waits for its writer.
    let page = try #require(folder.files.first { $0.hasSuffix(".jsonl") && $0.hasPrefix(one.id) })
    try replace(page)
    try two.sync(folder)
  }

  @Test func whatIsDoneIsNotDoneAgain() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try two.sync(folder)
    let files = folder.files
    for _ in 1...3 {
      for device in [one, two] {
        #expect(try device.sync(folder) == .init(end: .done(setAside: 0), received: 0, sent: 0))
      }
    }
    #expect(folder.files == files)
  }

  /// `reclock` does not change it: other devices may have it, or keep it in quarantine.
  @Test func whatIsInTheFolderCountsAsSent() throws {
    func holders() throws -> [[String]] {
      try one.store.read { try one.store.changes(ahead: Instant("2025-01-01T00:00:00Z")!) }
        .map { $0.holders.map(\.id) }
    }
    try one.put(TestDevice.line(1, "milk", at: 1))
    #expect(try holders() == [[]])
    try one.sync(folder)
    #expect(try holders() == [[SharedFolder(folder.url.path).id]])
  }

  /// A sync program has lost it, or the folder is as it was before.
  @Test func aLastFileThatIsGoneIsWrittenAgain() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try one.put(TestDevice.line(2, "bread", at: 1), TestDevice.line(3, "tea", at: 1))
    try one.sync(folder)
    let last = try #require(folder.files.last)
    for hasRead in [false, true] {
      if hasRead { try two.sync(folder) }
      try FileManager.default.removeItem(atPath: folder.path(last))
      #expect(try one.sync(folder).end == .done(setAside: 0))
      try one.put(TestDevice.deletion(3, at: 2 + (hasRead ? 1 : 0)))
      try one.sync(folder)
    }
    try two.sync(folder)
    #expect(try two.contents == one.contents && two.contents.count == 3)
    let late = try TestDevice(3)
    try late.sync(folder)
    #expect(try late.contents == one.contents)
  }

  @Test func aStoreThatHasMoreDeletionsThanRecordsIsNotWrittenAnew() throws {
    try one.put(TestDevice.line(0, "milk", at: 1))
    for id in 1...300 { try one.put(TestDevice.line(id, "a", at: 1)) }
    for id in 1...300 { try one.put(TestDevice.deletion(id, at: 2)) }
    try one.sync(folder)
    let files = folder.files
    for _ in 1...3 { #expect(try one.sync(folder).sent == 0) }
    #expect(folder.files == files)
  }

  @Test func aDeviceThatOnlyReadsLeavesOneFileOfItsPlace() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    for second in 2...4 {
      try two.sync(folder)
      try one.put(TestDevice.line(1, "milk \(second)", at: second))
      try one.sync(folder)
    }
    try two.sync(folder)
    #expect(try two.contents == ["1 milk 4"])
    let all = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    #expect(all.count { $0.hasSuffix(".seen.json") } == 2)
  }

  @Test func directionsHold() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try two.put(TestDevice.line(2, "bread", at: 1))
    #expect(try two.sync(folder, .pull) == .init(end: .done(setAside: 0), received: 1, sent: 0))
    try one.put(TestDevice.line(3, "tea", at: 1))
    try one.sync(folder)
    #expect(try two.sync(folder, .push) == .init(end: .done(setAside: 0), received: 0, sent: 1))
    #expect(try two.contents == ["1 milk", "2 bread"])
  }

  @Test func aTrialWritesNothing() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    #expect(try two.sync(folder, isDryRun: true).received == 1)
    #expect(try two.contents == [])
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() == before)
  }

  // MARK: Files that are late, torn or gone

  private func path(_ file: String) -> String { folder.path(file) }

  @Test func aGapIsWaitedFor() throws {
    for second in 1...3 {
      try one.put(TestDevice.line(second, "a", at: second))
      try one.sync(folder)
    }
    let late = folder.files[1]
    try FileManager.default.moveItem(atPath: path(late), toPath: path("late"))
    try two.sync(folder)
    #expect(try two.contents == ["1 a"])
    #expect(two.awaited == [AwaitedFile(name: late, isDamaged: false)])
    try FileManager.default.moveItem(atPath: path("late"), toPath: path(late))
    try two.sync(folder)
    #expect(try two.contents == ["1 a", "2 a", "3 a"])
    #expect(two.awaited == [])
  }

  @Test func aTornFileIsWaitedForWhereverItIsCut() throws {
    try one.put(TestDevice.line(1, "milk", at: 1), TestDevice.line(2, "bread", at: 1))
    try one.sync(folder)
    let file = path(folder.files[0])
    let whole = try Data(contentsOf: URL(filePath: file))
    for count in 0..<whole.count {
      try whole.prefix(count).write(to: URL(filePath: file))
      try two.sync(folder)
      #expect(try two.contents == [])
      #expect(two.awaited == [AwaitedFile(name: folder.files[0], isDamaged: false)], "after \(count) bytes")
    }
    var wrong = whole
    wrong[20] ^= 1
    try wrong.write(to: URL(filePath: file))
    try two.sync(folder)
    #expect(try two.contents == [])
    #expect(two.awaited == [AwaitedFile(name: folder.files[0], isDamaged: true)])
    try whole.write(to: URL(filePath: file))
    try two.sync(folder)
    #expect(try two.contents == ["1 milk", "2 bread"])
  }

  /// Its writer notices, and only its new files are awaited.
  @Test(arguments: [false, true]) func aChainThatWasDamagedIsReplaced(isMissing: Bool) throws {
    for second in 1...3 {
      try one.put(TestDevice.line(second, "a", at: second))
      try one.sync(folder)
    }
    let file = folder.files[1]
    let text = try Data(contentsOf: URL(filePath: path(file)))
    try FileManager.default.removeItem(atPath: path(file))
    if !isMissing {
      var wrong = text
      wrong[20] ^= 1
      try wrong.write(to: URL(filePath: path(file)))
    }
    try two.sync(folder)
    #expect(try two.contents == ["1 a"])
    #expect(two.awaited == [AwaitedFile(name: file, isDamaged: !isMissing)])
    try one.sync(folder)
    #expect(try two.sync(folder).received == 2)
    #expect(try two.contents == ["1 a", "2 a", "3 a"])
    #expect(two.awaited == [])
    try one.put(TestDevice.line(4, "a", at: 4))
    try one.sync(folder)
    #expect(try two.sync(folder).received == 1)
    #expect(two.awaited == [])
  }

  /// Devices that have read the first file do not need it any more, but a new device does.
  @Test func aChainThatHasLostItsStartIsReplaced() throws {
    for second in 1...2 {
      try one.put(TestDevice.line(second, "a", at: second))
      try one.sync(folder)
    }
    try two.sync(folder)
    try FileManager.default.removeItem(atPath: path(folder.files[0]))
    try one.sync(folder)
    let late = try TestDevice(3)
    for device in [two, late] {
      try device.sync(folder)
      #expect(try device.contents == ["1 a", "2 a"])
      #expect(device.awaited == [])
    }
    let files = folder.files
    #expect(try one.sync(folder).sent == 0)
    #expect(folder.files == files)
  }

  @Test func otherFilesArePassedOver() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    let file = folder.files[0]
    let conflict = file.replacingOccurrences(
      of: ".jsonl", with: ".sync-conflict-20261125-101010-ABCDEFG.jsonl")
    try FileManager.default.copyItem(atPath: path(file), toPath: path(conflict))
    // No number can follow this one.
    let last = file.replacingOccurrences(of: "-000001.", with: "-\(Int.max).")
    try #require(last != file)
    try FileManager.default.copyItem(atPath: path(file), toPath: path(last))
    try folder.write("x", to: "notes.jsonl")
    try folder.write("x", to: "00000000-0000-4000-8000-000000000009")
    try FileManager.default.createDirectory(atPath: path("photos"), withIntermediateDirectories: false)
    #expect(try two.sync(folder).received == 1)
    #expect(two.awaited == [])
  }

  /// Its files would count as lost, and all records would be written again.
  @Test func aFolderOfADeviceThatCannotBeReadIsNotEmpty() throws {
    let nothing = TestDevice.Outcome(end: .done(setAside: 0), received: 0, sent: 0)
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try two.sync(folder)
    try FileManager.default.moveItem(atPath: path(one.id), toPath: path("away"))
    // A link to itself cannot be read by anyone.
    try FileManager.default.createSymbolicLink(atPath: path(one.id), withDestinationPath: path(one.id))
    #expect(try two.sync(folder) == nothing)
    #expect(two.leftOut?.code == .notReadable && two.leftOut?.file == path(one.id))
    // The others sync.
    let three = try TestDevice(3)
    try three.put(TestDevice.line(2, "bread", at: 1))
    #expect(try three.sync(folder) == .init(end: .done(setAside: 0), received: 0, sent: 1))
    #expect(try two.sync(folder) == .init(end: .done(setAside: 0), received: 1, sent: 0))
    #expect(three.leftOut != nil && two.leftOut != nil)
    let error = #expect(throws: Diagnostic.self, "its own folder") { try one.sync(folder) }
    #expect(error?.code == .notReadable && error?.file == path(one.id))
    try FileManager.default.removeItem(atPath: path(one.id))
    try FileManager.default.moveItem(atPath: path("away"), toPath: path(one.id))
    #expect(try two.sync(folder) == nothing)
    for device in [three, one] {
      #expect(try device.sync(folder) == .init(end: .done(setAside: 0), received: 1, sent: 0))
    }
    #expect(two.leftOut == nil && three.leftOut == nil)
  }

  /// It has arrived, so waiting does not help.
  @Test func aFileThatCannotBeReadIsNotAwaited() throws {
    for second in 1...2 {
      try one.put(TestDevice.line(second, "a", at: second))
      try one.sync(folder)
    }
    let (first, file) = (folder.files[0], folder.files[1])
    try FileManager.default.moveItem(atPath: path(file), toPath: path("away"))
    // A link to itself cannot be read by anyone.
    try FileManager.default.createSymbolicLink(atPath: path(file), withDestinationPath: path(file))
    try two.sync(folder)
    #expect(try two.contents == ["1 a"])
    #expect(two.awaited == [])
    #expect(two.leftOut?.code == .notReadable && two.leftOut?.file == path(file))
    // Without another file, the start of the chain is unknown.
    try FileManager.default.moveItem(atPath: path(first), toPath: path("first"))
    let three = try TestDevice(3)
    try three.sync(folder)
    #expect(three.awaited == [])
    #expect(three.leftOut?.code == .notReadable && three.leftOut?.file == path(file))
    try FileManager.default.moveItem(atPath: path("first"), toPath: path(first))
    try FileManager.default.removeItem(atPath: path(file))
    try FileManager.default.moveItem(atPath: path("away"), toPath: path(file))
    for device in [two, three] {
      try device.sync(folder)
      #expect(try device.contents == ["1 a", "2 a"])
      #expect(device.awaited == [] && device.leftOut == nil)
    }
  }

  @Test func theFolderOfAnotherDiskIsNoSharedFolder() throws {
    #expect(throws: (any Error).self) { try SharedFolder(folder.url.path) }
    #expect(throws: (any Error).self) { try SharedFolder.make(folder.path("missing")) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("missing")))
  }

  /// A stick that is pulled out during a visit is not made anew: neither the folder, nor files in a mount point.
  @Test(arguments: [true, false]) func aFolderThatDisappearsDuringAVisitStaysAway(hasMountPoint: Bool) throws
  {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try one.put(TestDevice.line(2, "bread", at: 1))
    let (shared, present, url) = (try SharedFolder.make(folder.url.path), one.now, folder.url)
    let visit = RemoteSession(one.store, own: (one.id, "test"), .both) {
      try? FileManager.default.removeItem(at: url)
      if hasMountPoint {
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      }
      return present
    }
    let error = #expect(throws: Diagnostic.self) { _ = try visit.run(with: shared) }
    #expect(error?.message == (hasMountPoint ? "the folder is not shared yet" : "no such folder"))
    #expect(FileManager.default.fileExists(atPath: url.path) == hasMountPoint)
    if hasMountPoint { #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == []) }
  }
}
