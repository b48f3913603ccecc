import JSONLines

/// The bodies, described by JSON Schema (2020-12).
package enum Schemas {
  /// The schemas to which other schemas refer.
  static var components: JSONValue {
    let records = PlannerKind.allCases.map { JSONMember($0.rawValue, $0.schema) }
    return .object([JSONMember("Problem", problem)] + records)
  }

  static func named(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

  private static func object(_ members: [JSONMember], needed: [String]) -> JSONValue {
    [
      "type": "object", "properties": .object(members), "required": .array(needed.map { .string($0) }),
    ]
  }

  private static func object(_ members: [JSONMember]) -> JSONValue {
    object(members, needed: members.map(\.name))
  }

  private static func list(of schema: JSONValue) -> JSONValue { ["type": "array", "items": schema] }

  private static let text: JSONValue = ["type": "string"]
  private static let flag: JSONValue = ["type": "boolean"]
  private static let count: JSONValue = ["type": "integer", "minimum": 0]
  /// The last revision up to which a double represents every revision exactly, as programs may use doubles.
  package static let lastRevision: Int64 = 9_007_199_254_740_991
  static let revision: JSONValue = ["type": "integer", "minimum": 0, "maximum": .integer(lastRevision)]

  static let health = object([.init("status", ["const": "ok"])])

  private static let problem = object([
    .init(
      "error",
      object(
        [
          .init("code", text), .init("message", text), .init("line", count), .init("hint", text),
          .init("retryable", flag),
        ], needed: ["code", "message", "retryable"]))
  ])

  static let taken: JSONValue = {
    let names = ["taken", "deletions", "same", "lost", "refused", "quarantined"]
    let bad = object([.init("line", count), .init("code", text)])
    let more: [JSONMember] = [
      .init("badLines", list(of: bad)), .init("newTokenData", text),
    ]
    let counts = object(names.map { .init($0, count) } + more, needed: names)
    return ["anyOf": [counts, object([.init("disowned", flag)])]]
  }()

  static let snapshot: JSONValue = {
    let lists = PlannerKind.allCases.map { JSONMember($0.list, list(of: named($0.rawValue))) }
    let deletion = object([
      .init("entity", ["enum": .array(PlannerKind.allCases.map { .string($0.rawValue) })]), .init("id", text),
      .init("deletedAt", ValueType.date.schema),
    ])
    let refusal = object([.init("pointer", text), .init("code", text), .init("message", text)])
    return object(
      [JSONMember("revision", revision)] + lists + [
        .init("deletions", list(of: deletion)), .init("refused", list(of: refusal)),
        .init("refusedCount", count), .init("complete", flag),
      ])
  }()

  /// The records in the lists are checked one by one; the response lists the rejected ones.
  static let push: JSONValue = {
    let lists = PlannerKind.allCases.map { JSONMember($0.list, ["type": ["array", "null"]]) }
    let base: JSONValue = ["type": ["integer", "null"], "minimum": 0, "maximum": .integer(lastRevision)]
    var members = object([JSONMember("baseRevision", base)] + lists, needed: []).objectValue ?? []
    // Other members are ignored, but a list with records is refused.
    members.append(.init("additionalProperties", ["maxItems": 0]))
    return .object(members)
  }()

  private static let token: JSONValue = ["type": "string", "pattern": "^([0-9A-Fa-f]{2}){1,100}$"]

  static let device = object([.init("memberID", text), .init("token", token)])

  static let deviceRemoval: JSONValue = {
    let date: JSONValue = ["anyOf": [["type": "string", "format": "date-time"], ["type": "null"]]]
    return object(
      [.init("token", token), .init("memberID", ["type": ["string", "null"]]), .init("addedAt", date)],
      needed: ["token"])
  }()

  private typealias ValueType = PlannerKind.ValueType
}

extension PlannerKind {
  /// The schema of a sent record.
  fileprivate var schema: JSONValue {
    var members = known.map { JSONMember($0.name, $0.type.schema) }
    var needed = known.filter(\.isTold).map(\.name)
    let more =
      [JSONMember("syncRevision", ["type": "integer"])]
      + (self == .member ? [JSONMember("isSelf", ["type": "boolean"])] : [])
    members += more
    needed += more.map(\.name)
    return [
      "type": "object", "properties": .object(members), "required": .array(needed.map { .string($0) }),
    ]
  }
}

extension PlannerKind.Known {
  /// Whether the member is sent with each record.
  fileprivate var isTold: Bool { if case .optional = presence { false } else { true } }
}

extension PlannerKind.ValueType {
  fileprivate var schema: JSONValue {
    switch self {
    case .string: ["type": "string"]
    case .uuid: ["type": "string", "format": "uuid"]
    case .date: ["type": "string", "format": "date-time"]
    case .integer, .hours: ["type": "integer"]
    case .bool: ["type": "boolean"]
    }
  }
}
