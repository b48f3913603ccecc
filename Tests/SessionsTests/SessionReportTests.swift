import Links
@testable import Sessions
import SyncCore
import Testing

/// The progress of a session since its last report.
@Suite struct SessionReportTests {
  private func report(conflicts: Range<UInt8>, after earlier: SessionReport? = nil) -> SessionReport {
    var report = earlier ?? SessionReport(LinkPeer(peerId: "phone", deviceName: "Phone"))
    for key in conflicts { report.conflicts.add([key].span) }
    return report
  }

  @Test func eachConflictIsReportedOnce() {
    let first = report(conflicts: 0..<2)
    let second = report(conflicts: 2..<3, after: first)
    #expect(second.since(nil).conflicts == second.conflicts)
    #expect(second.since(first).conflicts == report(conflicts: 2..<3).conflicts)
    #expect(second.since(second).conflicts == Conflicts())
  }

  /// Only some keys are kept, but all are counted.
  @Test func conflictsWithoutAKeyAreCounted() {
    let first = report(conflicts: 0..<20)
    let rest = report(conflicts: 20..<23, after: first).since(first).conflicts
    #expect(rest.count == 3 && rest.keys.isEmpty)
  }
}
