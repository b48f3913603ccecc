package import JSONLines

/// How many lines of each kind a file has, by entity.
package struct DeltaStatistics: Sendable {
  private var counts: [[UInt8]: (upserts: Int, deletes: Int)] = [:]
  private var checkpoints = 0

  package init() {}

  package mutating func add(_ set: ChangeSet) {
    checkpoints += set.checkpoints
    for entry in set.entries {
      let key = Array(set.key(of: entry))
      guard case .found(let name) = Self.entityPlace.find(in: key.span, 0..<key.count) else { continue }
      var count = counts[Array(key[name]), default: (0, 0)]
      if entry.line.isTombstone { count.deletes += 1 } else { count.upserts += 1 }
      counts[Array(key[name])] = count
    }
  }

  /// `{"upserts":3,"deletes":1,"checkpoints":0,"entities":{"Task":{"upserts":3,"deletes":1}}}`.
  package var value: JSONValue {
    let rows = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    let entities = rows.map { name, count in
      JSONMember((try? JSONValue(parsing: name.span))?.stringValue ?? "", Self.object(count))
    }
    let total = rows.reduce((upserts: 0, deletes: 0)) {
      ($0.upserts + $1.value.upserts, $0.deletes + $1.value.deletes)
    }
    guard case .object(let members) = Self.object(total) else { return .null }
    return .object(
      members + [JSONMember("checkpoints", .integer(checkpoints)), JSONMember("entities", .object(entities))])
  }

  private static func object(_ count: (upserts: Int, deletes: Int)) -> JSONValue {
    .object([JSONMember("upserts", .integer(count.upserts)), JSONMember("deletes", .integer(count.deletes))])
  }

  private static let entityPlace = JSONPointer(name: "0")
}
