import CommandLineTool
import Peering
package import SyncCore
import SystemIO
import Transport
import Trust

/// One session with each of some peers, one after the other.
package struct SyncRun {
  private let caller: Caller
  private let rules: SyncRules
  private let book: TransferBook
  private let part: DialogueSpeaker.Part

  package init(_ caller: Caller, _ rules: SyncRules, _ book: TransferBook, _ part: DialogueSpeaker.Part) {
    (self.caller, self.rules, self.book, self.part) = (caller, rules, book, part)
  }

  /// Throws for a signal only; everything else that goes wrong is in the report.
  package func session(
    with record: TrustRecord, moved: @escaping (_ bytes: Int) -> Void
  ) throws -> SessionReport {
    var address: String?
    var report: SessionReport
    do {
      let (link, place) = try caller.link(to: record, part) { moved($0.bytes) }
      address = place
      try LinkLoop.run(link)
      report = SessionReport(link, with: LinkPeer(record), rules)
      if part.isTrial, report.trouble?.code == .tooManyDeletions { report.trouble = nil }
    } catch let error as SystemError where error.isInterruption {
      throw error
    } catch {
      report = SessionReport(LinkPeer(record), trouble: Self.diagnostic(error))
    }
    if !part.isTrial { try book.note(report, address: address, now: rules.store.present) }
    return report
  }

  static func diagnostic(_ error: any Error) -> Diagnostic {
    switch error {
    case let error as Diagnostic: error
    case let error as SystemError: Diagnostic(error)
    default: Diagnostic(.bug, "unexpected error: \(error)")
    }
  }
}
