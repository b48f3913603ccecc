import JSONLines
import Store

/// A foreign key of a table to itself.
struct OwnReference {
  var child: [String] = []
  var parent: [String] = []
  /// The comparisons of the columns in `parent`, which SQLite uses for the values of `child` too.
  var comparisons: [ValueComparison] = []
}

extension Table {
  func ownReferences(in database: Database) throws -> [OwnReference] {
    let own = try ForeignKey.all(of: name, in: database).filter { TriggerWrite.isSame($0.parent, name) }
    return own.compactMap { key in
      var reference = OwnReference()
      for names in key.columns {
        // A column that is not synced, such as a generated column, cannot order the lines.
        guard let parent = column(spelled: names.parent)?.name else { return nil }
        reference.child.append(names.child)
        reference.parent.append(parent)
        reference.comparisons.append(ValueComparison(of: parent, in: self, database))
      }
      return reference
    }
  }
}

/// The lines for one table whose rows refer to the rows of other lines.
struct RowReferences {
  private var isDeletion: [Bool] = []
  /// For each line, the lines that must be written before it.
  private var before: [[Int]] = []
  /// For each line, the lines whose rows refer to its row.
  private var referring: [[Int]] = []

  init(_ lines: [RowLine], _ references: [OwnReference], of table: Table, in database: Database) throws {
    isDeletion = lines.map(\.isDeletion)
    before = Array(repeating: [], count: lines.count)
    referring = before
    for reference in references {
      var parents: [RowKey: Int] = [:]
      for (index, line) in lines.enumerated() {
        if let key = table.rowKey(reference.parent, of: line, as: reference) { parents[key] = index }
      }
      for (index, line) in lines.enumerated() {
        if !line.isDeletion, let key = table.rowKey(reference.child, of: line, as: reference),
          let parent = parents[key]
        {
          refer(index, to: parent)
        }
      }
      guard isDeletion.contains(true) else { continue }
      // A row is deleted after the rows that refer to it have been deleted or changed.
      for (index, line) in lines.enumerated() {
        if let key = try table.storedRowKey(reference, of: line, in: database),
          let parent = parents[key],
          isDeletion[parent], parent != index
        {
          before[parent].append(index)
        }
      }
    }
  }

  private mutating func refer(_ index: Int, to parent: Int) {
    guard parent != index, !isDeletion[parent] else { return }
    before[index].append(parent)
    referring[parent].append(index)
  }

  /// The indices of the lines, each after the lines that must be written before it, as far as they do not form a cycle.
  func sorted() -> [Int] {
    var (order, isKnown) = ([Int](), Array(repeating: false, count: before.count))
    order.reserveCapacity(before.count)
    for start in before.indices where !isKnown[start] {
      isKnown[start] = true
      // Not recursive, because a chain can be long.
      var path = [(line: start, next: 0)]
      while let (line, next) = path.last {
        guard next < before[line].count else {
          order.append(line)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let other = before[line][next]
        if isKnown[other] { continue }
        isKnown[other] = true
        path.append((other, 0))
      }
    }
    return order
  }

  /// The indices of the lines in a cycle, or on the way from one cycle to another.
  func inCircles() -> [Int] {
    var after = Array(repeating: [Int](), count: before.count)
    for (line, others) in before.enumerated() { for other in others { after[other].append(line) } }
    var isLeft = Array(repeating: true, count: before.count)
    for (ends, others) in [(before, after), (after, before)] {
      var count = ends.map { $0.count { isLeft[$0] } }
      var free = ends.indices.filter { isLeft[$0] && count[$0] == 0 }
      while let line = free.popLast() {
        isLeft[line] = false
        for other in others[line] where isLeft[other] {
          count[other] -= 1
          if count[other] == 0 { free.append(other) }
        }
      }
    }
    return isLeft.indices.filter { isLeft[$0] }
  }

  /// Adds the lines that cannot be written without `lines`: they refer to rows that would not exist.
  func addReferring(to lines: inout Set<Int>, isStored: (Int) throws -> Bool) rethrows {
    var left = Array(lines)
    while let line = left.popLast() {
      if try referring[line].isEmpty || isDeletion[line] || isStored(line) { continue }
      for other in referring[line] where lines.insert(other).inserted { left.append(other) }
    }
  }
}

extension Table {
  /// The values of columns in a line; nil if one of them is missing or null.
  fileprivate func rowKey(_ names: [String], of line: RowLine, as reference: OwnReference) -> RowKey? {
    var values: [ColumnValue] = []
    for name in names {
      guard let value = line.members[named: name], value != .null, let index = try? index(of: name),
        let own = try? columns[index].value(value)
      else { return nil }
      values.append(own)
    }
    return RowKey(values, as: reference.comparisons)
  }

  /// The key that the row of a line refers to; nil if the row does not exist, or does not refer to another row.
  fileprivate func storedRowKey(_ reference: OwnReference, of line: RowLine, in database: Database) throws
    -> RowKey?
  {
    let key = try key(of: line)
    let row = try database.statement(
      "SELECT \(reference.child.map(\.quotedName).joined(separator: ", ")) FROM \(quotedName) "
        + "WHERE \(key.matching(from: 0))")
    for (index, cell) in key.enumerated() { row.bind(Int32(index + 1), cell.value) }
    let values = try row.first { row in reference.child.indices.map { row.value(Int32($0)) } } ?? []
    let hasNull = values.contains { if case .null = $0 { true } else { false } }
    return values.isEmpty || hasNull ? nil : RowKey(values, as: reference.comparisons)
  }
}

extension Statement {
  fileprivate func value(_ index: Int32) -> ColumnValue {
    switch kind(index) {
    case .null: .null
    case .integer: .integer(integer(index))
    case .real: .real(real(index))
    case .text: .text(text(index))
    case .blob: .blob(bytes(index))
    }
  }
}
