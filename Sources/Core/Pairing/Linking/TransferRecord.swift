package import JSONLines
package import SyncCore

/// A record of the runs with a peer.
///
/// docs/formats/transfers.md lists the members.
package struct TransferRecord: Equatable, Sendable {
  /// A UUID; compared without regard to case.
  package var peerId: String
  /// The address at which the peer was last reached, `HOST:PORT`.
  package var address: String?
  package var lastRunAt: Instant?
  /// When changes were last transferred in either direction.
  package var lastTransferAt: Instant?
  /// Bytes over links, in either direction, over all runs.
  package var bytesReceived = 0
  package var bytesSent = 0
  /// The failure of the last run; nil if it succeeded.
  package var trouble: Trouble?

  /// The failed runs since the last success.
  package struct Trouble: Equatable, Sendable {
    /// The code of the last failed run, from docs/exit-status.md.
    package var code: ErrorCode
    package var message: String
    /// The time of the first run in the last series of failed runs.
    ///
    /// Runs that did not reach the peer, or were interrupted, are not in one series with other failed runs.
    package var since: Instant
    /// The number of runs in this series.
    package var runs: Int
    /// The number of failed runs that reached the peer, even if runs between them did not.
    package var reached: Int

    /// Whether the runs did not reach the peer or were interrupted; neither needs a remedy.
    package var isAbsence: Bool { Self.absences.contains(code) }

    private static let absences: Set<ErrorCode> = [
      .cannotConnect, .remoteUnreachable, .peerNotFound, .interrupted,
    ]
  }

  package init(peerId: String) { self.peerId = peerId }

  /// Whether the record is about the peer with this id.
  package func isAbout(_ id: String) -> Bool { PeerID.areSame(peerId, id) }

  /// Notes a failed run.
  package mutating func note(_ code: ErrorCode, _ message: String, now: Instant) {
    var next = Trouble(code: code, message: message, since: now, runs: 1, reached: trouble?.reached ?? 0)
    if let trouble, trouble.isAbsence == next.isAbsence {
      (next.since, next.runs) = (trouble.since, trouble.runs + 1)
    }
    if !next.isAbsence { next.reached += 1 }
    trouble = next
  }
}

extension TransferRecord {
  private enum Name: String {
    case peerId, address, lastRunAt, lastTransferAt, bytesReceived, bytesSent
    case code, message, failingSince, failedRuns, failedReachedRuns
  }

  /// The record as a JSON object, which is one line of the file.
  package var json: JSONValue {
    let values: [(Name, JSONValue?)] = [
      (.peerId, .string(peerId)), (.address, address.map { .string($0) }),
      (.lastRunAt, lastRunAt.map { .string($0.description) }),
      (.lastTransferAt, lastTransferAt.map { .string($0.description) }),
      (.bytesReceived, .integer(bytesReceived)), (.bytesSent, .integer(bytesSent)),
      (.code, trouble.map { .string($0.code.rawValue) }), (.message, trouble.map { .string($0.message) }),
      (.failingSince, trouble.map { .string($0.since.description) }),
      (.failedRuns, trouble.map { .integer($0.runs) }),
      (.failedReachedRuns, trouble.map { .integer($0.reached) }),
    ]
    return .object(values.compactMap { name, value in value.map { JSONMember(name.rawValue, $0) } })
  }

  /// Reads one line of the file.
  package init(parsing line: Span<UInt8>) throws(MemberError) {
    let members = try RecordMembers(record: line)
    func has(_ name: Name) throws(MemberError) -> Bool { try members.has(name.rawValue) }
    self.init(peerId: try members.uuid(Name.peerId.rawValue))
    address = try has(.address) ? members.text(Name.address.rawValue) : nil
    lastRunAt = try has(.lastRunAt) ? members.time(Name.lastRunAt.rawValue) : nil
    lastTransferAt = try has(.lastTransferAt) ? members.time(Name.lastTransferAt.rawValue) : nil
    bytesReceived = try members.count(Name.bytesReceived.rawValue)
    bytesSent = try members.count(Name.bytesSent.rawValue)
    guard try has(.code) else { return }
    trouble = Trouble(
      // A later version may have written a code that is unknown here.
      code: ErrorCode(rawValue: try members.text(Name.code.rawValue)) ?? .peerError,
      message: try members.text(Name.message.rawValue),
      since: try members.time(Name.failingSince.rawValue), runs: try members.count(Name.failedRuns.rawValue),
      reached: try members.count(Name.failedReachedRuns.rawValue))
  }
}

/// The records of the runs with each peer.
package struct TransferList: RecordList {
  package private(set) var records: [TransferRecord] = []

  package init() {}

  /// Reads one record per line.
  package init(parsing text: [UInt8]) throws(DamagedLine) {
    try RecordLines.read(text) { line throws(MemberError) in store(try TransferRecord(parsing: line.span)) }
  }

  /// One record per line, in order.
  package var text: [UInt8] { records.flatMap { Array($0.json.text.utf8) + [10] } }

  /// The record of a peer, or a new one if it does not exist.
  package func record(of id: String) -> TransferRecord {
    records.first { $0.isAbout(id) } ?? TransferRecord(peerId: id)
  }

  package mutating func store(_ record: TransferRecord) {
    guard let index = records.firstIndex(where: { $0.isAbout(record.peerId) }) else {
      return records.append(record)
    }
    records[index] = record
  }

  package mutating func forget(_ id: String) { records.removeAll { $0.isAbout(id) } }
}
