import JSONLines
import ServerProtocol
import Store
import SyncCore

/// A request that adds or removes a member's device, to which the planner's pushes are sent.
struct DevicesRequest {
  private let exchange: HTTPExchange
  private let now: Instant

  init(_ exchange: HTTPExchange, now: Instant) { (self.exchange, self.now) = (exchange, now) }

  func perform(by household: OpenHousehold) throws -> HTTPResponse {
    let value = try exchange.json()
    guard let token = value["token"]?.stringValue, Self.isToken(token) else {
      return .error(
        422, Diagnostic(.wrongType, "'token' is not the token of a device: use at most 200 hex digits"))
    }
    if exchange.head.method == "DELETE" {
      guard let removal = DeviceRemoval(value) else {
        return .error(
          422, Diagnostic(.wrongType, "'memberID' is not the id of a member, or 'addedAt' is not a date"))
      }
      try removal.perform(in: household.store)
      return HTTPResponse(204)
    }
    guard let member = value["memberID"]?.stringValue else {
      return .error(422, Diagnostic(.wrongType, "'memberID' is not the id of a member"))
    }
    // A member's id cannot contain a NUL, because PostgreSQL does not store NULs.
    guard !member.utf8.contains(0), try household.store.hasMember(member) == true else {
      return .error(400, Diagnostic(.unknownValue, "'memberID' is not a member of the household"))
    }
    guard try household.store.setDevice(token.lowercased(), of: member, now: now) else {
      return .error(
        403,
        Diagnostic(
          .refusedByPeer, "the household already has \(ChangeStore.mostDevices) devices",
          hint: "'syncserve devices --remove' removes devices that are gone"))
    }
    return .json(200, ["memberID": .string(member), "token": .string(token.lowercased())])
  }

  private static func isToken(_ text: String) -> Bool {
    (2...200).contains(text.utf8.count) && HexDigits.bytes(text) != nil
  }

}

extension ChangeStore {
  /// Whether the household has a member with this id; nil if the store is not a planner's household.
  package func hasMember(_ id: String) throws -> Bool? {
    guard let rules = try rules(), rules.hasSameRules(as: .chores) else { return nil }
    let line = Array(
      #"{"entityName":"Member","identity":{"id":\#(JSONValue.string(id).text)},"deletedAt":null}"#.utf8)
    var (lines, key) = (LineReader(RecordShape.chores), [UInt8]())
    guard (try? lines.read(line.span, key: &key)) != nil else { return false }
    return try self.line(of: key.span).map { !$0.isTombstone } ?? false
  }
}

extension HTTPExchange {
  /// The body of a request that is one JSON value.
  func json() throws -> JSONValue {
    let text = body
    do throws(JSONError) {
      return try JSONValue(parsing: text.span)
    } catch {
      throw Diagnostic(MemberError(.json(error)), line: 1)
    }
  }
}
