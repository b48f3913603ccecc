package import JSONLines
import SyncCore

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
  package init(parsing line: Span<UInt8>) throws(RecordError) {
    let members = try RecordMembers(parsing: line)
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
      throw RecordError("'publicKeyFingerprint' is \(flaw)")
    }
    others = members.all.filter { Name(rawValue: $0.name) == nil }
  }
}
