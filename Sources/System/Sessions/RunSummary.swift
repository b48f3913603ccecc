package import CommandLine
package import JSONLines
package import SyncCore

/// What a run over all its remotes has come to: its last line, and its status.
package struct RunSummary {
  package private(set) var reports: [SessionReport] = []
  /// How many changes the store keeps aside after the run.
  package var quarantined = 0
  /// A signal has ended the run.
  package var isInterrupted = false

  package init() {}

  package mutating func add(_ report: SessionReport) { reports.append(report) }

  package var failed: [SessionReport] { reports.filter { $0.trouble != nil } }
  package var isChanged: Bool { reports.contains { $0.isChanged } }

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
    if isInterrupted { members.append(.init("interrupted", .bool(true))) }
    return .object(members)
  }

  /// What is wrong with the run as a whole, once each trouble has been told; nil where nothing is.
  ///
  /// Where nothing at all was done, the status is that of the first trouble.
  package var status: ExitStatus {
    let failed = failed
    guard let first = failed.first?.trouble else { return quarantined > 0 ? .badData : .done }
    return failed.count == reports.count ? first.exit : .badData
  }
}
