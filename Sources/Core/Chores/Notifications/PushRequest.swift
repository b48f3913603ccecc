import JSONLines
package import SyncCore

/// The request to Apple's push service for one notification on one device.
///
/// Source: "Sending notification requests to APNs" and "Generating a remote notification" in Apple's
/// documentation.
package struct PushRequest: Equatable, Sendable {
  /// The largest payload in bytes, for all push types used here.
  package static let largestPayload = 4_096
  package static let longestCollapseID = 64

  /// All headers except the authorization, in lower case as HTTP/2 requires.
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]

  /// `topic` is the app's bundle id; `apnsID` identifies this push to the service.
  package init(_ notification: Notification, apnsID: UUIDValue, topic: String) throws(NotificationError) {
    body = try Self.payload(notification)
    let isPull = notification.kind == .pull
    headers = [
      ("apns-id", apnsID.text), ("apns-topic", topic), ("apns-push-type", isPull ? "background" : "alert"),
      // A background push must have priority 5.
      ("apns-priority", isPull ? "5" : "10"), ("apns-expiration", "\(notification.expires.seconds)"),
      ("apns-collapse-id", notification.collapseID), ("content-type", "application/json"),
    ]
    for header in headers where !Self.isValue(header.value) { throw .invalidHeader(header.name) }
  }

  /// Throws the reason if the push service would reject a notification, alone or in a digest.
  package static func check(_ notification: Notification) throws(NotificationError) {
    _ = try payload(notification)
    guard isValue(notification.collapseID) else { throw .invalidHeader("collapseID") }
    guard let digest = notification.digest else { return }
    guard isValue(digest) else { throw .invalidHeader("digest") }
    guard digest.utf8.count <= longestCollapseID else { throw .collapseIDTooLong(digest.utf8.count) }
  }

  /// Whether a text can be the complete value of a header: RFC 9110 §5.5, RFC 9113 §8.2.1.
  ///
  /// A line break would begin another header, and libcurl leaves out a header without a value.
  package static func isValue(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return !scalars.isEmpty && scalars.first != " " && scalars.last != " "
      && !scalars.contains(where: \.isControl)
  }

  /// The body; throws if the body or the collapse id is longer than the service accepts.
  package static func payload(_ notification: Notification) throws(NotificationError) -> [UInt8] {
    let collapseLength = notification.collapseID.utf8.count
    guard collapseLength <= longestCollapseID else { throw .collapseIDTooLong(collapseLength) }
    let payload = Array(JSONValue.object(members(notification)).text.utf8)
    guard payload.count <= largestPayload else { throw .payloadTooLarge(payload.count) }
    return payload
  }

  static func canCarry(_ notification: Notification) -> Bool { (try? payload(notification)) != nil }

  private static func members(_ notification: Notification) -> [JSONMember] {
    guard notification.kind != .pull else { return [.init("aps", ["content-available": 1])] }
    let alert: JSONValue = ["title": .string(notification.title), "body": .string(notification.body)]
    let aps: JSONValue = [
      "alert": alert, "sound": "default", "category": .string(notification.kind.rawValue),
    ]
    return [.init("aps", aps)] + notification.deepLink
  }

  /// The path of a device.
  package static func path(_ device: String) -> String { "/3/device/\(device)" }

  /// The id of a notification on one device, the same for each attempt.
  package static func apnsID(of notification: UUIDValue, on device: String) -> UUIDValue {
    UUIDNames(in: notification).id(of: device)
  }

  package static func == (a: PushRequest, b: PushRequest) -> Bool {
    a.body == b.body && a.headers.elementsEqual(b.headers) { $0 == $1 }
  }
}

/// Apple's name for a device: hexadecimal digits, which are never shown.
package struct DeviceToken: Hashable, Sendable {
  package let text: String

  /// Reads digits in either case; nil for any other text.
  package init?(_ text: String) {
    let digits = Array(text.utf8)
    guard (2...400).contains(digits.count), digits.count % 2 == 0,
      digits.allSatisfy({ $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 6 })
    else { return nil }
    self.text = text.lowercased()
  }

  /// 12 digits by which people can distinguish devices; they do not reveal the token.
  package var handle: String { HexDigits.text(Array(SHA1.digest(Array(text.utf8)).prefix(6))) }
}
