package import JSONLines
package import SyncCore

/// The trusted peers.
package struct TrustList: RecordList {
  package private(set) var records: [TrustRecord] = []

  package init() {}

  /// Reads one record per line.
  package init(parsing text: [UInt8]) throws(DamagedLine) {
    try RecordLines.read(text) { line throws(MemberError) in
      let record = try TrustRecord(parsing: line.span)
      if contains(record) {
        throw MemberError(.other("the peer or its key appears in an earlier line", .damagedRecord))
      }
      records.append(record)
    }
  }

  /// One record per line, in order.
  package var text: [UInt8] { records.flatMap { Array($0.json.text.utf8) + [10] } }

  private func contains(_ record: TrustRecord) -> Bool {
    records.contains {
      $0.isAbout(record.peerId) || $0.hasKey(record.publicKeyFingerprint, over: record.version)
    }
  }

  // MARK: Changes

  /// Adds the record, or replaces the old record about the same peer and keeps the time of its last sync.
  ///
  /// An old record from another version is dropped, because it may be about another device. Call
  /// ``conflict(with:over:own:)`` first to check whether the peer may be trusted.
  package mutating func store(_ record: TrustRecord) {
    guard let index = records.firstIndex(where: { $0.isAbout(record.peerId) }) else {
      return records.append(record)
    }
    guard records[index].version == record.version else {
      records[index] = record
      return
    }
    var record = record
    record.lastSuccessfulSyncAt = record.lastSuccessfulSyncAt ?? records[index].lastSuccessfulSyncAt
    if record.others.isEmpty { record.others = records[index].others }
    records[index] = record
  }

  package mutating func forget(_ id: String) { records.removeAll { $0.isAbout(id) } }

  package func record(of id: String) -> TrustRecord? { records.first { $0.isAbout(id) } }
}

extension TrustList {
  /// The result of resolving a PEER on a command line.
  package enum Match: Equatable, Sendable {
    case one(TrustRecord)
    case none
    case several([TrustRecord])
  }

  /// The shortest accepted beginning of an id.
  package static let shortestPrefix = 4

  /// Finds a peer by its id, the beginning of its id, or its name, if that is unique.
  package func find(_ peer: String) -> Match {
    if let record = record(of: peer) { return .one(record) }
    let isPrefix = peer.utf8.count >= Self.shortestPrefix
    let matches = records.filter {
      isPrefix && $0.peerId.lowercased().hasPrefix(peer.lowercased()) || $0.deviceName == peer
    }
    if matches.count > 1 { return .several(matches) }
    return matches.first.map { .one($0) } ?? .none
  }
}

/// The data kept about a peer after pairing.
package struct TrustRecord: Equatable, Sendable {
  /// A UUID; compared without regard to case.
  package var peerId: String
  /// The device's name for people; it does not prove anything.
  package var deviceName: String
  /// The pinned fingerprint, 64 lower-case hex digits.
  ///
  /// In version 1, it is a number from the peer that is not derived from a key.
  package var publicKeyFingerprint: String
  /// The only version over which the peer is trusted.
  package var version: ProtocolVersion
  package var pairedAt: Instant
  package var lastSuccessfulSyncAt: Instant?
  /// Unknown members, kept for the version that wrote them.
  var others: [UnknownMember] = []

  package init(
    _ peer: PeerIntroduction, version: ProtocolVersion, pairedAt: Instant,
    lastSuccessfulSyncAt: Instant? = nil
  ) {
    peerId = peer.peerId
    deviceName = peer.deviceName
    publicKeyFingerprint = peer.publicKeyFingerprint
    self.version = version
    self.pairedAt = pairedAt
    self.lastSuccessfulSyncAt = lastSuccessfulSyncAt
  }

  /// The introduction of the peer.
  package var introduction: PeerIntroduction {
    PeerIntroduction(peerId: peerId, deviceName: deviceName, publicKeyFingerprint: publicKeyFingerprint)
  }

  /// Whether the record has this fingerprint; fingerprints of the two versions are unrelated.
  func hasKey(_ fingerprint: String, over version: ProtocolVersion) -> Bool {
    self.version == version && publicKeyFingerprint == fingerprint
  }

  /// Whether the record is about the peer with this id.
  package func isAbout(_ id: String) -> Bool { PeerID.areSame(peerId, id) }
}

/// A member as it was read.
typealias UnknownMember = JSONMember

extension TrustRecord {
  private enum Name: String, CaseIterable {
    case peerId, deviceName, publicKeyFingerprint, protocolVersion, pairedAt, lastSuccessfulSyncAt
  }

  /// The record as a JSON object, which is one line of the trust store.
  package var json: JSONValue {
    let values: [(Name, JSONValue?)] = [
      (.peerId, .string(peerId)), (.deviceName, .string(deviceName)),
      (.publicKeyFingerprint, .string(publicKeyFingerprint)), (.protocolVersion, .integer(version.rawValue)),
      (.pairedAt, .string(pairedAt.description)),
      (.lastSuccessfulSyncAt, lastSuccessfulSyncAt.map { .string($0.description) }),
    ]
    return .object(values.compactMap { name, value in value.map { JSONMember(name.rawValue, $0) } } + others)
  }

  /// Reads one line of a trust store.
  package init(parsing line: Span<UInt8>) throws(MemberError) {
    let members = try RecordMembers(record: line)
    let version = try members.version(Name.protocolVersion.rawValue)
    self.init(
      PeerIntroduction(
        peerId: try members.uuid(Name.peerId.rawValue),
        deviceName: try members.text(Name.deviceName.rawValue),
        publicKeyFingerprint: try members.text(Name.publicKeyFingerprint.rawValue)),
      version: version, pairedAt: try members.time(Name.pairedAt.rawValue),
      lastSuccessfulSyncAt: try members.has(Name.lastSuccessfulSyncAt.rawValue)
        ? members.time(Name.lastSuccessfulSyncAt.rawValue) : nil)
    if let flaw = introduction.fingerprintFlaw(over: version) {
      throw members.error(Name.publicKeyFingerprint.rawValue, .wrong(flaw))
    }
    others = members.all.filter { Name(rawValue: $0.name) == nil }
  }
}
