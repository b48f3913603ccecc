import Crypto
package import JSONLines
package import SyncCore

import SystemIO

/// The server's record of a household's key; the key itself is not stored.
package struct KeyRecord: Equatable, Sendable {
  package var id: String
  package var household: String
  /// The first key of a chain of rotations; the checkpoints of clients are stored under its id.
  package var origin: String
  package var member: String?
  package var device: String?
  package var isReadOnly = false
  package var createdAt: Instant
  package var expiresAt: Instant?
  /// The time at which the key becomes or became invalid; nil without such a time.
  package var revokedAt: Instant?
  /// Whether the key was revoked permanently, so that it stays invalid even if the clock steps back.
  package private(set) var isRevoked = false

  package init(id: String, household: String, origin: String? = nil, createdAt: Instant) {
    (self.id, self.household, self.origin, self.createdAt) = (id, household, origin ?? id, createdAt)
  }

  package var json: JSONValue {
    var members: [JSONMember] = [
      .init("keyId", .string(id)), .init("household", .string(household)), .init("origin", .string(origin)),
    ]
    if let member { members.append(.init("member", .string(member))) }
    if let device { members.append(.init("device", .string(device))) }
    members.append(.init("readOnly", .bool(isReadOnly)))
    members.append(.init("createdAt", .string("\(createdAt)")))
    if let expiresAt { members.append(.init("expiresAt", .string("\(expiresAt)"))) }
    if let revokedAt { members.append(.init("revokedAt", .string("\(revokedAt)"))) }
    if isRevoked { members.append(.init("revoked", .bool(true))) }
    return .object(members)
  }

  /// Reads a line; nil if it is invalid, even if only the expiry is: a key must not remain valid after its
  /// expiry.
  static func read(_ line: JSONValue) -> KeyRecord? {
    let (expires, revoked) = (instant(line["expiresAt"]), instant(line["revokedAt"]))
    guard let id = line["keyId"]?.stringValue, let household = line["household"]?.stringValue,
      let origin = line["origin"]?.stringValue, let isReadOnly = line["readOnly"]?.boolValue,
      let createdAt = instant(line["createdAt"]), HouseholdPlaces.isName(household),
      expires != nil || line["expiresAt"] == nil, revoked != nil || line["revokedAt"] == nil
    else { return nil }
    var record = KeyRecord(id: id, household: household, origin: origin, createdAt: createdAt)
    record.member = line["member"]?.stringValue
    record.device = line["device"]?.stringValue
    record.isReadOnly = isReadOnly
    record.expiresAt = expires
    record.revokedAt = revoked
    record.isRevoked = line["revoked"].map { $0 != .bool(false) } ?? false
    return record
  }

  /// Makes the key invalid at once; the time of an earlier revocation is kept.
  package mutating func revoke(at now: Instant) {
    (revokedAt, isRevoked) = (min(revokedAt ?? now, now), true)
  }

  /// Makes the key invalid at `end`, unless it becomes invalid earlier.
  package mutating func replace(at end: Instant) { revokedAt = min(revokedAt ?? end, end) }

  /// Why the key is invalid; nil if it is valid.
  package func refusal(at now: Instant) -> KeyRing.Refusal? {
    if isRevoked { return .revoked }
    if let revokedAt, revokedAt <= now { return .revoked }
    if let expiresAt, expiresAt <= now { return .expired }
    return nil
  }

  private static func instant(_ value: JSONValue?) -> Instant? { value?.stringValue.flatMap { Instant($0) } }
}

/// The keys of a server: `keys.jsonl` and the secret `server.key`, 0600 in a folder of 0700 beside the stores.
///
/// The content of a key is signed with the secret, so a guess is refused before a file is opened. Keys are
/// not kept in the stores, so restoring a store does not restore a key.
package final class KeyRing: Sendable {
  private let file: PrivateFile
  private let secretFile: PrivateFile
  /// The keys read last, and the file's stamp at that time.
  private let read = Monitor(Known())

  private struct Known {
    var stamp: FileStamp?
    var records: [String: KeyRecord] = [:]
    /// Texts of keys with a correct MAC, each with the id of its record.
    var proven: [String: String] = [:]
    var secret: [UInt8]?
  }

  package init(in folder: String) {
    file = PrivateFile("keys.jsonl", in: folder)
    secretFile = PrivateFile("server.key", in: folder)
  }

  // MARK: Texts

  /// The text of a key: `ps1.HOUSEHOLD.KEYID.MAC`, the MAC in Base64 for URLs.
  package func text(of record: KeyRecord) throws -> String {
    let head = "\(Self.version).\(record.household).\(record.id)"
    return "\(head).\(try mac(head, secret(creating: true)))"
  }

  private static let version = "ps1"

  private func mac(_ head: String, _ secret: [UInt8]) throws -> String {
    let message = Array(head.utf8)
    let code = try Digest.hmacSHA256(key: secret.span, message: message.span)
    return Base64.urlText(code)
  }

  /// The secret, 32 random bytes; with `creating` it is made if it does not exist.
  private func secret(creating: Bool) throws -> [UInt8] {
    if let secret = read.update({ $0.secret }) { return secret }
    var found = try explained { () throws(TransportError) in try secretFile.read() }
    if found == nil, creating {
      let bytes = try RandomBytes.make(32)
      try explained { () throws(TransportError) in
        try secretFile.locked { () throws(TransportError) in
          if try secretFile.read() == nil { try secretFile.replace(with: bytes) }
        }
      }
      found = try explained { () throws(TransportError) in try secretFile.read() }
    }
    guard let secret = found else { return [] }
    guard secret.count == 32 else {
      throw Diagnostic(.damagedRecord, "not the secret of a server", file: secretFile.path)
    }
    read.update { $0.secret = secret }
    return secret
  }

  // MARK: Asking

  /// Why a key is refused.
  package enum Refusal: Error, Equatable, Sendable {
    case unknown, revoked, expired

    package var message: String {
      switch self {
      case .unknown: "not a key of this server"
      case .revoked: "the key has been revoked"
      case .expired: "the key has expired"
      }
    }
  }

  /// The record of a key; the time of the comparison does not depend on which bytes of the MAC are wrong.
  package func find(_ text: String, at now: Instant) throws -> Result<KeyRecord, Refusal> {
    if let record = proven(text) { return Self.answer(record, at: now) }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count < 256, parts.count == 4, parts[0] == Self.version else { return .failure(.unknown) }
    let secret = try secret(creating: false)
    let expected = try mac(parts[..<3].joined(separator: "."), secret)
    guard !secret.isEmpty, Digest.areEqual(Array(expected.utf8), Array(parts[3].utf8)),
      let record = try record(String(parts[2])), record.household == parts[1]
    else { return .failure(.unknown) }
    read.update { if $0.records[record.id] != nil { $0.proven[text] = record.id } }
    return Self.answer(record, at: now)
  }

  private static func answer(_ record: KeyRecord, at now: Instant) -> Result<KeyRecord, Refusal> {
    record.refusal(at: now).map { .failure($0) } ?? .success(record)
  }

  /// The record of a text that was found before, if the file is unchanged since then.
  private func proven(_ text: String) -> KeyRecord? {
    let stamp = stamp
    return read.update { known in
      known.stamp == stamp ? known.proven[text].flatMap { known.records[$0] } : nil
    }
  }

  /// Why a key that was accepted before is now refused; nil if it is still valid.
  package func refusal(of key: KeyRecord, at now: Instant) throws -> Refusal? {
    guard let record = try record(key.id), record.household == key.household else { return .unknown }
    return record.refusal(at: now)
  }

  /// The stamp of the file; it changes when keys are revoked or made.
  var stamp: FileStamp? { FileStamp(of: file.path) }

  private func record(_ id: String) throws -> KeyRecord? {
    let stamp = stamp
    let known = read.update { $0 }
    if known.stamp == stamp { return known.records[id] }
    var records: [String: KeyRecord] = [:]
    for record in try load() { records[record.id] = record }
    let found = records
    read.update {
      ($0.stamp, $0.records, $0.proven) = (stamp, found, [:])
    }
    return found[id]
  }

  /// Throws an error that would cause every key to be refused.
  package func check() throws {
    guard try !load().isEmpty, try secret(creating: false).isEmpty else { return }
    throw Diagnostic(
      .fileNotFound, "the secret with which the keys were made is missing", file: secretFile.path,
      hint: "restore the file; without it, make new keys")
  }

  /// Rethrows errors of `body` with the name of the file.
  private func explained<Value>(_ body: () throws(TransportError) -> Value) throws -> Value {
    do { return try body() } catch { throw Diagnostic(error) }
  }

  package func load() throws -> [KeyRecord] {
    let text = try explained { () throws(TransportError) in try file.read() } ?? []
    return try text.split(separator: 10).enumerated().map { index, line in
      guard let value = try? JSONValue(parsing: Array(line).span), let record = KeyRecord.read(value) else {
        throw Diagnostic(.damagedRecord, "not a key of a server", file: file.path, line: index + 1)
      }
      return record
    }
  }

  /// Changes the list under a lock, so that other processes cannot change it at the same time.
  package func change(_ body: (inout [KeyRecord]) throws -> Void) throws {
    let result = try explained { () throws(TransportError) in
      try file.locked { () throws(TransportError) in
        Result {
          var records = try load()
          try body(&records)
          let text: [UInt8] = records.flatMap { Array($0.json.text.utf8) + [10] }
          try explained { () throws(TransportError) in try file.replace(with: text) }
        }
      }
    }
    try result.get()
  }
}
