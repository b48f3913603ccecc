import JSONLines
@testable import SyncCore
import TestSupport

extension WireSeed {
  /// A value of one of the types, usually near its limits.
  mutating func value(_ tag: WireTag) -> JSONValue {
    switch tag {
    case .null: ["type": "null"]
    case .string: ["type": "string", "stringValue": .string(below(4) == 0 ? date() : text())]
    case .bool: ["type": "bool", "boolValue": .bool(below(2) == 0)]
    case .date: ["type": "date", "dateValue": .string(date())]
    case .int16: integer(.int16, Int64(Int16.min)...Int64(Int16.max))
    case .int32: integer(.int32, Int64(Int32.min)...Int64(Int32.max))
    case .int64: integer(.int64, Int64.min...Int64.max)
    case .double: ["type": "double", "doubleValue": .number(double())]
    }
  }

  private mutating func integer(_ tag: WireTag, _ range: ClosedRange<Int64>) -> JSONValue {
    let number = pick([
      range.lowerBound, range.upperBound, 0, 1, -1, 120, Int64.random(in: range, using: &self),
    ])
    let spelling = below(4) == 0 ? "\(number).0" : below(4) == 0 ? "\(number)e0" : "\(number)"
    return ["type": .string(tag.rawValue), .init("\(tag.rawValue)Value"): .number(spelling)]
  }

  /// The shortest form of a finite double.
  mutating func double() -> String {
    let choices: [Double] = [
      0, -0.0, 1, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 9_007_199_254_740_992, 1e20, 120,
      -1.5,
      Double(bitPattern: next()), Double(Int16(truncatingIfNeeded: next())) / 16,
    ]
    let number = pick(choices)
    return (number.isFinite ? number : 2.5).description
  }

  /// A delta in which no two entries are the same record in plain JSON.
  mutating func delta() -> JSONValue {
    var keys: Set<String> = []
    let upserts = (0..<below(8)).compactMap { _ in entry(isUpsert: true, &keys) }
    let deletes = (0..<below(4)).compactMap { _ in entry(isUpsert: false, &keys) }
    let token = pick(["", "QQ==", "QUI=", "+/+/"])
    return ["upserts": .array(upserts), "deletes": .array(deletes), "newTokenData": .string(token)]
  }

  private mutating func entry(isUpsert: Bool, _ keys: inout Set<String>) -> JSONValue? {
    let (entity, key) = (pick(["E", "F", text()]), pick(["timestamp", text()]))
    let value = value(pick(WireTag.allCases))
    guard keys.insert(plainKey(entity, key, value)).inserted else { return nil }
    let identity: JSONValue = ["key": .string(key), "value": value]
    let head: [JSONMember] = [.init("entityName", .string(entity)), .init("identity", identity)]
    guard isUpsert else { return .object(head + [.init("deletedAt", .string(date()))]) }
    return .object(
      head + [
        .init("modifiedAt", .string(date())), .init("version", .integer(pick([1, 0, -7, Int64.max]))),
        .init("fields", .object(fields())),
      ])
  }

  private mutating func fields() -> [JSONMember] {
    var names: Set<[UInt8]> = []
    return (0..<below(6)).compactMap { _ in
      let name = text()
      guard names.insert(Array(name.utf8)).inserted else { return nil }
      return JSONMember(name, value(pick(WireTag.allCases)))
    }
  }

  /// The canonical form of the value that identifies the record in plain JSON.
  private func plainKey(_ entity: String, _ key: String, _ value: JSONValue) -> String {
    let plain = value.objectValue?.dropFirst().first?.value ?? .null
    let text = Array(JSONValue.array([.string(entity), .string(key), plain]).text.utf8)
    var canonical: [UInt8] = []
    CanonicalJSON.append(text.span, 0..<text.count, to: &canonical)
    return canonical.map { String($0, radix: 16) }.joined(separator: " ")
  }
}
