import Foundation
import JSONLines
@testable import Remotes
import Store
import SyncCore
import TestSupport
import Testing

/// A shared folder whose devices were copied, restored or removed.
@Suite struct FolderCopyTests {
  private let folder: TemporaryFolder
  private let one: TestDevice
  private let two: TestDevice

  init() throws {
    folder = try TemporaryFolder()
    one = try TestDevice(1)
    two = try TestDevice(2)
  }

  private func path(_ file: String) -> String { folder.path(file) }

  @Test func aCopyOfTheStoreWritesAChainOfItsOwn() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    let copy = try TestDevice(copyOf: one)
    try one.put(TestDevice.line(2, "one", at: 2))
    try one.sync(folder)
    try copy.put(TestDevice.line(3, "copy", at: 2))
    try copy.sync(folder)
    try one.sync(folder)
    try two.sync(folder)
    let all = ["1 milk", "2 one", "3 copy"]
    #expect(try one.contents == all)
    #expect(try copy.contents == all)
    #expect(try two.contents == all)
    #expect(Set(folder.files.map { $0.split(separator: "-").dropLast().last }).count == 2)
  }

  @Test func aRestoredStoreHasBackWhatItHadWritten() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try one.copy(to: one.home.path("backup.db"))
    try one.put(TestDevice.line(2, "bread", at: 2), TestDevice.line(1, "oat milk", at: 2))
    try one.sync(folder)
    try two.sync(folder)
    try one.restore(from: one.home.path("backup.db"))
    try one.put(TestDevice.line(3, "tea", at: 3))
    try one.sync(folder)
    try two.sync(folder)
    for device in [one, two] { #expect(try device.contents == ["1 oat milk", "2 bread", "3 tea"]) }
  }

  @Test(arguments: [1, 2]) func anEmptiedFolderIsFilledAgain(syncs: Int) throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    for _ in 1...syncs { try one.sync(folder) }
    for file in folder.files { try FileManager.default.removeItem(atPath: path(file)) }
    try one.sync(folder)
    try two.sync(folder)
    #expect(try two.contents == ["1 milk"])
  }

  @Test func whatARemovedDeviceHadIsWrittenByTheOthers() throws {
    try one.put(TestDevice.line(1, "milk", at: 1), TestDevice.line(2, "bread", at: 1))
    try one.sync(folder)
    try two.put(TestDevice.line(3, "tea", at: 1))
    try two.sync(folder)
    try FileManager.default.removeItem(atPath: path(one.id))
    // A run that only reads leaves it to the next one.
    try two.sync(folder, .pull)
    #expect(try two.sync(folder).end == .done(setAside: 0))
    let three = try TestDevice(3)
    try three.sync(folder)
    #expect(try three.contents == ["1 milk", "2 bread", "3 tea"])
    let files = folder.files
    try two.sync(folder)
    #expect(folder.files == files)
  }

  /// The stick is pulled out before the first file with these records is written.
  @Test func whatARemovedDeviceHadIsWrittenAfterAnInterruption() throws {
    try removeOneOfTwo()
    let marker = path(SharedFolder.marker)
    let (shared, present) = (try SharedFolder.make(folder.url.path), two.now)
    let visit = RemoteSession(two.store, own: (two.id, "test"), .both) {
      try? FileManager.default.moveItem(atPath: marker, toPath: marker + ".away")
      return present
    }
    #expect(throws: Diagnostic.self) { _ = try visit.run(with: shared) }
    try FileManager.default.moveItem(atPath: marker + ".away", toPath: marker)
    try two.sync(folder)
    let three = try TestDevice(3)
    try three.sync(folder)
    #expect(try three.contents == ["1 milk", "2 bread"])
  }

  @Test func whatARemovedDeviceHadIsWrittenOnceByRunsThatOnlyWrite() throws {
    try removeOneOfTwo()
    #expect(try two.sync(folder, .push).sent == 2)
    let files = folder.files
    #expect(try two.sync(folder, .push).sent == 0)
    #expect(folder.files == files)
    let three = try TestDevice(3)
    try three.sync(folder)
    #expect(try three.contents == ["1 milk", "2 bread"])
  }

  private func removeOneOfTwo() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try two.put(TestDevice.line(2, "bread", at: 1))
    try two.sync(folder)
    try FileManager.default.removeItem(atPath: path(one.id))
  }
}
