import Foundation
import JSONLines
@testable import Remotes
import Store
import SyncCore
import TestSupport
import Testing

/// What a shared folder keeps: deletions, and files only as long as a device needs them.
@Suite struct FolderRoomTests {
  private let folder: TemporaryFolder
  private let one: TestDevice
  private let two: TestDevice

  init() throws {
    folder = try TemporaryFolder()
    one = try TestDevice(1)
    two = try TestDevice(2)
  }

  private func path(_ file: String) -> String { folder.path(file) }

  // MARK: Deletions

  /// The device that has deleted it compacts the deletion away, and its chain begins anew.
  @Test func aDeletedRecordDoesNotReturnOnALaterDevice() throws {
    let nothing = TestDevice.Outcome(end: .done(setAside: 0), received: 0, sent: 0)
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try two.put(TestDevice.line(2, "bread", at: 1))
    try two.sync(folder)
    try two.put(TestDevice.deletion(1, at: 2))
    try two.sync(folder)
    #expect(try one.sync(folder) == .init(end: .done(setAside: 0), received: 2, sent: 1))
    for device in [two, one, two] { #expect(try device.sync(folder) == nothing) }
    let removed = try two.store.write {
      try two.store.compact(retireAfter: .seconds(90 * 86_400), now: two.now, drift: DriftGuard.default)
        .removed
    }
    #expect(removed == 1)
    for round in 0..<110 {
      try two.put(TestDevice.line(2, "bread \(round)", at: 3))
      try two.sync(folder)
    }
    try one.sync(folder)
    try two.put(TestDevice.line(2, "tea", at: 4))
    try two.sync(folder)
    #expect(folder.files.count { $0.hasPrefix(two.id) } < 20)
    let three = try TestDevice(3)
    try three.sync(folder)
    #expect(try three.contents == ["1 -", "2 tea"])
  }

  /// A device without files cannot bring a record back.
  @Test func aDeviceThatOnlyReadsDoesNotWriteDeletions() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try two.sync(folder)
    try one.put(TestDevice.deletion(1, at: 2))
    try one.sync(folder)
    #expect(try two.sync(folder) == .init(end: .done(setAside: 0), received: 1, sent: 0))
    #expect(folder.files.allSatisfy { $0.hasPrefix(one.id) })
  }

  // MARK: Room

  /// The run is killed after the first file of the start, before the store has noted that file's end.
  @Test func aNewStartThatWasInterruptedIsContinued() throws {
    for round in 1...5 {
      for number in 1...40 { try one.put(TestDevice.line(number, "title \(round)", at: round)) }
      try one.sync(folder)
    }
    let (backup, present) = (one.home.path("backup.db"), one.now)
    var files: [String] = []
    var visit = RemoteSession(one.store, own: (one.id, "test"), .both) { [one, folder] in
      if files.isEmpty, folder.files.count == 6 {
        files = folder.files
        try? one.copy(to: backup)
      }
      return present
    }
    visit.pageLimit = 500
    _ = try visit.run(with: SharedFolder.make(folder.url.path))
    for file in folder.files where !files.contains(file) {
      try FileManager.default.removeItem(atPath: path(file))
    }
    try one.restore(from: backup)
    try one.sync(folder, pageLimit: 500)
    #expect(folder.files.first == files.last, "the start goes on")
    try two.sync(folder)
    #expect(try two.contents == one.contents && two.contents.count == 40)
  }

  @Test func aLongChainBeginsAnewAndOldFilesGoOnceAllHaveReadThem() throws {
    try one.put(TestDevice.line(1, "milk", at: 1), TestDevice.line(2, "bread", at: 1))
    try one.sync(folder)
    try two.sync(folder)
    for round in 0..<60 {
      try one.put(TestDevice.line(1, "milk \(round)", at: 2), TestDevice.line(2, "bread \(round)", at: 2))
      try one.sync(folder)
    }
    // The other one has read the first file only.
    #expect(folder.files.count > 50)
    try two.sync(folder)
    // A device whose folder cannot be read may not have read them; a link to itself cannot be read by anyone.
    let unreadable = path("00000000-0000-4000-8000-000000000009")
    try FileManager.default.createSymbolicLink(atPath: unreadable, withDestinationPath: unreadable)
    try one.put(TestDevice.line(3, "tea", at: 1))
    try one.sync(folder)
    #expect(folder.files.count > 50)
    try FileManager.default.removeItem(atPath: unreadable)
    try one.put(TestDevice.deletion(2, at: 59))
    try one.sync(folder)
    #expect(folder.files.count < 20)
    try two.sync(folder)
    #expect(try two.contents == ["1 milk 59", "2 -", "3 tea"])
    let three = try TestDevice(3)
    try three.sync(folder)
    #expect(try three.contents == ["1 milk 59", "2 -", "3 tea"])
  }

  /// A sync program has copied half of it, or its device lets nobody read it.
  @Test func aDeviceWhoseNoteCannotBeReadMayNotHaveReadTheFiles() throws {
    try one.put(TestDevice.line(1, "milk", at: 1), TestDevice.line(2, "bread", at: 1))
    try one.sync(folder)
    try two.sync(folder)
    // A copy by another program is no note.
    try folder.write("x", to: "\(two.id)/._copy.seen.json")
    func notes() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: path(two.id)).filter {
        $0.hasSuffix(".seen.json") && !$0.hasPrefix("._")
      }
    }
    let names = try notes()
    let name = try #require(names.first)
    let note = path("\(two.id)/\(name)")
    let half = try Data(contentsOf: URL(filePath: note)).prefix(40)
    try half.write(to: URL(filePath: note))
    for round in 0..<60 {
      try one.put(TestDevice.line(1, "milk \(round)", at: 2), TestDevice.line(2, "bread \(round)", at: 2))
      try one.sync(folder)
    }
    #expect(folder.files.count > 50)
    #expect(one.leftOut == nil)
    // A link to itself cannot be read by anyone.
    try FileManager.default.removeItem(atPath: note)
    try FileManager.default.createSymbolicLink(atPath: note, withDestinationPath: note)
    try one.put(TestDevice.line(3, "tea", at: 1))
    try one.sync(folder)
    #expect(folder.files.count > 50)
    #expect(one.leftOut?.code == .notReadable && one.leftOut?.file == note)
    // Half a note does not keep the files for ever.
    try FileManager.default.removeItem(atPath: note)
    try half.write(to: URL(filePath: note))
    let longAgo = Date(timeIntervalSince1970: Double(one.now.seconds - 91 * 86_400))
    try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: note)
    try one.put(TestDevice.line(4, "oil", at: 1))
    try one.sync(folder)
    #expect(folder.files.count < 20)
    #expect(one.leftOut == nil)
    // Its device writes it again.
    try two.sync(folder)
    #expect(try two.contents == one.contents && two.contents.count == 4)
    #expect(try notes() == [name])
  }

  @Test func whoWasAwayForLongReadsTheNewBeginning() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try two.sync(folder)
    one.now = one.now.advanced(by: .seconds(91 * 86_400))
    for round in 0..<110 {
      try one.put(TestDevice.line(1, "milk \(round)", at: 2))
      try one.sync(folder)
    }
    try one.put(TestDevice.line(3, "tea", at: 5))
    try one.sync(folder)
    #expect(folder.files.count < 20)
    two.now = one.now
    try two.put(TestDevice.line(4, "own", at: 5))
    try two.sync(folder)
    #expect(try two.contents == ["1 milk 109", "3 tea", "4 own"])
  }

  @Test func manyPagesAreTakenUpWhereTheyWereLeft() throws {
    for number in 1...40 { try one.put(TestDevice.line(number, "title \(number)", at: 1)) }
    try one.sync(folder, pageLimit: 500)
    #expect(folder.files.count > 5)
    let outcome = try two.sync(folder, pageLimit: 500)
    #expect(outcome == .init(end: .done(setAside: 0), received: 40, sent: 0))
    #expect(try two.contents == one.contents)
  }
}
