/// Types for a file of limited size.
extension WireTypes {
  /// The types of `old`, and as many of the others as fit into a file of `limit` bytes.
  package func fitting(_ limit: Int, keeping old: WireTypes) -> WireTypes {
    var kept = old
    kept.exceptions = old.exceptions.filter { exceptions[$0.key] != nil }
    var size = kept.fileSize
    Self.add(entities, to: &kept.entities, &size, limit)
    Self.add(exceptions, to: &kept.exceptions, &size, limit)
    return kept
  }

  private var fileSize: Int {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes.count
  }

  private static func add(
    _ tables: [[UInt8]: WireTypeTable], to kept: inout [[UInt8]: WireTypeTable], _ size: inout Int,
    _ limit: Int
  ) {
    for (name, table) in tables.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let old = kept[name]
      guard old != table else { continue }
      let growth = Self.size(name, table) - (old.map { Self.size(name, $0) } ?? 0)
      guard size + growth <= limit else { continue }
      size += growth
      kept[name] = table
    }
  }

  /// The bytes that a table adds to the file, including its separators.
  private static func size(_ name: [UInt8], _ table: WireTypeTable) -> Int {
    var types = WireTypes()
    types.entities[name] = table
    return types.fileSize - WireTypes().fileSize
  }
}
