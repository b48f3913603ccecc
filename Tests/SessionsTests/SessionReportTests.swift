import JSONLines
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

  @Test func changesInQuarantineAreReportedOnce() {
    var first = report(conflicts: 0..<0)
    (first.setAside, first.quarantinedThere) = (1, 2)
    var second = first
    (second.setAside, second.quarantinedThere) = (4, 3)
    let rest = second.since(first)
    #expect(rest.setAside == 3 && rest.quarantinedThere == 1 && rest.isSetAside)
    #expect(!second.since(second).isSetAside)
    var named = rest
    named.blameQuarantine()
    #expect(named.trouble?.code == .quarantined && rest.trouble == nil)
  }

  @Test func aLaterSessionDoesNotHideChangesInQuarantine() {
    var sum = report(conflicts: 0..<0)
    sum.trouble = SessionReport.interruption
    sum.add(report(conflicts: 0..<0))
    #expect(sum.trouble == nil)
    var first = sum
    first.quarantinedThere = 2
    sum.add(first)
    sum.add(report(conflicts: 0..<0))
    #expect(sum.quarantinedThere == 2 && sum.trouble?.code == .quarantined)
    var lost = report(conflicts: 0..<0)
    lost.trouble = SessionReport.interruption
    sum.add(lost)
    #expect(sum.isInterrupted && sum.quarantinedThere == 2)
  }

  /// The other side names the counts, and they are added up without a limit.
  @Test func aCountThatHasWrappedAroundIsNoOverflow() {
    var first = report(conflicts: 0..<0)
    first.quarantinedThere = .max
    var second = first
    second.quarantinedThere = .min + 1
    #expect(second.since(first).quarantinedThere == 2)
    second.add(first)
    #expect(second.quarantinedThere == 0)
  }

  /// Only some keys are kept, but all are counted.
  @Test func conflictsWithoutAKeyAreCounted() {
    let first = report(conflicts: 0..<20)
    let rest = report(conflicts: 20..<23, after: first).since(first).conflicts
    #expect(rest.count == 3 && rest.keys.isEmpty)
  }
}
