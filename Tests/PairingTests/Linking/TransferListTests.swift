@testable import SyncCore
import JSONLines
import Pairing
import Testing

/// The notes about runs, in the form of the file.
@Suite struct TransferListTests {
  private let id = "6f2c9a4e-0000-4000-8000-00000000000a"
  private let now = Instant("2026-11-20T10:00:00Z")!

  private func list(_ text: String) throws(DamagedLine) -> TransferList {
    try TransferList(parsing: Array(text.utf8))
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    var record = TransferRecord(peerId: id)
    record.address = "laptop.local:7411"
    record.lastRunAt = now
    record.lastTransferAt = now
    (record.bytesReceived, record.bytesSent) = (1 << 40, 7)
    record.note(.timedOut, "no \"message\" came", now: now)
    var list = TransferList()
    list.store(record)
    list.store(TransferRecord(peerId: "6f2c9a4e-0000-4000-8000-00000000000b"))
    #expect(try TransferList(parsing: list.text) == list)
  }

  @Test func troubleCountsFromItsFirstRun() {
    var record = TransferRecord(peerId: id)
    record.note(.timedOut, "a", now: now)
    record.note(.storeFull, "b", now: now.advanced(by: .seconds(60)))
    #expect(record.trouble?.since == now)
    #expect(record.trouble?.runs == 2)
    #expect(record.trouble?.code == .storeFull)
  }

  @Test func runsThatDidNotReachThePeerAreCountedApart() {
    var record = TransferRecord(peerId: id)
    for second in 0..<60 {
      record.note(.cannotConnect, "off", now: now.advanced(by: .seconds(Int64(second))))
    }
    #expect(record.trouble?.runs == 60)
    let later = now.advanced(by: .seconds(60))
    record.note(.connectionLost, "a", now: later)
    record.note(.rulesDiffer, "b", now: later.advanced(by: .seconds(1)))
    #expect(record.trouble?.since == later)
    #expect(record.trouble?.runs == 2)
    // An absence does not hide that each run that reached the peer has failed.
    record.note(.interrupted, "c", now: later)
    record.note(.rulesDiffer, "d", now: later)
    #expect(record.trouble?.runs == 1)
    #expect(record.trouble?.reached == 3)
  }

  @Test func aPeerIsItselfInAnyCase() {
    var list = TransferList()
    list.store(TransferRecord(peerId: id))
    list.store(TransferRecord(peerId: id.uppercased()))
    #expect(list.records.count == 1)
    list.forget(id)
    #expect(list.records.isEmpty)
  }

  @Test(arguments: [
    "{", "[]", #"{"peerId":"laptop"}"#,
    #"{"peerId":"6f2c9a4e-0000-4000-8000-00000000000a","bytesReceived":-1}"#,
    #"{"peerId":"6f2c9a4e-0000-4000-8000-00000000000a","bytesReceived":0,"bytesSent":0,"code":"timedOut"}"#,
  ])
  func damageIsToldWithItsLine(line: String) {
    #expect(throws: DamagedLine.self) { try list("\n" + line + "\n") }
  }
}
