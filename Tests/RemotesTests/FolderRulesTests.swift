import Foundation
import JSONLines
@testable import Remotes
import Store
import SyncCore
import TestSupport
import Testing

/// Devices that sync only through a folder, and change the rules by which they merge.
@Suite struct FolderRulesTests {
  private let folder: TemporaryFolder
  private let one: TestDevice
  private let two: TestDevice

  init() throws {
    folder = try TemporaryFolder()
    one = try TestDevice(1)
    two = try TestDevice(2)
  }

  private func changeRules(of device: TestDevice) throws {
    try device.store.write { try device.store.setRules(.chores) }
  }

  private func fill() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try two.put(TestDevice.line(2, "bread", at: 1))
    try two.sync(folder)
    try one.sync(folder)
  }

  private func isDone(_ device: TestDevice) throws -> Bool {
    if case .done = try device.sync(folder).end { true } else { false }
  }

  @Test func rulesCanChangeOnAllDevices() throws {
    try fill()
    try changeRules(of: one)
    #expect(try !isDone(one))
    #expect(try !isDone(two))
    try changeRules(of: two)
    #expect(try isDone(two))
    #expect(try isDone(one))
    try one.put(TestDevice.line(1, "tea", at: 2))
    #expect(try one.sync(folder).sent == 1)
    #expect(try two.sync(folder).received == 1)
    let files = folder.files
    for device in [one, two] { #expect(try isDone(device)) }
    #expect(folder.files == files)
  }

  @Test func rulesCanChangeAfterAChainHasDisappeared() throws {
    try fill()
    let three = try TestDevice(3)
    try three.put(TestDevice.line(3, "salt", at: 1))
    for device in [three, one, two] { try device.sync(folder) }
    try FileManager.default.removeItem(atPath: folder.path(three.id))
    for device in [one, two] { try changeRules(of: device) }
    for device in [one, two, one] { _ = try isDone(device) }
    for device in [one, two] { #expect(try isDone(device)) }
    #expect(try one.contents == ["1 milk", "2 bread", "3 salt"])
  }

  /// A run that only reads, or only tries, does not write a file.
  @Test func aReadingRunDoesNotTellItsRules() throws {
    try fill()
    try changeRules(of: one)
    let files = folder.files
    _ = try one.sync(folder, .pull)
    _ = try one.sync(folder, isDryRun: true)
    #expect(folder.files == files)
  }

  @Test func aDeviceThatHasBeenSilentForLongDoesNotBlockNewRules() throws {
    try fill()
    try changeRules(of: one)
    #expect(try !isDone(one))
    one.now = one.now.advanced(by: .seconds(91 * 86_400))
    #expect(try isDone(one))
  }

  @Test func aNewDeviceAdoptsTheRulesOfToday() throws {
    try one.put(TestDevice.line(1, "milk", at: 1))
    try one.sync(folder)
    try changeRules(of: one)
    try one.sync(folder)
    try two.sync(folder)
    #expect(try two.store.rules()?.hasSameRules(as: .chores) == true)
  }

  @Test func aNewDeviceAdoptsRulesFromDevicesThatAreSilent() throws {
    try fill()
    let three = try TestDevice(3)
    three.now = three.now.advanced(by: .seconds(200 * 86_400))
    #expect(try three.sync(folder).received == 2)
    #expect(try three.store.rules()?.hasSameRules(as: RecordShape()) == true)
  }

  @Test func aNewDeviceDoesNotChooseBetweenRules() throws {
    try fill()
    try changeRules(of: one)
    _ = try one.sync(folder)
    let three = try TestDevice(3)
    #expect { try three.sync(folder) } throws: { ($0 as? Diagnostic)?.code == .rulesDiffer }
    #expect(try three.store.rules() == nil)
  }
}
