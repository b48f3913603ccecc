import StoreFiles
package import SyncCore

/// A device of a member.
package struct Device: Sendable {
  package var token: DeviceToken
  package var member: RecordID
  package var added: Instant

  package init(token: DeviceToken, member: RecordID, added: Instant) {
    (self.token, self.member, self.added) = (token, member, added)
  }
}

extension Outbox {
  /// Adds a device, or gives the one that is known to this member, inside `write`; what was still to be sent there to
  /// another member is not.
  package func add(_ device: Device) throws {
    if let owner = try owner(of: device.token), owner != device.member { try remove(device.token) }
    try database.statement(
      """
      INSERT INTO devices (token, member, addedAt) VALUES (?1, ?2, ?3)
      ON CONFLICT (token) DO UPDATE SET member = ?2, addedAt = ?3
      """
    ).bind(1, device.token.text).bind(2, device.member.text).bind(3, device.added.milliseconds).run()
  }

  /// Forgets a device, inside `write`; what was still to be sent there is not.
  package func remove(_ token: DeviceToken) throws {
    try database.statement("DELETE FROM devices WHERE token = ?1").bind(1, token.text).run()
    var pushes: [Int64] = []
    try database.statement(
      """
      UPDATE deliveries SET state = 'pruned', reason = 'removed' WHERE device = ?1 AND state = 'waiting'
      RETURNING push
      """
    ).bind(1, token.text).forEachRow { pushes.append($0.integer(0)) }
    for push in pushes { try finish(push) }
  }

  /// All devices, or those of a member, in the order of members and tokens.
  package func devices(of member: RecordID? = nil) throws -> [Device] {
    var devices: [Device] = []
    let rows = try database.statement("SELECT token, member, addedAt FROM devices ORDER BY member, token")
    try rows.forEachRow { row in
      let owner = RecordID(row.text(1))
      guard let token = DeviceToken(row.text(0)), let added = Instant(milliseconds: row.integer(2)),
        member == nil || member == owner
      else { return }
      devices.append(Device(token: token, member: owner, added: added))
    }
    return devices
  }

  private func owner(of token: DeviceToken) throws(StoreError) -> RecordID? {
    try database.statement("SELECT member FROM devices WHERE token = ?1").bind(1, token.text)
      .first { RecordID($0.text(0)) }
  }

  /// When a device was added; nil where it is not known any more.
  func added(_ token: String) throws(StoreError) -> Instant? {
    try database.statement("SELECT addedAt FROM devices WHERE token = ?1").bind(1, token)
      .first { Instant(milliseconds: $0.integer(0)) } ?? nil
  }
}
