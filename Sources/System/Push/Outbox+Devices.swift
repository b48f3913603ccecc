package import Chores
import Store
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
  /// Adds devices, or moves known ones to these members, inside `write`; the last of equal tokens counts.
  ///
  /// Pending deliveries to a previous member are dropped.
  package func add(_ devices: [Device]) throws {
    for device in devices { try set(device) }
    // Drop only now: during the loop, a token with several lines may belong to another member for a short
    // time.
    try dropStrays()
  }

  private func set(_ device: Device) throws(StoreError) {
    try database.statement(
      """
      INSERT INTO devices (token, member, addedAt) VALUES (?1, ?2, ?3)
      ON CONFLICT (token) DO UPDATE SET member = ?2, addedAt = ?3
      """
    ).bind(1, device.token.text).bind(2, device.member.text).bind(3, device.added.milliseconds).run()
  }

  /// Removes a device, inside `write`; its pending deliveries are dropped.
  package func remove(_ token: DeviceToken) throws {
    try forget(token)
    try dropStrays()
  }

  /// Removes a device, inside `write`; the next `recover` drops its pending deliveries.
  func forget(_ token: DeviceToken) throws(StoreError) {
    try database.statement("DELETE FROM devices WHERE token = ?1").bind(1, token.text).run()
  }

  /// Ends deliveries to devices that no longer belong to their recipients, inside `write`; returns them.
  @discardableResult
  func dropStrays() throws -> [PushJob] {
    var jobs: [PushJob] = []
    try database.statement(
      """
      UPDATE deliveries SET state = 'pruned', reason = '\(Self.removed)'
      WHERE state = 'waiting' AND device <> '' AND NOT EXISTS
        (SELECT 1 FROM devices JOIN pushes ON member = recipient WHERE token = device AND number = push)
      RETURNING push, device, attempts, (SELECT line FROM pushes WHERE number = push)
      """
    ).forEachRow { jobs.append(try Self.job($0)) }
    for job in jobs { try finish(job.number) }
    return jobs.sorted { $0.number < $1.number }
  }

  /// The reason of a delivery that ended because its device no longer belongs to the recipient.
  static var removed: String { "removed" }

  /// Ends a delivery for which `isDue` no longer holds, inside `write`.
  func drop(_ job: PushJob) throws(StoreError) {
    try database.statement(
      "UPDATE deliveries SET state = 'pruned', reason = '\(Self.removed)' WHERE push = ?1 AND device = ?2"
    ).bind(1, job.number).bind(2, job.device).run()
    try finish(job.number)
  }

  func deviceCount() throws(StoreError) -> Int {
    Int(try database.integer("SELECT count(*) FROM devices") ?? 0)
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

  /// Whether a device still belongs to the recipient; another process may have reassigned or removed it in
  /// the meantime.
  func isDue(_ job: PushJob) throws(StoreError) -> Bool {
    if job.device.isEmpty { return true }
    return try database.statement("SELECT 1 FROM devices WHERE token = ?1 AND member = ?2")
      .bind(1, job.device).bind(2, job.notification.recipient.text).first { _ in true } ?? false
  }

  /// The time when a device was added; nil if it is no longer known.
  func added(_ token: String) throws(StoreError) -> Instant? {
    try database.statement("SELECT addedAt FROM devices WHERE token = ?1").bind(1, token)
      .first { Instant(milliseconds: $0.integer(0)) } ?? nil
  }
}

/// The devices that the push service reports as gone, in one run.
///
/// They are removed only at the end of the run: a wrong service, for example the one for production, reports
/// all devices as gone.
struct GoneDevices {
  /// The answers; their deliveries stay in flight until the devices are removed or kept at the end of the
  /// run.
  ///
  /// `added` is the time when the device was added, as stored when the answer arrived.
  private(set) var answers: [(job: PushJob, answer: PushAnswer, added: Instant?)] = []
  private var gone: Set<String> = []
  private var answered: Set<String> = []

  /// The number of devices that may be gone, whatever their share.
  private static let trusted = 5

  var count: Int { gone.count }
  /// The number of devices with an answer.
  var answeredCount: Int { answered.count }

  func contains(_ device: String) -> Bool { gone.contains(device) }

  /// Counts a device with an answer.
  mutating func count(_ job: PushJob) { answered.insert(job.device) }

  mutating func add(_ job: PushJob, _ answer: PushAnswer, added: Instant?) {
    gone.insert(job.device)
    answers.append((job, answer, added))
  }

  /// Whether implausibly many devices are gone: more than five, and at least half of those with an answer.
  var areTooMany: Bool { areTooMany(of: answered.count) }

  func areTooMany(of devices: Int) -> Bool { count > Self.trusted && count * 2 >= devices }
}
