package import JSONLines

/// How many lines of each kind a file has, by entity.
package struct DeltaStatistics: Sendable {
  private var counts: [[UInt8]: (upserts: Int, deletes: Int)] = [:]
  private var checkpoints = 0

  package init() {}

  /// Counts the lines of a block as it was read, before it is sorted.
  package mutating func add(_ block: LineBlock, _ report: BlockReader.Report) {
    checkpoints += report.checkpoints
    var upserts = [Int](repeating: 0, count: report.forms.forms.count)
    var deletes = upserts
    for entry in block.entries {
      if entry.isTombstone { deletes[Int(entry.word)] += 1 } else { upserts[Int(entry.word)] += 1 }
    }
    for (place, form) in report.forms.forms.enumerated() {
      let count = counts[form.entityName, default: (0, 0)]
      counts[form.entityName] = (count.upserts + upserts[place], count.deletes + deletes[place])
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
}
