import CommandLineTool
import Discovery
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

  /// What goes wrong is in the report, be it that a signal came, or that it cannot be written down.
  package func session(
    with record: TrustRecord, moved: @escaping (_ bytes: Int) -> Void
  ) -> SessionReport {
    var address: String?
    var report: SessionReport
    do {
      let link: Link
      (link, address) = try run(record, moved)
      report = SessionReport(link, with: LinkPeer(record), rules)
    } catch {
      report = SessionReport(LinkPeer(record), trouble: Self.diagnostic(error))
    }
    report.blameSignal()
    if part.isTrial { return report }
    do {
      try book.note(report, address: address, now: rules.store.present)
    } catch {
      report.trouble = report.trouble ?? Self.diagnostic(error)
    }
    return report
  }

  private func run(
    _ record: TrustRecord, _ moved: @escaping (Int) -> Void
  ) throws -> (link: Link, address: String?) {
    let peer = try TrustedPeers.link(record)
    do {
      let way = try caller.places.reach(record)
      let link = try caller.link(over: way.connection, to: peer, part, patience: way.patience) {
        moved($0.bytes)
      }
      try LinkLoop.run(link)
      // Another device may have the address by now.
      guard !link.isSettled, let found = try search(record, peer, moved) else { return (link, way.address) }
      return (found, found.remote.text)
    } catch let error as SystemError where error.isInterruption {
      throw error
    } catch {
      guard let found = try search(record, peer, moved) else { throw error }
      return (found, found.remote.text)
    }
  }

  /// Tries who may be the peer, one after the other; nil where nobody has shown its key in time.
  private func search(
    _ record: TrustRecord, _ peer: LinkPeer, _ moved: @escaping (Int) -> Void
  ) throws -> Link? {
    guard let dialer = caller.places.dialer(for: record) else { return nil }
    while let connection = try dialer.next() {
      let link = try caller.link(over: connection, to: peer, part, patience: dialer.patience) {
        moved($0.bytes)
      }
      try LinkLoop.run(link)
      if link.isSettled { return link }
      if case .untrustedPeer = link.failure { dialer.giveUp() }
    }
    return nil
  }

  static func diagnostic(_ error: any Error) -> Diagnostic {
    switch error {
    case let error as Diagnostic: error
    case let error as SystemError where error.isInterruption: SessionReport.interruption
    case let error as SystemError: Diagnostic(error)
    default: Diagnostic(.bug, "unexpected error: \(error)")
    }
  }
}

extension Link {
  /// The other end has the key of the peer, or what is wrong is here: looking elsewhere cannot help.
  var isSettled: Bool {
    switch failure {
    case .local: true
    case .refusedByPeer, .busyPeer: hasProvenKey
    default: hasOpened
    }
  }
}
