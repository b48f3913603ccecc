import Crypto
package import JSONLines
package import Links
import PeerProtocol
package import Store
package import SyncCore
import SystemIO

/// The outcome of a session with a peer.
package struct SessionReport {
  package var peer: LinkPeer
  /// The id in parentheses that follows the peer's name in messages; empty unless the name matches another
  /// peer too.
  package var distinction = ""
  /// The address of the peer; nil if it was not found.
  package var remote: String?
  package var changesReceived = 0
  package var changesSent = 0
  /// Append-only records that differed from those of the peer.
  package var conflicts = Conflicts()
  /// Whether the store has adopted the rules of the peer, because it did not have rules.
  package var hasAdoptedRules = false
  /// Records that the other side lacks, and that may have been deleted there before this store was restored.
  package var keptAfterRestore = 0
  /// Changes of the other side that could not be applied here.
  package var setAside = 0
  /// Changes that the other side could not apply, and has in quarantine.
  package var quarantinedThere = 0
  /// The differences that a dry run has found.
  package var differences = Differences()
  /// The remote's own report of how far it has read this store; nil for a peer.
  package var held: [UInt8]?
  /// Files of a folder that are missing or incomplete here.
  package var awaited: [String] = []
  /// In a dry run: whether the other side has lost changes; then its own changes would be sent back to it.
  package var givesBack = false
  /// In a dry run: whether the other side rejects all changes from this device.
  package var onlyGives = false
  /// The changes that protocol version 1 could carry only in part.
  package var losses: String?
  package var bytesReceived = 0
  package var bytesSent = 0
  /// The seconds by which the other side's clock is ahead of ours; nil without a message from it.
  package var clockAhead: Int?
  /// Whether the other side has closed the connection without a message, which does not count as a failure.
  package private(set) var isSilent = false
  /// The reason why the session failed; nil if it succeeded.
  package var trouble: Diagnostic?

  package init(_ peer: LinkPeer, trouble: Diagnostic? = nil) { (self.peer, self.trouble) = (peer, trouble) }

  /// The report of a link that has ended.
  package init(_ link: Link, with peer: LinkPeer, _ settings: SessionSettings) {
    self.init(soFar: link, with: peer)
    let speaker = link.dialogue
    losses = speaker?.course?.losses.description
    trouble = Self.trouble(of: link, speaker, settings)
    isSilent = trouble == nil && speaker?.bytes == 0
    if trouble == nil, let count = speaker?.course?.leftOut, count > 0 {
      trouble = Diagnostic(leftOut: count, store: settings.storePath)
    }
    blameQuarantine()
  }

  /// A report of the progress of a link that may still be open.
  init(soFar link: Link, with peer: LinkPeer) {
    self.init(peer)
    remote = link.remote.text
    if let tally = link.dialogue?.tally { add(tally) }
    if let course = link.dialogue?.course {
      // Changes that version 1 could not carry are reported separately.
      setAside = course.setAside - course.leftOut
      quarantinedThere = course.quarantinedThere
    }
    clockAhead = link.dialogue?.clockAhead
    (bytesReceived, bytesSent) = (link.received, link.sent)
  }

  /// Adds the counts of an exchange.
  package mutating func add(_ tally: PeerStore.Tally) {
    (changesReceived, changesSent) = (tally.received, tally.sent)
    (conflicts, hasAdoptedRules) = (tally.conflicts, tally.hasAdoptedRules)
    (differences, givesBack) = (tally.differences, tally.hasDisowned)
    keptAfterRestore = tally.keptAfterRestore
  }

  /// If the session has not failed, reports the changes that the other side could not apply.
  package mutating func blameQuarantine() {
    if trouble == nil, quarantinedThere > 0 { trouble = Diagnostic(quarantinedThere: quarantinedThere) }
  }

  private static func trouble(of link: Link, _ speaker: DialogueSpeaker?, _ settings: SessionSettings)
    -> Diagnostic?
  {
    switch speaker?.failure {
    case let error as StoreError: return Diagnostic(error, store: settings.storePath)
    case let error as Diagnostic: return error
    case let error as SystemError: return Diagnostic(error)
    case let error?: return Diagnostic(.bug, "unexpected error: \(error)")
    case nil: break
    }
    if speaker?.isCutShort == true { return interruption }
    if let end = speaker?.end, let course = speaker?.course {
      return Diagnostic(end, of: course.settings, refusal: course.refusal, store: settings.storePath)
    }
    return Diagnostic(
      link.failure ?? .connectionLost("the connection ended before a message arrived"), from: link.remote.text
    )
  }

  /// The progress since an earlier report of the same session.
  func since(_ earlier: SessionReport?) -> SessionReport {
    guard let earlier else { return self }
    var rest = self
    rest.changesReceived -= earlier.changesReceived
    rest.changesSent -= earlier.changesSent
    rest.bytesReceived -= earlier.bytesReceived
    rest.bytesSent -= earlier.bytesSent
    rest.keptAfterRestore -= earlier.keptAfterRestore
    rest.setAside -= earlier.setAside
    // The other side determines this count, so it may have wrapped around.
    rest.quarantinedThere &-= earlier.quarantinedThere
    rest.conflicts = conflicts.since(earlier.conflicts)
    return rest
  }

  /// Adds a later session with the same peer: counts are summed, and the later outcome replaces the earlier
  /// one.
  ///
  /// Changes in quarantine on the other side stay there, even if the later session succeeded.
  package mutating func add(_ later: SessionReport) {
    remote = later.remote ?? remote
    changesReceived += later.changesReceived
    changesSent += later.changesSent
    bytesReceived += later.bytesReceived
    bytesSent += later.bytesSent
    keptAfterRestore += later.keptAfterRestore
    setAside += later.setAside
    quarantinedThere &+= later.quarantinedThere
    conflicts.add(later.conflicts)
    trouble = later.trouble
    blameQuarantine()
  }

  /// The diagnostic of a session that a signal has ended.
  package static let interruption = Diagnostic(.interrupted, "the session was interrupted")

  /// If a signal has arrived, replaces the error by the report of the interruption.
  ///
  /// Changes in quarantine do not end a session early.
  package mutating func blameSignal() {
    guard let error = trouble, error.code != .quarantined, Interruption.pending != nil else { return }
    trouble = Self.interruption
  }

  package var isInterrupted: Bool { trouble?.code == .interrupted }

  /// Whether changes could not be applied, here or on the other side.
  package var isSetAside: Bool { setAside > 0 || quarantinedThere > 0 }

  package var isChanged: Bool { changesReceived + changesSent > 0 }

  /// One line of a run's output.
  package var json: JSONValue {
    var members: [JSONMember] = [
      .init("peerId", .string(peer.peerId)), .init("deviceName", .string(peer.deviceName)),
    ]
    if let remote { members.append(.init("remote", .string(remote))) }
    let contested =
      conflicts.count > 0 ? [JSONMember("conflicts", .integer(conflicts.count))] : []
    return .object(members + changes + bytes + contested + waiting + code)
  }

  /// The peer in a message.
  package var name: String { "'\(peer.deviceName.escapingControls)'\(distinction)" }

  /// The result as a sentence for people; nil if the trouble already reports it.
  package func sentence(isDryRun: Bool = false) -> String? {
    let would = isDryRun ? "would be " : ""
    if isChanged { return "\(name): changes \(would)received: \(changesReceived), sent: \(changesSent)" }
    if trouble != nil || !awaited.isEmpty { return nil }
    return "\(name): \(isDryRun ? "there is nothing to do" : "nothing new on either side")"
  }

  /// The counts of exchanged changes.
  package var changes: [JSONMember] {
    let kept = keptAfterRestore > 0 ? [JSONMember("keptAfterRestore", .integer(keptAfterRestore))] : []
    return [.init("changesReceived", .integer(changesReceived)), .init("changesSent", .integer(changesSent))]
      + kept
  }

  private var bytes: [JSONMember] {
    [.init("bytesReceived", .integer(bytesReceived)), .init("bytesSent", .integer(bytesSent))]
  }

  private var waiting: [JSONMember] {
    awaited.isEmpty ? [] : [JSONMember("waitingFor", .array(awaited.map { .string($0) }))]
  }

  /// The code and message of the error, if the session failed.
  package var code: [JSONMember] {
    guard let trouble else { return [] }
    return [
      .init("code", .string(trouble.code.rawValue)),
      .init("message", .string(trouble.message.escapingControls)),
    ]
  }
}

extension SessionReport {
  /// A difference of clocks of at least this many seconds is reported, because the wrong one of two edits may win.
  package static let notableClock = 60

  /// The text for a difference of clocks.
  package static func said(_ ahead: Int) -> String {
    let size = abs(ahead)
    let amount = size < 120 ? "\(size) s" : size < 7_200 ? "\(size / 60) min" : "\(size / 3_600) h"
    return "\(amount) \(ahead > 0 ? "ahead of" : "behind") this device's"
  }
}

/// The summary of a run over all its remotes: its last line.
package struct RunSummary {
  package private(set) var reports: [SessionReport] = []
  /// The number of changes in quarantine after the run.
  package var quarantined = 0
  /// The number of changes that lost a conflict and that the store keeps after the run.
  package var keptConflicts = 0
  /// Whether a signal has ended the run.
  package var isInterrupted = false

  package init() {}

  package mutating func add(_ report: SessionReport) { reports.append(report) }

  package var failed: [SessionReport] { reports.filter { $0.trouble != nil } }
  package var isChanged: Bool { reports.contains { $0.isChanged } }

  /// The summary as a sentence for people; nil for a single remote.
  package var sentence: String? {
    guard reports.count > 1 else { return nil }
    let received = reports.reduce(0) { $0 + $1.changesReceived }
    let sent = reports.reduce(0) { $0 + $1.changesSent }
    return
      "\(reports.count - failed.count) of \(reports.count) synced; changes received: \(received), sent: \(sent)"
  }

  package func json(at now: Instant) -> JSONValue {
    func sum(_ count: (SessionReport) -> Int) -> JSONValue { .integer(reports.reduce(0) { $0 + count($1) }) }
    let counts: JSONValue = [
      "at": .string("\(now)"), "remotes": .integer(reports.count),
      "done": .integer(reports.count - failed.count), "failed": .integer(failed.count),
      "changesReceived": sum { $0.changesReceived }, "changesSent": sum { $0.changesSent },
      "bytesReceived": sum { $0.bytesReceived }, "bytesSent": sum { $0.bytesSent },
      "quarantined": .integer(quarantined),
    ]
    guard case .object(var members) = counts else { return counts }
    if reports.contains(where: { $0.conflicts.count > 0 }) {
      members.append(.init("conflicts", sum { $0.conflicts.count }))
    }
    if reports.contains(where: { $0.keptAfterRestore > 0 }) {
      members.append(.init("keptAfterRestore", sum { $0.keptAfterRestore }))
    }
    if keptConflicts > 0 { members.append(.init("conflictsKept", .integer(keptConflicts))) }
    if isInterrupted { members.append(.init("interrupted", .bool(true))) }
    return .object(members)
  }
}
