package import JSONLines
package import SyncCore

/// A record of the planner, as an app sends and receives it.
package struct PlannerRecord: Equatable, Sendable {
  package let kind: PlannerKind
  package let id: String
  /// All members that are content.
  package let content: [JSONMember]
  /// When the record was changed, if known.
  package let clock: Instant?
  /// Why a record of an app is not accepted.
  package struct Fault: Error, Equatable {
    package let code: ErrorCode
    package let message: String
  }

  /// Reads a record of an app.
  package init(_ value: JSONValue, _ kind: PlannerKind) throws(Fault) {
    guard let members = value.objectValue else { throw Fault(code: .notAnObject, message: "not an object") }
    if let name = members.repeatedName {
      throw Fault(code: .duplicateMember, message: "duplicate member '\(name.escapingControls)'")
    }
    for known in kind.known {
      guard let value = members[named: known.name], value != .null else {
        if case .needed = known.presence {
          throw Fault(code: .missingMember, message: "'\(known.name)' is missing")
        }
        continue
      }
      if let (code, expected) = known.type.fault(value) {
        throw Fault(code: code, message: "'\(known.name)' is not \(expected)")
      }
    }
    self.kind = kind
    id = members[named: "id"]?.stringValue ?? ""
    content = members.filter { !PlannerKind.bookkeeping.contains($0.name) && $0.value != .null }
    clock = members[named: kind.clockName].flatMap { PlannerDate.instant($0) }
    revision = Int64(members[named: "syncRevision"]?.intValue ?? 0)
  }

  /// When the occurrence was completed.
  package var end: Instant? { content[named: "completedAt"].flatMap { PlannerDate.instant($0) } }

  /// Whether this is the stand-in for a deleted record; a stand-in must not be stored as a record.
  ///
  /// An app cannot make such a template: its templates recur or have a title.
  package var isStandIn: Bool {
    switch kind {
    case .member, .completion: false
    case .occurrence: content[named: "templateID"]?.stringValue == PlannerLine.noTemplate
    case .template:
      content[named: "isActive"] == false && content[named: "title"] == ""
        && content[named: "cadenceValue"]?.intValue == 0
        && content[named: "createdAt"].flatMap { PlannerDate.instant($0) } == clock && clock != nil
    }
  }

  /// The revision with which the app received the record; 0 if the app has changed the record.
  package let revision: Int64

  /// The content to store in place of a stored record.
  ///
  /// A record that the app returns unchanged does not count as a change.
  ///
  /// This applies even if values were spelled differently, replaced by defaults, or left out because they
  /// could not be sent. In a changed record, unknown members stay, and optional members that the app leaves
  /// out are removed.
  package func content(over stored: PlannerLine?) -> [JSONMember] {
    guard let stored, !stored.isDeleted else { return content }
    let told = stored.told(revision: 0, member: nil)?.objectValue ?? []
    // A record may have very many members.
    let (own, names) = (content.byName, Set(stored.content.map { Array($0.name.utf8) }))
    var result: [JSONMember] = []
    for member in stored.content {
      let now = own[Array(member.name.utf8)]
      guard let known = kind.known.first(where: { $0.name == member.name }) else {
        result.append(JSONMember(member.name, now ?? member.value))
        continue
      }
      let before = told[named: member.name]
      if known.isSame(now, before) || now == nil && !known.isCleared {
        result.append(member)
      } else if let now {
        result.append(JSONMember(member.name, now))
      }
    }
    return result
      + content.filter { member in
        if names.contains(Array(member.name.utf8)) { return false }
        let known = kind.known.first { $0.name == member.name }
        return known?.isSame(member.value, told[named: member.name]) != true
      }
  }

  /// The change line of a record with this content.
  package static func line(
    _ kind: PlannerKind, id: String, _ content: [JSONMember], clock: Instant
  ) -> [UInt8] {
    let line: JSONValue = [
      "entityName": .string(kind.rawValue), "identity": ["id": .string(id)],
      "modifiedAt": .string("\(clock)"), "fields": .object(content),
    ]
    return Array(line.text.utf8)
  }
}

extension [JSONMember] {
  /// The first value of each name.
  fileprivate var byName: [[UInt8]: JSONValue] {
    Dictionary(map { ([UInt8]($0.name.utf8), $0.value) }) { first, _ in first }
  }
}

extension PlannerKind.Known {
  /// Whether the app removes the member by leaving it out.
  fileprivate var isCleared: Bool { if case .optional = presence { true } else { false } }

  /// Whether a value is the same as the value that the app received.
  fileprivate func isSame(_ one: JSONValue?, _ told: JSONValue?) -> Bool {
    guard let one, let other = told else { return one == nil && told == nil }
    guard let one = type.told(one) else { return false }
    if case .uuid = type { return one.stringValue?.lowercased() == other.stringValue?.lowercased() }
    return one == other
  }
}

/// A change line of a store, in the form that an app receives.
package struct PlannerLine {
  package let kind: PlannerKind
  package let id: String
  package let clock: Instant?
  package let content: [JSONMember]
  package let isDeleted: Bool

  /// Nil for a line that is not a record of the planner: another entity, or an id that is not a UUID.
  package init?(_ line: Span<UInt8>) {
    guard let value = try? JSONValue(parsing: line),
      let kind = value["entityName"]?.stringValue.flatMap({ PlannerKind(rawValue: $0) }),
      let id = value["identity"]?["id"]?.stringValue, UUIDText(id) != nil
    else { return nil }
    (self.kind, self.id) = (kind, id)
    let deleted = value["deletedAt"].flatMap { $0.marksDeletion ? $0 : nil }
    isDeleted = deleted != nil
    clock = (deleted ?? value["modifiedAt"])?.stringValue.flatMap { Instant($0) }
    content = value["fields"]?.objectValue ?? []
  }

  /// The record with all members that the app's decoder requires; nil if one of them cannot be sent.
  ///
  /// A deleted occurrence is sent as skipped, and a deleted template as inactive; other deletions cannot be
  /// sent. `member` is the member to whom the client's key belongs.
  package func told(revision: Int64, member: String?) -> JSONValue? {
    var content = content
    if isDeleted {
      guard let stand = standIn else { return nil }
      content = stand
    }
    var members: [JSONMember] = []
    for known in kind.known {
      let value =
        known.name == "id" ? .string(id) : content[named: known.name].flatMap { known.type.told($0) }
      switch (value, known.presence) {
      case (let value?, _): members.append(JSONMember(known.name, value))
      case (nil, .needed): return nil
      case (nil, .optional): break
      case (nil, .default(let value)): members.append(JSONMember(known.name, value))
      case (nil, .clock):
        members.append(JSONMember(known.name, .string(PlannerDate.text(clock ?? .epoch))))
      }
    }
    let names = Set(kind.known.map(\.name) + PlannerKind.bookkeeping)
    members += content.filter { !names.contains($0.name) }
    if kind == .member { members.append(JSONMember("isSelf", .bool(isSame(member)))) }
    return .object(members + [JSONMember("syncRevision", .integer(revision))])
  }

  /// The template id in the stand-in for a deleted occurrence.
  static let noTemplate = "00000000-0000-0000-0000-000000000000"

  private func isSame(_ member: String?) -> Bool { member?.lowercased() == id.lowercased() }

  /// The content to send for a deleted record, which does not have its own content any more.
  private var standIn: [JSONMember]? {
    let date = JSONValue.string(PlannerDate.text(clock ?? .epoch))
    switch kind {
    case .member, .completion: return nil
    case .template: return [JSONMember("isActive", .bool(false))]
    case .occurrence:
      return [
        JSONMember("templateID", .string(Self.noTemplate)),
        JSONMember("dueDate", date),
        JSONMember("statusRaw", .string("skipped")),
      ]
    }
  }

  /// The deletion as an element of the list `deletions`.
  package var deletion: JSONValue {
    [
      "entity": .string(kind.rawValue), "id": .string(id),
      "deletedAt": .string(PlannerDate.text(clock ?? .epoch)),
    ]
  }
}
