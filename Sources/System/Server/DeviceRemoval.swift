import Chores
package import JSONLines
package import Store
import SyncCore

/// The registration of a device that is to be removed.
///
/// A device stays if it belongs to another member now, or was registered again later.
package struct DeviceRemoval: Sendable {
  package let token: String
  private let member: RecordID?
  private let added: Instant?

  /// Reads a `token`, and `memberID` and `addedAt` if they are present; nil for a value of another form.
  package init?(_ value: JSONValue) {
    let owner: JSONValue = value["memberID"] ?? .null
    let moment: JSONValue = value["addedAt"] ?? .null
    let added = moment.stringValue.flatMap { Instant($0) }
    guard let token = value["token"]?.stringValue, owner == .null || owner.stringValue != nil,
      moment == .null || added != nil
    else { return nil }
    (self.token, self.added) = (token.lowercased(), added)
    member = owner.stringValue.map { RecordID($0) }
  }

  /// Removes the device from a store; returns the removed registration.
  @discardableResult
  package func perform(in store: ChangeStore) throws -> (member: String, addedAt: String)? {
    try store.removeDevice(token) { owner, addedAt in
      if let member, member != RecordID(owner) { return false }
      guard let added, let present = Instant(addedAt) else { return true }
      // An outbox keeps whole milliseconds.
      return present.inMilliseconds <= added.inMilliseconds
    }
  }
}
